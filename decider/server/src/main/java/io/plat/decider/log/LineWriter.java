package io.plat.decider.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that turns decisions into lines and writes them, many at a time where many wait. Ends after the end. */
final class LineWriter implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);
    private static final int MOST = 512;
    private static final int CHUNK_BYTES = 64 << 10;

    private final Backlog backlog;
    private final DecisionLine form;
    private final LineSink sink;
    private final Losses losses;
    private final Gathering gathering;

    private final List<Pending> underway = new ArrayList<>();
    private ByteArrayOutputStream lines = new ByteArrayOutputStream(CHUNK_BYTES);

    /**
     * How long the first decision waits for others, so that a busy server does not wake this thread for each.
     *
     * @param time zero where somebody waits for the line
     * @param ending opened when there is nothing more to wait for
     */
    record Gathering(Duration time, CountDownLatch ending) {
        void await() throws InterruptedException {
            if (time.isPositive()) {
                // Whether the time is over or the log ends makes no difference.
                boolean unused = ending.await(time.toNanos(), TimeUnit.NANOSECONDS);
            }
        }
    }

    LineWriter(Backlog backlog, DecisionLine form, LineSink sink, Losses losses, Gathering gathering) {
        this.backlog = backlog;
        this.form = form;
        this.sink = sink;
        this.losses = losses;
        this.gathering = gathering;
    }

    @Override
    public void run() {
        try {
            List<Backlog.Item> items = new ArrayList<>(MOST);
            boolean more = true;
            while (more) {
                items.clear();
                items.add(backlog.take());
                gathering.await();
                backlog.drainTo(items, MOST - 1);
                more = write(items);
            }
        } catch (InterruptedException ignored) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes decisions; returns false where the end was among them. */
    private boolean write(List<Backlog.Item> items) {
        boolean more = true;
        for (Backlog.Item item : items) {
            switch (item) {
                case Backlog.Item.One one -> {
                    add(one.pending());
                    backlog.release(one.pending());
                }
                case Backlog.Item.End ignored -> more = false;
            }
        }
        flush();
        return more;
    }

    private void add(Pending pending) {
        if (!pending.isWanted()) {
            return;
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        try {
            form.write(pending.decided(), line);
        } catch (RuntimeException bug) {
            // A reason is made by the authorizer, which may be a plug-in: its defect costs this line and no other.
            LOG.debug("no line", bug);
            pending.done(false);
            losses.lost(1, "making a line failed with " + bug.getClass().getName());
            return;
        }
        if (lines.size() + line.size() > CHUNK_BYTES) {
            flush();
        }
        lines.writeBytes(line.toByteArray());
        underway.add(pending);
    }

    private void flush() {
        if (underway.isEmpty()) {
            return;
        }
        try {
            sink.write(ByteBuffer.wrap(lines.toByteArray()));
            losses.written(underway.size());
            underway.forEach(pending -> pending.done(true));
        } catch (IOException failed) {
            losses.lost(underway.size(), Failure.of(failed));
            underway.forEach(pending -> pending.done(false));
        }
        underway.clear();
        lines = new ByteArrayOutputStream(CHUNK_BYTES);
    }
}
