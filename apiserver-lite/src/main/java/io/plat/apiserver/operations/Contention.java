package io.plat.apiserver.operations;

import io.plat.apiserver.storage.Key;
import io.plat.apiserver.stored.RequestStore;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.util.NanoTime;

/**
 * Repeats unconditional writes that conflict with others. If many were repeated at once, all but one would fail again. Therefore a writer
 * that failed once takes its turn in a queue, so that few compete at a time. Clients choose the keys, and how long an attempt takes: so
 * queues are only an optimization, in which no attempt waits for longer than {@link #TURN}.
 */
final class Contention {
    /** Maximum number of attempts before the client receives a conflict. */
    static final int MAX_ATTEMPTS = 100;

    /** Time after which no further attempt begins. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Maximum time to wait for the others in a queue. */
    private static final Duration TURN = Duration.ofMillis(50);

    private final ReentrantLock[] queues = new ReentrantLock[64];

    Contention() {
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new ReentrantLock(true);
        }
    }

    /**
     * Returns the result of the first successful attempt; empty if {@link #MAX_ATTEMPTS} fail, or all of {@link #LIMIT}.
     *
     * @param attempt attempt to write, empty after a conflict
     */
    <T> Optional<T> resolve(Key key, RequestStore.Step<Optional<T>> attempt) throws StatusException {
        long begin = NanoTime.now();
        Optional<T> result = RequestStore.run(attempt);
        if (result.isPresent()) {
            return result;
        }
        ReentrantLock queue = queues[Math.floorMod(key.hashCode(), queues.length)];
        boolean first = false;
        try {
            for (int i = 1; i < MAX_ATTEMPTS && result.isEmpty() && NanoTime.since(begin) < LIMIT.toNanos(); i++) {
                first = first || waitIn(queue);
                result = RequestStore.run(attempt);
            }
            return result;
        } finally {
            if (first) {
                queue.unlock();
            }
        }
    }

    private static boolean waitIn(ReentrantLock queue) {
        try {
            return queue.tryLock(TURN.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
