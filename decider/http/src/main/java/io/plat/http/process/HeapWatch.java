package io.plat.http.process;

import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Garbage collection of old objects before a heap is twice as large as needed. A serial collector would rather grow the heap, up to its maximum:
 * each closed connection leaves some 20 KB of old objects, and each replaced policy all of itself. Not thread-safe.
 */
final class HeapWatch {
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** Growth of a heap that is always allowed, in bytes: collecting a small one all the time would cost more than it saves. */
    private static final long GROWTH = 16L << 20;

    private final LongSupplier taken;
    private final LongSupplier used;
    private final Runnable collect;
    private long most;

    /**
     * Creates a watch.
     *
     * @param taken size of the heap in bytes
     * @param used bytes of the heap that are used, including garbage
     * @param collect collects all garbage, and returns free memory to the system
     */
    HeapWatch(LongSupplier taken, LongSupplier used, Runnable collect) {
        this.taken = taken;
        this.used = used;
        this.collect = collect;
        this.most = bound();
    }

    /** Watches this process's heap for as long as it runs. */
    static void start() {
        Runtime heap = Runtime.getRuntime();
        HeapWatch watch = new HeapWatch(heap::totalMemory, () -> heap.totalMemory() - heap.freeMemory(), System::gc);
        BackgroundLoop.virtual("heap-watch", () -> {
                    watch.look();
                    return EVERY;
                })
                .start();
    }

    private long bound() {
        return taken.getAsLong() + Math.max(GROWTH, used.getAsLong());
    }

    void look() {
        if (taken.getAsLong() > most) {
            collect.run();
            most = bound();
        }
    }
}
