package io.plat.decider.log;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;

/**
 * What a decision log is to be.
 *
 * @param path where it is written; {@link #STDOUT} for stdout
 * @param mode what becomes of a decision that can't be written
 * @param maxBytes how large a file gets before it is put aside
 * @param maxBackups how many full files are kept; 0 for all
 * @param masked the fields of a spec whose values are not written
 */
public record DecisionLogSettings(Path path, Mode mode, long maxBytes, int maxBackups, Set<SpecField> masked) {
    /** Stands for stdout. */
    public static final Path STDOUT = Path.of("-");

    /** What becomes of a decision that can't be written. */
    public enum Mode {
        /** It is answered, and dropped from the log. */
        BATCH,
        /** It is not answered. */
        BLOCKING
    }

    public DecisionLogSettings {
        Objects.requireNonNull(path);
        Objects.requireNonNull(mode);
        if (maxBytes <= 0 || maxBackups < 0) {
            throw new IllegalArgumentException("no such file: " + maxBytes + " bytes, " + maxBackups + " kept");
        }
        masked = Set.copyOf(masked);
    }
}
