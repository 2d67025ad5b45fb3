package io.plat.tests.simulation;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;

/** The cores of a machine: each does one piece of work at a time, the rest waits in its order. */
final class Processor {
    private final Timeline time;
    private final int cores;
    private final Queue<Work> waiting = new ArrayDeque<>();
    private final Set<Work> running = new LinkedHashSet<>();
    private long busyNanos;

    /** A piece of work, compared by identity: two may be alike. */
    private static final class Work {
        private final long nanos;
        private final Runnable done;
        private final Runnable lost;

        private Work(long nanos, Runnable done, Runnable lost) {
            this.nanos = nanos;
            this.done = done;
            this.lost = lost;
        }
    }

    Processor(Timeline time, int cores) {
        if (cores < 1) {
            throw new IllegalArgumentException("a processor has a core at least");
        }
        this.time = time;
        this.cores = cores;
    }

    /**
     * Does a piece of work once its turn has come.
     *
     * @param done what follows
     * @param lost what follows instead if the machine goes down before
     */
    void run(long nanos, Runnable done, Runnable lost) {
        Work work = new Work(nanos, done, lost);
        if (running.size() < cores) {
            begin(work);
        } else {
            waiting.add(work);
        }
    }

    private void begin(Work work) {
        running.add(work);
        time.after(work.nanos, () -> end(work));
    }

    private void end(Work work) {
        if (!running.remove(work)) {
            return;
        }
        busyNanos += work.nanos;
        Work next = waiting.poll();
        if (next != null) {
            begin(next);
        }
        work.done.run();
    }

    /** Loses everything that it has begun or was to do. */
    void lose() {
        List<Work> all = Stream.concat(running.stream(), waiting.stream()).toList();
        running.clear();
        waiting.clear();
        all.forEach(work -> work.lost.run());
    }

    /** The time that its cores have worked so far, in nanoseconds. */
    long busyNanos() {
        return busyNanos;
    }
}
