package io.plat.engine.webhook;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Ends what takes too long, as the times of a connection's single reads add up to any time. Safe for use by many threads. */
final class Deadlines implements AutoCloseable {
    private final ScheduledThreadPoolExecutor clock;

    Deadlines() {
        clock = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("webhook-deadlines").factory());
        clock.setRemoveOnCancelPolicy(true);
    }

    /** The end of something, which is over when this is closed. */
    static final class Deadline implements AutoCloseable {
        private volatile boolean passed;
        private volatile Future<?> end = CompletableFuture.completedFuture(null);

        /** Whether it was ended. */
        boolean passed() {
            return passed;
        }

        @Override
        public void close() {
            end.cancel(false);
        }
    }

    /** Has something end after a time, unless it is over by then. */
    Deadline in(Duration time, Runnable end) {
        Deadline deadline = new Deadline();
        deadline.end = clock.schedule(
                () -> {
                    deadline.passed = true;
                    end.run();
                },
                time.toNanos(),
                TimeUnit.NANOSECONDS);
        return deadline;
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
