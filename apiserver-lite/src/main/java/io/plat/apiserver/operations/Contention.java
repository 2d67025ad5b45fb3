package io.plat.apiserver.operations;

import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.review.status.StatusException;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets writers of one object take turns once they got in each other's way. A write that names no state is tried again when another
 * came first; if all of many tried again at once, all but one would fail again. Whoever failed once waits in a queue, so that each
 * round has few who try.
 */
final class Contention {
    /** How often a write is tried before its client is told of the conflict. */
    static final int TRIES = 100;

    private final Lock[] queues = new Lock[64];

    Contention() {
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new ReentrantLock(true);
        }
    }

    /** A try to write, empty if another write came first. */
    interface Attempt<T> {
        Optional<T> run() throws StatusException, StorageException;
    }

    /** What the first try that comes through yields; empty if none of {@link #TRIES} does. */
    <T> Optional<T> resolve(Key key, Attempt<T> attempt) throws StatusException, StorageException {
        Optional<T> first = attempt.run();
        if (first.isPresent()) {
            return first;
        }
        Lock queue = queues[Math.floorMod(key.hashCode(), queues.length)];
        queue.lock();
        try {
            for (int tries = 1; tries < TRIES; tries++) {
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
