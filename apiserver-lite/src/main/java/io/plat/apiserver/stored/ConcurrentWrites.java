package io.plat.apiserver.stored;

import io.plat.apiserver.memory.RequestMemory;
import io.plat.process.Tasks;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.ToIntFunction;

/**
 * Writes of many objects that run concurrently, so that they share disk syncs. Those of large objects run on the calling thread, one after
 * the other: each becomes a tree many times its size, and computing on virtual threads would hold up all others.
 */
public final class ConcurrentWrites {
    private static final int MAX_CONCURRENT = 64;

    public interface Write<T> {
        void run(T item) throws Exception;
    }

    /** Failed write of an item. */
    public record Failure<T>(T item, Throwable cause) {
        /** Returns the rejection of the write. */
        public StatusException refusal() {
            if (cause instanceof StatusException refused) {
                return refused;
            }
            throw new IllegalStateException("a write failed", cause);
        }
    }

    private ConcurrentWrites() {}

    /**
     * Runs all writes and waits for them.
     *
     * @param bytes the size of an item's stored object
     * @return the failures, in the order of the items
     */
    public static <T> List<Failure<T>> run(String name, List<T> items, ToIntFunction<T> bytes, Write<T> write) {
        var permits = new Semaphore(MAX_CONCURRENT);
        List<Future<?>> writes = new ArrayList<>(items.size());
        try (ExecutorService threads = Tasks.virtualThreads(name)) {
            for (T item : items) {
                var task = new FutureTask<Boolean>(() -> {
                    write.run(item);
                    return true;
                });
                writes.add(task);
                if (bytes.applyAsInt(item) >= RequestMemory.LARGE) {
                    task.run();
                } else {
                    permits.acquireUninterruptibly();
                    threads.execute(() -> {
                        task.run();
                        permits.release();
                    });
                }
            }
        }
        List<Failure<T>> failures = new ArrayList<>();
        for (int i = 0; i < writes.size(); i++) {
            if (writes.get(i).state() == Future.State.FAILED) {
                failures.add(new Failure<>(items.get(i), writes.get(i).exceptionNow()));
            }
        }
        return failures;
    }
}
