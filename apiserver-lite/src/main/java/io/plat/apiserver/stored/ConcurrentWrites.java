package io.plat.apiserver.stored;

import io.plat.apiserver.memory.RequestMemory;
import io.plat.process.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.ToIntFunction;

/**
 * Writes of many objects that run concurrently, so that they share the disk's synchronizations. Those of large objects run on the calling
 * thread, one after the other: each becomes a tree many times its size, and computing on virtual threads would hold up all others.
 */
public final class ConcurrentWrites {
    private static final int MAX_CONCURRENT = 64;

    /** Write of one item. */
    public interface Write<T> {
        void run(T item) throws Exception;
    }

    private ConcurrentWrites() {}

    /**
     * Runs all writes and waits for them.
     *
     * @param name of the threads
     * @param bytes the size of an item's stored object
     * @return the completed writes, in the order of the items
     */
    public static <T> List<Future<?>> run(String name, List<T> items, ToIntFunction<T> bytes, Write<T> write) {
        var permits = new Semaphore(MAX_CONCURRENT);
        List<Future<?>> writes = new ArrayList<>();
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
        return writes;
    }
}
