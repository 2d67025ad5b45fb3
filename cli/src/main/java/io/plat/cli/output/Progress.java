package io.plat.cli.output;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a long operation: a bar on a terminal, nothing elsewhere. An operation of less than half a second shows none. Closing it removes
 * the bar.
 */
public final class Progress implements AutoCloseable {
    private static final Duration FIRST_SHOWN_AFTER = Duration.ofMillis(500);

    private final String task;
    private final long total;
    private final @Nullable PrintWriter terminal;
    private final LongSupplier nanoTime;
    private final long began;
    private long done;
    private @Nullable ProgressBar bar;

    /** One with a clock of its own, in nanoseconds that only grow. */
    Progress(String task, long total, @Nullable PrintWriter terminal, LongSupplier nanoTime) {
        this.task = task;
        this.total = total;
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.began = nanoTime.getAsLong();
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
        to(done + 1);
    }

    /** So many steps are done in all. */
    public void to(long steps) {
        done = steps;
        if (bar != null) {
            bar.stepTo(done);
        } else if (terminal != null && nanoTime.getAsLong() - began > FIRST_SHOWN_AFTER.toNanos()) {
            bar = bar(terminal);
            bar.stepTo(done);
        }
    }

    private ProgressBar bar(PrintWriter shown) {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setUpdateIntervalMillis(200)
                .setConsumer(new Line(shown))
                .setStyle(ProgressBarStyle.ASCII)
                .build();
    }

    @Override
    public void close() {
        if (bar != null && terminal != null) {
            bar.close();
            new Line(terminal).clear();
        }
    }

    /** The terminal line of the bar; the library's own consumer would look for a terminal by native code. */
    private record Line(PrintWriter terminal) implements ProgressBarConsumer {
        private static final int WIDTH = 78;

        @Override
        public int getMaxRenderedLength() {
            return WIDTH;
        }

        @Override
        public void accept(String rendered) {
            terminal.print("\r" + rendered);
            terminal.flush();
        }

        @Override
        public void clear() {
            terminal.print("\r" + " ".repeat(WIDTH));
            terminal.print("\r");
            terminal.flush();
        }

        @Override
        public void close() {}
    }
}
