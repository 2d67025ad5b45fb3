package io.plat.apiserver.stored;

import io.plat.process.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.ToIntFunction;

/**
 * Writes of many objects that run concurrently, so that they share the disk's synchronizations. Bounded in number, and in the bytes of
 * the stored objects, each of which becomes a tree many times its size.
 */
public final class ConcurrentWrites {
    /** Maximum number of small objects at a time; a larger one counts for one more per {@link #UNIT}. */
    private static final int PERMITS = 64;

    private static final int UNIT = 1 << 16;

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
        var permits = new Semaphore(PERMITS);
        List<Future<?>> writes = new ArrayList<>();
        try (ExecutorService threads = Tasks.virtualThreads(name)) {
            for (T item : items) {
                int weight = Math.min(PERMITS, 1 + bytes.applyAsInt(item) / UNIT);
                permits.acquireUninterruptibly(weight);
                writes.add(threads.submit(() -> {
                    try {
                        write.run(item);
                        return true;
                    } finally {
                        permits.release(weight);
                    }
                }));
            }
        }
        return writes;
    }
}
