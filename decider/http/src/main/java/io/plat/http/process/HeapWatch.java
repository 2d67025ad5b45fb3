package io.plat.http.process;

import io.plat.process.BackgroundLoop;
import java.time.Duration;

/**
 * Has the JVM collect what has grown old and died before a heap is twice what it needs. A serial collector would rather take memory, up to the
 * most that it may have: each connection that ends leaves some 20 KB behind that have grown old, and each policy that is replaced all of
 * itself. Of one thread.
 */
final class HeapWatch {
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** What a heap may grow by in any case, in bytes: to collect a small one all the time would cost more than it saves. */
    private static final long GROWTH = 16L << 20;

    private final Heap heap;
    private long most;

    /** What is watched. */
    interface Heap {
        /** Bytes that it has taken from the system. */
        long taken();

        /** Bytes that hold objects, be they dead. */
        long used();

        /** Collects all that is dead, and gives back what it has too much of. */
        void collect();
    }

    private static final class OfThisProcess implements Heap {
        private final Runtime runtime = Runtime.getRuntime();

        @Override
        public long taken() {
            return runtime.totalMemory();
        }

        @Override
        public long used() {
            return runtime.totalMemory() - runtime.freeMemory();
        }

        @Override
        public void collect() {
            System.gc();
        }
    }

    HeapWatch(Heap heap) {
        this.heap = heap;
        this.most = bound();
    }

    /** Watches this process's heap for as long as it runs. */
    static void start() {
        HeapWatch watch = new HeapWatch(new OfThisProcess());
        BackgroundLoop.virtual("heap-watch", () -> {
                    watch.look();
                    return EVERY;
                })
                .start();
    }

    private long bound() {
        return heap.taken() + Math.max(GROWTH, heap.used());
    }

    void look() {
        if (heap.taken() > most) {
            heap.collect();
            most = bound();
        }
    }
}
