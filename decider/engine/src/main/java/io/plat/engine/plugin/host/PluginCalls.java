package io.plat.engine.plugin.host;

import io.plat.process.Tasks;
import io.plat.process.Waiting;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Calls of code that may block forever: the caller waits no longer than a deadline, and the number of calls is bounded.
 *
 * <p>A call has a platform thread, as one that computes forever must not block the carrier threads of virtual threads. A call past its deadline is
 * interrupted; until it ends it counts as overdue and keeps its permit. If overdue calls hold all permits, any other call fails at once.
 */
final class PluginCalls implements AutoCloseable {
    private final Limits limits;
    private final ExecutorService threads;
    private final Semaphore permits;
    private final AtomicInteger overdue = new AtomicInteger();

    /**
     * Limits of calls.
     *
     * @param maxConcurrent maximum number of concurrent calls
     * @param deadline how long a caller waits, for a permit and for the answer together
     */
    record Limits(int maxConcurrent, Duration deadline) {
        static final Limits DEFAULT = new Limits(64, Duration.ofSeconds(3));

        Limits {
            if (maxConcurrent < 1 || !deadline.isPositive()) {
                throw new IllegalArgumentException("limits must be positive: " + maxConcurrent + ", " + deadline);
            }
        }
    }

    /** A call was not made, or did not return, before its deadline. */
    static final class CallTimeoutException extends Exception {
        private static final long serialVersionUID = 1L;

        CallTimeoutException(String message) {
            super(message, null, false, false);
        }
    }

    private enum Progress {
        IN_PROGRESS,
        OVERDUE,
        ENDED
    }

    /**
     * Creates the calls of one plug-in.
     *
     * @param loader the class loader by which libraries find classes of the plug-in's directory
     */
    PluginCalls(Limits limits, String name, @Nullable ClassLoader loader) {
        this.limits = limits;
        this.permits = new Semaphore(limits.maxConcurrent(), true);
        // Its size is bounded by the permits.
        this.threads = Tasks.platformThreads(
                "plugin-" + name, Integer.MAX_VALUE, new ThreadPoolExecutor.AbortPolicy(), loader);
    }

    /**
     * Calls the code and waits for the result.
     *
     * @throws CallTimeoutException if there is none in time
     * @throws ExecutionException if the call threw
     * @throws InterruptedException if the caller is interrupted; the call is, too
     */
    <T> T call(Callable<T> code) throws CallTimeoutException, ExecutionException, InterruptedException {
        try (Waiting _ = Waiting.begin()) {
            return await(code);
        }
    }

    private <T> T await(Callable<T> code) throws CallTimeoutException, ExecutionException, InterruptedException {
        long begin = System.nanoTime();
        if (overdue.get() >= limits.maxConcurrent()) {
            throw new CallTimeoutException("was not called: " + limits.maxConcurrent() + " calls have not ended");
        }
        if (!permits.tryAcquire(limits.deadline().toNanos(), TimeUnit.NANOSECONDS)) {
            throw new CallTimeoutException(
                    "was not called in time: " + limits.maxConcurrent() + " calls have not ended");
        }
        Call<T> call = start(code);
        boolean ended = false;
        try {
            long remaining = limits.deadline().toNanos() - (System.nanoTime() - begin);
            T answer = call.get(remaining, TimeUnit.NANOSECONDS);
            ended = true;
            return answer;
        } catch (TimeoutException e) {
            throw new CallTimeoutException(
                    "did not answer within " + limits.deadline().toMillis() + " ms");
        } catch (ExecutionException e) {
            ended = true;
            throw e;
        } finally {
            if (!ended) {
                call.abandon();
            }
        }
    }

    private <T> Call<T> start(Callable<T> code) {
        Call<T> call = new Call<>(code);
        boolean started = false;
        try {
            threads.execute(call);
            started = true;
            return call;
        } finally {
            if (!started) {
                permits.release();
            }
        }
    }

    /** Interrupts calls in progress; there are no further calls. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** One call. Its permit is released when the code has ended, not when the caller stops waiting. */
    private final class Call<T> extends FutureTask<T> {
        private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.IN_PROGRESS);

        Call(Callable<T> code) {
            super(code);
        }

        @Override
        public void run() {
            try {
                super.run();
            } finally {
                if (progress.getAndSet(Progress.ENDED) == Progress.OVERDUE) {
                    overdue.decrementAndGet();
                }
                permits.release();
            }
        }

        @SuppressWarnings("Interruption") // Interrupts the code, whose result is not needed any more.
        void abandon() {
            // Counted before it is marked, so that the count does not become negative if the call ends in between.
            overdue.incrementAndGet();
            if (!progress.compareAndSet(Progress.IN_PROGRESS, Progress.OVERDUE)) {
                overdue.decrementAndGet();
            }
            cancel(true);
        }
    }
}
