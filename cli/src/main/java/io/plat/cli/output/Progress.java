package io.plat.cli.output;

import io.plat.process.Tasks;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a long operation: a bar on a terminal, nothing elsewhere. An operation of less than two seconds shows none. Closing it removes
 * the bar.
 */
public final class Progress implements AutoCloseable {
    private static final Duration FIRST_SHOWN_AFTER = Duration.ofSeconds(2);

    private final @Nullable ProgressBar bar;
    private final @Nullable Line line;

    /** One with a clock of its own, in nanoseconds that only grow. */
    Progress(String task, long total, @Nullable PrintWriter terminal, LongSupplier nanoTime) {
        line = terminal == null ? null : new Line(terminal, nanoTime);
        bar = line == null
                ? null
                : new ProgressBarBuilder()
                        .setTaskName(task)
                        .setInitialMax(total)
                        .setUpdateIntervalMillis(200)
                        .setConsumer(line)
                        .setStyle(ProgressBarStyle.ASCII)
                        .build();
        if (line != null) {
            Tasks.atExit("progress", line::clear);
        }
    }

    /**
     * Begins.
     *
     * @param task the operation's name
     * @param total the number of steps, or -1 if unknown
     * @param terminal the terminal, null for none
     */
    public static Progress begin(String task, long total, @Nullable PrintWriter terminal) {
        return new Progress(task, total, terminal, System::nanoTime);
    }

    /** One step more is done. */
    public void step() {
        if (bar != null) {
            to(bar.getCurrent() + 1);
        }
    }

    /** So many steps are done in all. */
    public void to(long steps) {
        if (bar != null && line != null) {
            bar.stepTo(steps);
            if (line.isDue()) {
                bar.refresh();
            }
        }
    }

    @Override
    public void close() {
        if (bar != null && line != null) {
            bar.close();
            line.clear();
        }
    }

    /** The terminal line of the bar; the library's own consumer would look for a terminal by native code. */
    private static final class Line implements ProgressBarConsumer {
        private static final int WIDTH = 78;

        private final PrintWriter terminal;
        private final LongSupplier nanoTime;
        private final long began;
        private boolean shown;
        private boolean closed;

        Line(PrintWriter terminal, LongSupplier nanoTime) {
            this.terminal = terminal;
            this.nanoTime = nanoTime;
            this.began = nanoTime.getAsLong();
        }

        @Override
        public int getMaxRenderedLength() {
            return WIDTH;
        }

        /** Returns whether the bar is to be shown for the first time. */
        synchronized boolean isDue() {
            return !shown && nanoTime.getAsLong() - began > FIRST_SHOWN_AFTER.toNanos();
        }

        @Override
        public synchronized void accept(String rendered) {
            if (!closed && (shown || isDue())) {
                shown = true;
                terminal.print("\r" + rendered);
                terminal.flush();
            }
        }

        /** Removes the bar for good, at its end or when the process is interrupted. */
        @Override
        public synchronized void clear() {
            closed = true;
            if (shown) {
                shown = false;
                terminal.print("\r" + " ".repeat(WIDTH));
                terminal.print("\r");
                terminal.flush();
            }
        }

        @Override
        public void close() {}
    }
}
