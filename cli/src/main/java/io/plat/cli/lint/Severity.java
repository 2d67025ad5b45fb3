package io.plat.cli.lint;

import java.util.Locale;

/** How bad a finding is, by the words of SARIF; the worst first. */
enum Severity {
    /** The policy does not do what is written. */
    ERROR,
    /** It grants much, or says what has no effect. */
    WARNING,
    /** It could be said in fewer words. */
    NOTE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
