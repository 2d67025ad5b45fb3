package io.plat.http.lines;

import io.plat.process.BackgroundLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Background work that formats events and writes their lines in batches. Terminates after the end marker. */
final class LineWriter<T> implements BackgroundLoop.Work {
    private static final Logger LOG = LoggerFactory.getLogger(LineLog.class);

    /** Interval for checking whether a batch is full. */
    private static final long SLICE_NANOS = Duration.ofMillis(100).toNanos();

    private final Backlog<T> backlog;
    private final LineLog.LineForm<T> form;
    private final LineSink sink;
    private final Losses losses;
    private final LineLog.Batches batches;
    private final CountDownLatch ending;

    private final Runnable finished;
    private final Deque<Backlog.PendingEvent<T>> items = new ArrayDeque<>();
    private final List<Backlog.PendingEvent<T>> batch = new ArrayList<>();
    private ByteArrayOutputStream lines = new ByteArrayOutputStream();

    /**
     * Creates a writer.
     *
     * @param ending released when the log is being closed
     * @param finished called after the last line
     */
    LineWriter(
            Backlog<T> backlog,
            LineLog.Parts<T> parts,
            LineLog.Batches batches,
            CountDownLatch ending,
            Runnable finished) {
        this.finished = finished;
        this.backlog = backlog;
        this.form = parts.form();
        this.sink = parts.sink();
        this.losses = parts.losses();
        this.batches = batches;
        this.ending = ending;
    }

    /** Counts events that were taken before a failure, and not written, as lost. */
    @Override
    public void begin() {
        int lost = batch.size();
        batch.forEach(pending -> pending.done(false));
        clear();
        boolean more = true;
        for (Backlog.PendingEvent<T> pending : items) {
            if (pending.event() == null) {
                more = false;
            } else {
                backlog.release(pending);
                pending.done(false);
                lost++;
            }
        }
        items.clear();
        if (lost > 0) {
            losses.lost(lost, "writing failed");
        }
        if (!more) {
            finished.run();
        }
    }

    @Override
    public Duration round() throws InterruptedException {
        items.add(backlog.take());
        gather();
        backlog.drainTo(items, batches.maxLines() - 1);
        if (!write()) {
            finished.run();
        }
        return BackgroundLoop.NONE;
    }

    /** Waits for a full batch, for the gathering time, or for the end of the log. */
    private void gather() throws InterruptedException {
        long end = System.nanoTime() + batches.gathering().toNanos();
        for (long remaining = batches.gathering().toNanos();
                remaining > 0 && !backlog.isNearlyFull(batches.maxLines() - 1);
                remaining = end - System.nanoTime()) {
            if (ending.await(Math.min(remaining, SLICE_NANOS), TimeUnit.NANOSECONDS)) {
                return;
            }
        }
    }

    /** Writes events; returns false after the end marker. */
    private boolean write() {
        boolean more = true;
        while (!items.isEmpty()) {
            Backlog.PendingEvent<T> pending = items.getFirst();
            @Nullable T event = pending.event();
            if (event == null) {
                more = false;
            } else {
                add(event, pending);
                backlog.release(pending);
            }
            items.removeFirst();
        }
        flush();
        backlog.stalled = false;
        return more;
    }

    private void add(T event, Backlog.PendingEvent<T> pending) {
        if (!pending.isWanted()) {
            return;
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        try {
            form.write(event, line);
        } catch (RuntimeException | StackOverflowError bug) {
            // A line may contain output of a plug-in, whose defects only lose this line.
            LOG.debug("no line", bug);
            pending.done(false);
            losses.lost(1, "formatting a line failed with " + bug.getClass().getName());
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
            sink.write(ByteBuffer.wrap(lines.toByteArray()));
            losses.written(batch.size());
            batch.forEach(pending -> pending.done(true));
        } catch (IOException failed) {
            losses.lost(batch.size(), LogFile.problem(failed));
            batch.forEach(pending -> pending.done(false));
        }
        clear();
    }

    private void clear() {
        batch.clear();
        lines = new ByteArrayOutputStream();
    }
}
