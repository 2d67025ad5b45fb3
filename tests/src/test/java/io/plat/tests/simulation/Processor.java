package io.plat.tests.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cores of a machine and the processes that share them. A core executes one piece of work at a time. It continues with the same process
 * for a time slice, and then switches to the oldest waiting work. A context switch costs time, as the caches are cold. Data of a server
 * connection is read by one thread, so that a core may be idle while work waits for a thread on another core.
 */
final class Processor {
    /** Time slice of a process while others wait, like that of a kernel. */
    private static final long SLICE_NANOS = 3_000_000;

    /** Work without a thread of its own. */
    private static final int ANY = -1;

    private final Timeline time;
    private final long switchingNanos;
    private final List<Core> cores;
    private final Deque<Work> waiting = new ArrayDeque<>();

    /** State of a core. */
    private static final class Core {
        private @Nullable Work work;
        private @Nullable Share last;
        private long since;
    }

    /** A piece of work, compared by identity. */
    private static final class Work {
        private final Share share;
        private final int thread;
        private final long nanos;
        private final Runnable done;
        private final Runnable lost;

        private Work(Share share, int thread, long nanos, Runnable done, Runnable lost) {
            this.share = share;
            this.thread = thread;
            this.nanos = nanos;
            this.done = done;
            this.lost = lost;
        }

        boolean canBegin() {
            return thread == ANY || !share.busy[thread];
        }
    }

    /** Share of the cores of one process. */
    final class Share {
        private final boolean[] busy;
        private long busyNanos;

        private Share(int threads) {
            busy = new boolean[threads];
        }

        /**
         * Executes work on any thread.
         *
         * @param done continuation
         * @param lost alternative continuation if the process fails before
         */
        void run(long nanos, Runnable done, Runnable lost) {
            add(new Work(this, ANY, nanos, done, lost));
        }

        /** Executes work of a connection, on the thread that reads it. */
        void read(int connection, long nanos, Runnable done, Runnable lost) {
            add(new Work(this, busy.length == 0 ? ANY : connection % busy.length, nanos, done, lost));
        }

        private void add(Work work) {
            @Nullable Core core = work.canBegin() ? idle(this) : null;
            if (core == null) {
                waiting.add(work);
            } else {
                begin(core, work);
            }
        }

        /** Discards all started and waiting work. */
        void abort() {
            List<Core> running = cores.stream()
                    .filter(core -> core.work != null && core.work.share == this)
                    .toList();
            List<Work> all = Stream.concat(running.stream().map(core -> core.work), waiting.stream())
                    .filter(work -> work != null && work.share == this)
                    .toList();
            waiting.removeIf(work -> work.share == this);
            running.forEach(Processor::release);
            dispatchAll();
            all.forEach(work -> work.lost.run());
        }

        /** Returns the CPU time so far in nanoseconds, including context switches. */
        long busyNanos() {
            return busyNanos;
        }
    }

    /**
     * Creates an idle processor.
     *
     * @param switchingNanos cost of a context switch
     */
    Processor(Timeline time, int cores, long switchingNanos) {
        if (cores < 1) {
            throw new IllegalArgumentException("expected at least one core");
        }
        this.time = time;
        this.switchingNanos = switchingNanos;
        this.cores = Stream.generate(Core::new).limit(cores).toList();
    }

    /**
     * Adds a process.
     *
     * @param threads number of threads that read its connections; 0 for one per connection
     */
    Share share(int threads) {
        return new Share(threads);
    }

    /** Returns an idle core, preferably one that last worked for this share. */
    private @Nullable Core idle(Share share) {
        Core any = null;
        for (Core core : cores) {
            if (core.work == null) {
                if (core.last == share) {
                    return core;
                }
                any = core;
            }
        }
        return any;
    }

    private void begin(Core core, Work work) {
        boolean other = core.last != null && core.last != work.share;
        if (core.last != work.share) {
            core.last = work.share;
            core.since = time.now();
        }
        long nanos = work.nanos + (other ? switchingNanos : 0);
        core.work = work;
        if (work.thread != ANY) {
            work.share.busy[work.thread] = true;
        }
        time.after(nanos, () -> end(core, work, nanos));
    }

    private void end(Core core, Work work, long nanos) {
        if (core.work != work) {
            return;
        }
        work.share.busyNanos += nanos;
        // Subsequent work of the same process precedes all other work.
        work.done.run();
        if (core.work == work) {
            release(core);
            dispatch(core);
            dispatchAll();
        }
    }

    private static void release(Core core) {
        @Nullable Work work = core.work;
        core.work = null;
        if (work != null && work.thread != ANY) {
            work.share.busy[work.thread] = false;
        }
    }

    /** Resumes waiting work, possibly on another core. */
    private void dispatchAll() {
        for (Core core : cores) {
            if (waiting.isEmpty()) {
                return;
            }
            if (core.work == null) {
                dispatch(core);
            }
        }
    }

    private void dispatch(Core core) {
        @Nullable Work next = time.now() - core.since < SLICE_NANOS ? waiting(core.last) : null;
        if (next == null) {
            next = waiting(null);
        }
        if (next != null) {
            begin(core, next);
        }
    }

    /** Returns the oldest runnable work, of one process or of all. */
    private @Nullable Work waiting(@Nullable Share share) {
        for (Iterator<Work> iterator = waiting.iterator(); iterator.hasNext(); ) {
            Work work = iterator.next();
            if ((share == null || work.share == share) && work.canBegin()) {
                iterator.remove();
                return work;
            }
        }
        return null;
    }
}
