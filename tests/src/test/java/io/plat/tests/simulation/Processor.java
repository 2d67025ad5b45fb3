package io.plat.tests.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cores of a machine and the processes that share them. A core does one piece of work at a time; it goes on with what its process has to
 * do, for a while, and then takes up what has waited longest. To take up another process costs it time: what that one had in caches is gone.
 * What comes by one connection of a server is read by one of its threads, so that a core may have nothing to do while work waits for the
 * thread that another core is at.
 */
final class Processor {
    /** Time slice of a process while others wait, like that of a kernel. */
    private static final long SLICE_NANOS = 3_000_000;

    /** Work that no thread has to itself. */
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

    /** A piece of work, compared by identity: two may be alike. */
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
         * Does a piece of work once its turn has come, on any thread.
         *
         * @param done what follows
         * @param lost what follows instead if the process goes down before
         */
        void run(long nanos, Runnable done, Runnable lost) {
            add(new Work(this, ANY, nanos, done, lost));
        }

        /** The same for what comes by a connection, on the thread that reads it. */
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

        /** Loses everything that it has begun or was to do. */
        void lose() {
            List<Core> running = cores.stream()
                    .filter(core -> core.work != null && core.work.share == this)
                    .toList();
            List<Work> all = Stream.concat(running.stream().map(core -> core.work), waiting.stream())
                    .filter(work -> work != null && work.share == this)
                    .toList();
            waiting.removeIf(work -> work.share == this);
            running.forEach(Processor::leave);
            takeUpAll();
            all.forEach(work -> work.lost.run());
        }

        /** The time that cores have worked for it so far, in nanoseconds; what it cost to take it up included. */
        long busyNanos() {
            return busyNanos;
        }
    }

    /**
     * A processor with nothing to do.
     *
     * @param switchingNanos what it costs a core to take up another process
     */
    Processor(Timeline time, int cores, long switchingNanos) {
        if (cores < 1) {
            throw new IllegalArgumentException("a processor has a core at least");
        }
        this.time = time;
        this.switchingNanos = switchingNanos;
        this.cores = Stream.generate(Core::new).limit(cores).toList();
    }

    /**
     * The share of one more process.
     *
     * @param threads how many read its connections; 0 for as many as there are connections
     */
    Share share(int threads) {
        return new Share(threads);
    }

    /** A core that has nothing to do, best of all one that last worked for this share. */
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
        // What follows from it in the same process is done before anything else is taken up.
        work.done.run();
        if (core.work == work) {
            leave(core);
            takeUp(core);
            takeUpAll();
        }
    }

    private static void leave(Core core) {
        @Nullable Work work = core.work;
        core.work = null;
        if (work != null && work.thread != ANY) {
            work.share.busy[work.thread] = false;
        }
    }

    /** Resumes waiting work, possibly on another core. */
    private void takeUpAll() {
        for (Core core : cores) {
            if (waiting.isEmpty()) {
                return;
            }
            if (core.work == null) {
                takeUp(core);
            }
        }
    }

    private void takeUp(Core core) {
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
        for (Iterator<Work> all = waiting.iterator(); all.hasNext(); ) {
            Work work = all.next();
            if ((share == null || work.share == share) && work.canBegin()) {
                all.remove();
                return work;
            }
        }
        return null;
    }
}
