package io.plat.decider.log;

import io.micrometer.core.instrument.MeterRegistry;
import io.plat.decider.log.DecisionLogSettings.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The decision log of a server. Safe for any number of threads. */
public final class DecisionLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);
    private static final Backlog.Limits LIMITS = new Backlog.Limits(10_000, 16L << 20);
    private static final Duration GATHERING = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Mode mode;
    private final Duration patience;
    private final Backlog backlog;
    private final Losses losses;
    private final LineSink sink;
    private final Thread writer;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final AtomicBoolean begun = new AtomicBoolean();

    /**
     * What a log is made of.
     *
     * @param mode what becomes of a decision that can't be written
     * @param limits the bounds of what waits to be written
     * @param patience how long an answer waits for its line, and the end of the log for the last one
     */
    record Parts(
            Mode mode, Backlog.Limits limits, Duration patience, DecisionLine form, LineSink sink, Losses losses) {}

    DecisionLog(Parts parts) {
        mode = parts.mode();
        patience = parts.patience();
        backlog = new Backlog(parts.limits());
        losses = parts.losses();
        sink = parts.sink();
        LineWriter.Gathering gathering =
                new LineWriter.Gathering(mode == Mode.BATCH ? GATHERING : Duration.ZERO, ending);
        writer = Thread.ofPlatform()
                .name("decision-log")
                .daemon()
                .unstarted(new LineWriter(backlog, parts.form(), sink, losses, gathering));
    }

    /**
     * Opens a log.
     *
     * @param allModes what decided where no single mode allowed: the only mode, or {@code Union}
     * @throws IOException where it can't be written to; its message is one line for the user
     */
    public static DecisionLog open(
            DecisionLogSettings settings, String allModes, MeterRegistry registry, InstantSource clock)
            throws IOException {
        return new DecisionLog(new Parts(
                settings.mode(),
                LIMITS,
                PATIENCE,
                new DecisionLine(allModes, new SpecMask(settings.masked())),
                sink(settings, clock),
                new Losses(registry, System::nanoTime)));
    }

    private static LineSink sink(DecisionLogSettings settings, InstantSource clock) throws IOException {
        Path path = settings.path();
        if (path.equals(DecisionLogSettings.STDOUT)) {
            return LineStream.stdout();
        }
        if (Files.isDirectory(path)) {
            throw new IOException("\"" + path + "\" is a folder, expected a file");
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            return LineStream.to(path);
        }
        try {
            Backups backups = new Backups(path, settings.maxBackups(), clock);
            return new RotatingFile(path, settings.maxBytes(), backups, new Quiet(System::nanoTime));
        } catch (IOException unusable) {
            throw new IOException(Failure.of(unusable), unusable);
        }
    }

    /** Whether {@link #record} waits. */
    public boolean waits() {
        return mode == Mode.BLOCKING;
    }

    /**
     * Records a decision. In batch mode this hands it over and returns true; in blocking mode it returns when its line has been
     * handed to the operating system, or won't be.
     *
     * @return whether the decision may be answered
     */
    public boolean record(Decided decided) {
        return switch (mode) {
            case BATCH -> {
                if (!backlog.offer(new Pending(decided, null))) {
                    losses.lost(1, "too many wait to be written");
                }
                yield true;
            }
            case BLOCKING -> {
                CompletableFuture<Boolean> written = new CompletableFuture<>();
                if (!backlog.offer(new Pending(decided, written))) {
                    losses.lost(1, "too many wait to be written");
                    yield false;
                }
                yield await(written);
            }
        };
    }

    private boolean await(CompletableFuture<Boolean> written) {
        try {
            return written.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return giveUp(written, "not written within " + patience.toMillis() + " ms");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return giveUp(written, "interrupted");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("nothing completes it so", impossible);
        }
    }

    private boolean giveUp(CompletableFuture<Boolean> written, String why) {
        if (written.complete(false)) {
            losses.lost(1, why);
            return false;
        }
        return written.join();
    }

    /** Begins to write; until then what is recorded waits. A second call has no effect. */
    public void begin() {
        if (begun.compareAndSet(false, true)) {
            writer.start();
        }
    }

    /** Writes what was recorded and ends. What can't be written in time is given up. Nothing is recorded from here on. */
    @Override
    public void close() throws IOException {
        begin();
        ending.countDown();
        if (isFinished()) {
            sink.close();
        } else {
            LOG.error("decision log: {} decisions or more could not be written before the end", backlog.size());
        }
    }

    private boolean isFinished() {
        try {
            return backlog.end(patience) && writer.join(patience);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
