package io.plat.http.lines;

import io.plat.process.BackgroundLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line-oriented log. Thread-safe.
 *
 * @param <T> the events that are logged
 */
public final class LineLog<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LineLog.class);

    /** Maximum wait of a caller while the destination does not respond: enough for one that has just recovered. */
    private static final long BRIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final boolean waits;
    private final Duration timeout;
    private final Backlog<T> backlog;
    private final LineForm<T> form;
    private final Losses losses;
    private final LineSink sink;
    private final BackgroundLoop writer;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final AtomicBoolean begun = new AtomicBoolean();

    /**
     * Limits of the queue.
     *
     * @param events maximum number of events
     * @param bytes maximum total memory
     */
    public record Limits(int events, long bytes) {
        /** Limits for a server whose disk hangs for a while. */
        public static final Limits STANDARD = new Limits(10_000, 16L << 20);
    }

    /**
     * Behaviour of a log towards callers.
     *
     * @param waits whether callers wait for their line to be written
     * @param timeout time limit for a line, and at the end of the log for the last one
     */
    public record Behaviour(boolean waits, Limits limits, Duration timeout) {}

    /**
     * Parts of a log.
     *
     * @param behaviour behaviour towards callers
     * @param batches size of writes
     * @param form formats lines
     * @param sink destination; closed with the log
     * @param losses counts lost lines
     * @param <T> the events
     */
    public record Parts<T>(Behaviour behaviour, Batches batches, LineForm<T> form, LineSink sink, Losses losses) {}

    /** Creates a log that writes nothing before {@link #begin}. */
    public LineLog(Parts<T> parts) {
        waits = parts.behaviour().waits();
        timeout = parts.behaviour().timeout();
        backlog = new Backlog<>(parts.behaviour().limits());
        form = parts.form();
        losses = parts.losses();
        sink = parts.sink();
        Batches batches = waits ? parts.batches().atOnce() : parts.batches();
        writer = BackgroundLoop.platform(
                losses.log().replace(' ', '-'), new LineWriter<>(backlog, parts, batches, ending, this::finish));
    }

    /** Returns whether {@link #record} blocks. */
    public boolean waits() {
        return waits;
    }

    /**
     * Records an event. If the log {@linkplain #waits waits}, returns when the line has been passed to the operating system, or failed; else at once.
     * After a line that was not written in time, callers wait briefly only, and their lines stay queued, until the destination responds.
     *
     * @return false if and only if the log waits and the line is not known to be written
     */
    public boolean record(T event) {
        return waits ? recordAndWait(event) : recordOrDrop(event);
    }

    /** Records an event without waiting for its line, regardless of the log's behaviour; returns true. */
    public boolean recordOrDrop(T event) {
        if (!backlog.offer(new Backlog.PendingEvent<>(event, form.bytes(event), null))) {
            losses.lost(1, "the queue is full");
        }
        return true;
    }

    private boolean recordAndWait(T event) {
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        if (!backlog.offer(new Backlog.PendingEvent<>(event, form.bytes(event), written))) {
            losses.lost(1, "the queue is full");
            return false;
        }
        return await(written, backlog.stalled);
    }

    private boolean await(CompletableFuture<Boolean> written, boolean briefly) {
        try {
            return written.get(
                    briefly ? Math.min(timeout.toNanos() / 20, BRIEF_NANOS) : timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            if (briefly) {
                return false;
            }
            backlog.stalled = true;
            return giveUp(written, "not written within " + timeout.toMillis() + " ms");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return giveUp(written, "interrupted");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("never completed exceptionally", impossible);
        }
    }

    private boolean giveUp(CompletableFuture<Boolean> written, String why) {
        if (written.complete(false)) {
            losses.lost(1, why);
            return false;
        }
        backlog.stalled = false;
        return written.join();
    }

    /** Starts writing; events are queued until then. A second call has no effect. */
    public void begin() {
        if (begun.compareAndSet(false, true)) {
            writer.start();
        }
    }

    /** Writes queued events and closes the log. Events that can't be written in time are lost. No event is recorded afterwards. */
    @Override
    public void close() throws IOException {
        begin();
        ending.countDown();
        sink.ending();
        if (isFinished()) {
            sink.close();
        } else {
            losses.lost(backlog.size(), "the log was closed");
            LOG.error(
                    "the last lines of a log could not be written: log={} missing_at_least={}",
                    losses.log(),
                    backlog.size());
        }
    }

    private void finish() {
        writer.finish();
    }

    private boolean isFinished() {
        try {
            return backlog.end(timeout) && writer.join(timeout);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Size of batches.
     *
     * @param maxLines maximum number of lines
     * @param bytes maximum size, unless a single line has more
     * @param gathering how long the first line waits for others if no caller waits for it, so that a busy server does not wake a thread for each
     */
    public record Batches(int maxLines, int bytes, Duration gathering) {
        public static final Batches OF_FILES = new Batches(512, 64 << 10, Duration.ofMillis(10));

        public Batches {
            if (maxLines < 1 || bytes < 1) {
                throw new IllegalArgumentException("no batch: " + maxLines + " lines, " + bytes + " bytes");
            }
        }

        /** Returns these batches without gathering, for a log with waiting callers. */
        Batches atOnce() {
            return new Batches(maxLines, bytes, Duration.ZERO);
        }
    }

    /**
     * Format of lines. Lines are formatted by one thread, sizes read by any.
     *
     * @param <T> the events
     */
    public interface LineForm<T> {
        /** Appends the line of an event, with a line feed. An exception loses only this line. */
        void write(T event, ByteArrayOutputStream lines);

        /** Returns the approximate memory of a queued event. */
        int bytes(T event);
    }
}
