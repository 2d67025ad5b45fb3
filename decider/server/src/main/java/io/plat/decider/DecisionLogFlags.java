package io.plat.decider;

import io.plat.decider.log.DecisionLogSettings;
import io.plat.decider.log.DecisionLogSettings.Mode;
import io.plat.engine.decided.SpecField;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
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
    /** The flag that what is wrong with the log's file is told of. */
    static final String PATH = "--decision-log-path";

    private static final String BATCH = "batch";
    private static final String BLOCKING = "blocking";

    private final Flag<Optional<Path>> path;
    private final Flag<String> mode;
    private final Flag<Integer> maxSize;
    private final Flag<Integer> maxBackup;
    private final Flag<List<SpecField>> mask;

    DecisionLogFlags(FlagSet set) {
        set.group("Accounting for decisions");
        path = set.optional(
                "decision-log-path",
                FlagType.PATH,
                "Where each decision is written as a line of JSON; - is stdout. No log without it.");
        mode = set.value(
                "decision-log-mode",
                FlagType.word(List.of(BATCH, BLOCKING)),
                BATCH,
                "Whether a decision that can't be logged is answered, dropped from the log and counted, or is not answered: "
                        + "then every answer waits for its line.");
        maxSize = set.value(
                "decision-log-maxsize",
                FlagType.number("MEGABYTES", 1, 1 << 20),
                "100",
                "How large a file of the log gets before it is put aside, in megabytes.");
        maxBackup =
                set.value("decision-log-maxbackup", FlagType.COUNT, "10", "How many full files are kept; 0 keeps all.");
        mask = set.list(
                "decision-log-mask",
                new FlagType<>("FIELD", "one of " + SpecField.paths(), SpecField::of),
                "Fields of a spec whose values are not written: " + SpecField.paths() + ".");
        set.check(this::check);
    }

    private void check(FlagValues values, FlagProblems problems) {
        if (values.given(path)) {
            return;
        }
        for (Flag<?> flag : List.of(mode, maxSize, maxBackup, mask)) {
            if (values.given(flag)) {
                problems.add(flag, "there is no decision log, expected " + PATH + " too");
            }
        }
    }

    /** The log that is wanted, or null for none. */
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
