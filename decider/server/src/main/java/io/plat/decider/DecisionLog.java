package io.plat.decider;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.decided.DecisionLine;
import io.plat.engine.decided.DecisionRecord;
import io.plat.engine.decided.SpecField;
import io.plat.engine.decided.SpecMask;
import io.plat.http.lines.LineLog;
import io.plat.http.lines.LineLog.Batches;
import io.plat.http.lines.LineLog.Behaviour;
import io.plat.http.lines.LineLog.LineForm;
import io.plat.http.lines.LineSink;
import io.plat.http.lines.LogFile;
import io.plat.http.lines.Losses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/**
 * The decision log of a server. In batch mode, a decision is queued and may be answered at once; in blocking mode it may only be answered if its line
 * was written. Thread-safe.
 *
 * @param lines the log; closed by its owner
 * @param isStdout whether the lines are written to stdout
 */
record DecisionLog(LineLog<DecisionRecord> lines, boolean isStdout) {
    private static final String NAME = "decision log";
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(5);

    static LineLog<DecisionRecord> lines(
            Behaviour behaviour, DecisionLine form, LineSink sink, MeterRegistry registry) {
        return new LineLog<>(new LineLog.Parts<>(behaviour, Batches.OF_FILES, lineOf(form), sink, losses(registry)));
    }

    private static LineForm<DecisionRecord> lineOf(DecisionLine form) {
        return new LineForm<>() {
            @Override
            public void write(DecisionRecord decided, ByteArrayOutputStream out) {
                form.write(decided, out);
            }

            /** Returns the approximate memory of a decision: in memory, a review is at most about a dozen times larger than its bytes. */
            @Override
            public int bytes(DecisionRecord decided) {
                return decided.reviewBytes();
            }
        };
    }

    private static Losses losses(MeterRegistry registry) {
        Counter written = Counter.builder("decision.log.written")
                .description("Decisions written to the decision log.")
                .register(registry);
        Counter dropped = Counter.builder("decision.log.dropped")
                .description("Decisions that were not logged; in blocking mode their requests were answered 500.")
                .register(registry);
        return new Losses(NAME, written::increment, dropped, System::nanoTime);
    }

    /**
     * Opens a log.
     *
     * @param allModes the authorizer name for decisions that no single mode allowed: the only mode, or {@code Union}
     * @throws IOException if it is not writable; the message is one line for the user
     */
    public static DecisionLog open(
            DecisionLogSettings settings, String allModes, MeterRegistry registry, InstantSource clock)
            throws IOException {
        return new DecisionLog(
                lines(
                        new Behaviour(settings.blocking(), LineLog.Limits.STANDARD, WRITE_TIMEOUT),
                        new DecisionLine(allModes, new SpecMask(settings.masked())),
                        settings.file().open(NAME, clock),
                        registry),
                settings.file().path().equals(LogFile.STDOUT));
    }

    /**
     * Settings of a decision log.
     *
     * @param blocking whether a decision that cannot be written is not answered either; else it is answered, and dropped from the log
     * @param masked the fields of a spec whose values are not written
     */
    public record DecisionLogSettings(LogFile file, boolean blocking, Set<SpecField> masked) {
        public DecisionLogSettings {
            masked = Set.copyOf(masked);
        }
    }
}
