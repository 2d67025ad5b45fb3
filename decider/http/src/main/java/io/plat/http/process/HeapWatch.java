package io.plat.http.process;

import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Has the JVM collect what has grown old and died before a heap is twice what it needs. A serial collector would rather take memory, up to the
 * most that it may have: each connection that ends leaves some 20 KB behind that have grown old, and each policy that is replaced all of
 * itself. Of one thread.
 */
final class HeapWatch {
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** What a heap may grow by in any case, in bytes: to collect a small one all the time would cost more than it saves. */
    private static final long GROWTH = 16L << 20;

    private final LongSupplier taken;
    private final LongSupplier used;
    private final Runnable collect;
    private long most;

    /**
     * A watch.
     *
     * @param taken bytes that the heap has taken from the system
     * @param used bytes that hold objects, be they dead
     * @param collect collects all that is dead, and gives back what the heap has too much of
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
