package io.plat.http.process;

import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Trigger of garbage collections before a heap is twice as large as needed. The serial collector prefers to grow the heap up to its maximum, although
 * each closed connection leaves some 20 KB of old objects, and each replaced policy its whole size. Not thread-safe.
 */
final class HeapWatch {
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** Heap growth that never triggers a collection, in bytes, as collecting a small heap often would cost more than it saves. */
    private static final long GROWTH = 16L << 20;

    private final LongSupplier size;
    private final LongSupplier used;
    private final Runnable collect;
    private long threshold;

    /**
     * Creates a watch.
     *
     * @param size size of the heap in bytes
     * @param used used bytes of the heap, including garbage
     * @param collect collects all garbage, and returns free memory to the system
     */
    HeapWatch(LongSupplier size, LongSupplier used, Runnable collect) {
        this.size = size;
        this.used = used;
        this.collect = collect;
        this.threshold = bound();
    }

    /** Starts watching this process's heap. */
    static void start() {
        Runtime heap = Runtime.getRuntime();
        HeapWatch watch = new HeapWatch(heap::totalMemory, () -> heap.totalMemory() - heap.freeMemory(), System::gc);
        BackgroundLoop.virtual("heap-watch", () -> {
                    watch.check();
                    return EVERY;
                })
                .start();
    }

    private long bound() {
        return size.getAsLong() + Math.max(GROWTH, used.getAsLong());
    }

    void check() {
        if (size.getAsLong() > threshold) {
            collect.run();
            threshold = bound();
        }
    }
}
