package io.plat.cli.output;

/** The formats of {@code -o}. */
public enum OutputFormat {
    TEXT,
    JSON,
    YAML;

    /** The name as it is typed. */
    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
