package io.plat.decider.log;

import io.plat.engine.decided.SpecField;
import io.plat.http.lines.LogFile;
import java.util.Objects;
import java.util.Set;

/**
 * Settings of a decision log.
 *
 * @param file its file
 * @param mode handling of decisions that can't be written
 * @param masked the fields of a spec whose values are not written
 */
public record DecisionLogSettings(LogFile file, Mode mode, Set<SpecField> masked) {
    /** Handling of decisions that can't be written. */
    public enum Mode {
        /** It is answered, and dropped from the log. */
        BATCH,
        /** It is not answered. */
        BLOCKING
    }

    public DecisionLogSettings {
        Objects.requireNonNull(file);
        Objects.requireNonNull(mode);
        masked = Set.copyOf(masked);
    }
}
