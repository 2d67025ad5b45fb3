package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.StorageException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** An in-memory log that counts, can block, and fails on request. */
final class CountingLog implements ChangeLog {
    private final CountDownLatch entered = new CountDownLatch(1);
    private int writes;
    private boolean held;
    private @Nullable StorageException failure;

    @Override
    public void read(LongFunction<Reader> begin) {
        var _ = begin.apply(0);
    }

    @Override
    public synchronized void write(List<Change> changes, long floor, List<Long> obsolete) throws StorageException {
        entered.countDown();
        while (held) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        if (failure != null) {
            throw failure;
        }
        writes++;
    }

    /** Blocks writes until it is released or closed, so that a failed test does not hang. */
    interface Hold extends AutoCloseable {
        void release();

        @Override
        default void close() {
            release();
        }
    }

    synchronized Hold hold() {
        held = true;
        return this::release;
    }

    synchronized void release() {
        held = false;
        notifyAll();
    }

    synchronized void failWith(@Nullable StorageException next) {
        failure = next;
    }

    /** Waits until a write has started. */
    void awaitWrite() {
        try {
            entered.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized int writes() {
        return writes;
    }

    @Override
    public void close() {}
}
