package io.plat.http.lines;

import io.plat.process.BackgroundLoop;
import io.plat.process.Waiting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
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

    /** Interval for checking whether a batch is full. */
    private static final long SLICE_NANOS = Duration.ofMillis(100).toNanos();

    private final Parts<T> parts;
    private final Batches batches;
    private final BlockingQueue<PendingEvent<T>> queue;
    private final AtomicLong queuedBytes = new AtomicLong();
    private final BackgroundLoop writer;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final AtomicBoolean begun = new AtomicBoolean();

    /** Set from an event that was not written in time until the next one that is written. */
    private volatile boolean stalled;

    /**
     * A queued event.
     *
     * @param event the event; null for the end of the log, after which there is none
     * @param line its line if a caller waits, who has formatted it, so that a large one only delays its own request; else null
     * @param bytes its approximate memory
     * @param written completed with whether its line was written, or with false by a caller that no longer waits; null if no caller waits
     */
    private record PendingEvent<T>(
            @Nullable T event,
            @Nullable ByteArrayOutputStream line,
            int bytes,
            @Nullable CompletableFuture<Boolean> written) {
        /** Returns whether the line is still needed: not if its caller stopped waiting and responded. */
        boolean isWanted() {
            return written == null || !written.isDone();
        }

        void done(boolean success) {
            if (written != null) {
                written.complete(success);
            }
        }
    }

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
        this.parts = parts;
        this.batches = waits() ? parts.batches().atOnce() : parts.batches();
        this.queue = new LinkedBlockingQueue<>(parts.behaviour().limits().events());
        this.writer = BackgroundLoop.platform(parts.losses().log().replace(' ', '-'), new Writer());
    }

    /** Returns whether {@link #record} blocks. */
    public boolean waits() {
        return parts.behaviour().waits();
    }

    /**
     * Records an event. If the log {@linkplain #waits waits}, returns when the line has been passed to the operating system, or failed; else at once.
     * After a line that was not written in time, callers wait briefly only, and their lines stay queued, until the destination responds.
     *
     * @return false if and only if the log waits and the line is not known to be written
     */
    public boolean record(T event) {
        if (waits()) {
            return recordAndWait(event);
        }
        recordOrDrop(event);
        return true;
    }

    /** Records an event without waiting for its line, regardless of the log's behaviour. */
    public void recordOrDrop(T event) {
        boolean unused = offer(new PendingEvent<>(event, null, parts.form().bytes(event), null));
    }

    private boolean recordAndWait(T event) {
        @Nullable ByteArrayOutputStream line = line(event);
        if (line == null) {
            return false;
        }
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        int bytes = parts.form().bytes(event) + line.size();
        return offer(new PendingEvent<>(event, line, bytes, written)) && await(written, stalled);
    }

    /** Returns the line of an event, or null after counting it as lost. */
    private @Nullable ByteArrayOutputStream line(T event) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        try {
            parts.form().write(event, line);
            return line;
        } catch (RuntimeException | StackOverflowError bug) {
            // A line may contain output of a plug-in, whose defects only lose this line.
            LOG.debug("no line", bug);
            parts.losses()
                    .lost(1, "formatting a line failed with " + bug.getClass().getName());
            return null;
        }
    }

    /** Queues an event; returns false if there is no room. */
    private boolean offer(PendingEvent<T> pending) {
        long maxBytes = parts.behaviour().limits().bytes();
        if (queuedBytes.addAndGet(pending.bytes()) <= maxBytes && queue.offer(pending)) {
            return true;
        }
        queuedBytes.addAndGet(-pending.bytes());
        parts.losses().lost(1, "the queue is full");
        return false;
    }

    private boolean await(CompletableFuture<Boolean> written, boolean briefly) {
        Duration timeout = parts.behaviour().timeout();
        try (Waiting _ = Waiting.begin()) {
            return written.get(
                    briefly ? Math.min(timeout.toNanos() / 20, BRIEF_NANOS) : timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            if (briefly) {
                return false;
            }
            stalled = true;
            return giveUp(written, "not written within " + timeout.toMillis() + " ms");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return giveUp(written, "interrupted");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("never completed exceptionally", impossible);
        }
    }

    private boolean giveUp(CompletableFuture<Boolean> written, String cause) {
        if (written.complete(false)) {
            parts.losses().lost(1, cause);
            return false;
        }
        stalled = false;
        return written.join();
    }

    /** Starts writing; events are queued until then. A second call has no effect. */
    public void begin() {
        if (begun.compareAndSet(false, true)) {
            writer.start();
        }
    }

    /** Writes queued events and closes the log. Events that cannot be written in time are lost. No event is recorded afterwards. */
    @Override
    public void close() throws IOException {
        begin();
        ending.countDown();
        parts.sink().ending();
        if (isFinished()) {
            parts.sink().close();
        } else {
            parts.losses().lost(queue.size(), "the log was closed");
            LOG.error(
                    "the last lines of a log could not be written: log={} missing_at_least={}",
                    parts.losses().log(),
                    queue.size());
        }
    }

    private boolean isFinished() {
        Duration timeout = parts.behaviour().timeout();
        try {
            return queue.offer(new PendingEvent<>(null, null, 0, null), timeout.toNanos(), TimeUnit.NANOSECONDS)
                    && writer.join(timeout);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Background work that formats events and writes their lines in batches. Terminates after the end marker. */
    private final class Writer implements BackgroundLoop.Work {
        private final Deque<PendingEvent<T>> items = new ArrayDeque<>();
        private final List<PendingEvent<T>> batch = new ArrayList<>();
        private ByteArrayOutputStream lines = new ByteArrayOutputStream();

        /** Counts events that were taken before a failure, and not written, as lost. */
        @Override
        public void begin() {
            int lost = batch.size();
            batch.forEach(pending -> pending.done(false));
            clear();
            boolean more = true;
            for (PendingEvent<T> pending : items) {
                if (pending.event() == null) {
                    more = false;
                } else {
                    queuedBytes.addAndGet(-pending.bytes());
                    pending.done(false);
                    lost++;
                }
            }
            items.clear();
            if (lost > 0) {
                parts.losses().lost(lost, "writing failed");
            }
            if (!more) {
                writer.finish();
            }
        }

        @Override
        public Duration round() throws InterruptedException {
            items.add(queue.take());
            gather();
            queue.drainTo(items, batches.maxLines() - 1);
            if (!write()) {
                writer.finish();
            }
            return BackgroundLoop.NONE;
        }

        /** Waits for a full batch, for the gathering time, or for the end of the log. */
        private void gather() throws InterruptedException {
            long end = System.nanoTime() + batches.gathering().toNanos();
            for (long remaining = batches.gathering().toNanos();
                    remaining > 0 && !isNearlyFull();
                    remaining = end - System.nanoTime()) {
                if (ending.await(Math.min(remaining, SLICE_NANOS), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        }

        /** Returns whether a batch should be written: it is complete, or there may soon be no room for events. */
        private boolean isNearlyFull() {
            return queue.size() >= batches.maxLines() - 1
                    || queuedBytes.get() > parts.behaviour().limits().bytes() / 2;
        }

        /** Writes events; returns false after the end marker. */
        private boolean write() {
            boolean more = true;
            while (!items.isEmpty()) {
                PendingEvent<T> pending = items.getFirst();
                @Nullable T event = pending.event();
                if (event == null) {
                    more = false;
                } else {
                    add(event, pending);
                    queuedBytes.addAndGet(-pending.bytes());
                }
                items.removeFirst();
            }
            flush();
            stalled = false;
            return more;
        }

        private void add(T event, PendingEvent<T> pending) {
            if (!pending.isWanted()) {
                return;
            }
            @Nullable ByteArrayOutputStream line = pending.line() == null ? line(event) : pending.line();
            if (line == null) {
                return;
            }
            if (lines.size() + line.size() > batches.bytes()) {
                flush();
            }
            lines.writeBytes(line.toByteArray());
            batch.add(pending);
        }

        private void flush() {
            if (batch.isEmpty()) {
                return;
            }
            try {
                parts.sink().write(ByteBuffer.wrap(lines.toByteArray()));
                parts.losses().written(batch.size());
                batch.forEach(pending -> pending.done(true));
            } catch (IOException failed) {
                parts.losses().lost(batch.size(), LogFile.problem(failed));
                batch.forEach(pending -> pending.done(false));
            }
            clear();
        }

        private void clear() {
            batch.clear();
            lines = new ByteArrayOutputStream();
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
     * Format of lines. Thread-safe.
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
