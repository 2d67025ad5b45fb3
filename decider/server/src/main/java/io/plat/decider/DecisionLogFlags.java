package io.plat.decider;

import io.plat.decider.log.DecisionLogSettings;
import io.plat.decider.log.DecisionLogSettings.Mode;
import io.plat.engine.decided.SpecField;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.lines.LogFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The flags of the decision log. */
final class DecisionLogFlags {
    /** The flag to which problems with the log file are attributed. */
    static final String PATH = "--decision-log-path";

    private static final String BLOCKING = "blocking";

    private final Flag<Optional<Path>> path;
    private final Flag<String> mode;
    private final Flag<Integer> maxSize;
    private final Flag<Integer> maxBackup;
    private final Flag<List<SpecField>> mask;

    DecisionLogFlags(FlagSet set) {
        path = set.optional("decision-log-path", FlagType.PATH);
        mode = set.value("decision-log-mode", FlagType.word(List.of("batch", BLOCKING)));
        maxSize = set.value("decision-log-maxsize", FlagType.number(1, 1 << 20));
        maxBackup = set.value("decision-log-maxbackup", FlagType.COUNT);
        mask = set.list("decision-log-mask", new FlagType<>("one of " + SpecField.paths(), SpecField::of));
        set.checkOnlyWith(path, "there is no decision log, expected " + PATH + " too", mode, maxSize, maxBackup, mask);
    }

    /** Returns the settings of the log, or null for none. */
    @Nullable
    DecisionLogSettings settings(FlagValues values) {
        return values.get(path)
                .map(file -> new DecisionLogSettings(
                        new LogFile(file, (long) values.get(maxSize) << 20, values.get(maxBackup), Duration.ZERO),
                        values.get(mode).equals(BLOCKING) ? Mode.BLOCKING : Mode.BATCH,
                        Set.copyOf(values.get(mask))))
                .orElse(null);
    }
}
