package io.plat.apiserver.operations;

import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.review.status.StatusException;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Serializes writers of one object after a conflict. Unconditional writes are retried after a conflict; if many were retried at once, all
 * but one would fail again. Therefore a writer that failed once waits in a queue, so that few compete at a time.
 */
final class Contention {
    /** Maximum number of attempts before the client receives a conflict. */
    static final int MAX_ATTEMPTS = 100;

    private final Lock[] queues = new Lock[64];

    Contention() {
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new ReentrantLock(true);
        }
    }

    /** Write attempt, empty after a conflict. */
    interface Attempt<T> {
        Optional<T> run() throws StatusException, StorageException;
    }

    /** Returns the result of the first successful attempt; empty if all {@link #MAX_ATTEMPTS} fail. */
    <T> Optional<T> resolve(Key key, Attempt<T> attempt) throws StatusException, StorageException {
        Optional<T> first = attempt.run();
        if (first.isPresent()) {
            return first;
        }
        Lock queue = queues[Math.floorMod(key.hashCode(), queues.length)];
        queue.lock();
        try {
            for (int i = 1; i < MAX_ATTEMPTS; i++) {
                Optional<T> next = attempt.run();
                if (next.isPresent()) {
                    return next;
                }
            }
            return Optional.empty();
        } finally {
            queue.unlock();
        }
    }
}
