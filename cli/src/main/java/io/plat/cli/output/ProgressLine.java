package io.plat.cli.output;

import io.plat.process.Tasks;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a long operation: a line on a terminal, nothing elsewhere. An operation of less than two seconds shows none. Closing it, or
 * interrupting the process, removes the line.
 */
public final class ProgressLine implements AutoCloseable {
    private static final long FIRST_SHOWN_AFTER = Duration.ofSeconds(2).toNanos();
    private static final long INTERVAL = Duration.ofMillis(200).toNanos();
    private static final int WIDTH = 78;

    private final String task;
    private final long total;
    private final @Nullable PrintWriter terminal;
    private final LongSupplier nanoTime;
    private final long began;
    private volatile long done;
    private long next = FIRST_SHOWN_AFTER;
    private boolean closed;

    /** Creates a progress with a monotonic clock in nanoseconds. */
    ProgressLine(String task, long total, @Nullable PrintWriter terminal, LongSupplier nanoTime) {
        this.task = task;
        this.total = total;
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.began = nanoTime.getAsLong();
    }

    /**
     * Starts.
     *
     * @param task the operation's name
     * @param total the number of steps, or -1 if unknown
     * @param terminal the terminal, null for none
     */
    public static ProgressLine begin(String task, long total, @Nullable PrintWriter terminal) {
        ProgressLine progress = new ProgressLine(task, total, terminal, System::nanoTime);
        if (terminal != null) {
            Tasks.platform("progress", progress::watch);
            Tasks.atExit("progress", progress::close);
        }
        return progress;
    }

    /** Counts a step. */
    public void step() {
        to(done + 1);
    }

    /** Sets the number of completed steps. */
    public void to(long steps) {
        done = steps;
    }

    private synchronized void watch() {
        try {
            while (!closed) {
                show();
                wait(Duration.ofNanos(INTERVAL).toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Shows the progress if it is time to. */
    synchronized void show() {
        long elapsed = nanoTime.getAsLong() - began;
        if (terminal != null && !closed && elapsed >= next) {
            next = elapsed + INTERVAL;
            String share = total > 0 ? Math.min(100, 100 * done / total) + " %, " : done > 0 ? done + ", " : "";
            print(terminal, task + ": " + share + Duration.ofNanos(elapsed).toSeconds() + " s");
        }
    }

    private static void print(PrintWriter terminal, String text) {
        terminal.print("\r" + text + " ".repeat(Math.max(0, WIDTH - text.length())));
        terminal.flush();
    }

    @Override
    public synchronized void close() {
        if (terminal != null && !closed && next > FIRST_SHOWN_AFTER) {
            print(terminal, "");
            terminal.print("\r");
            terminal.flush();
        }
        closed = true;
        notifyAll();
    }
}
