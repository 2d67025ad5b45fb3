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
 */
final class Processor {
    /** How long a process may go on while others wait; a kernel's slice of time. */
    private static final long SLICE_NANOS = 3_000_000;

    private final Timeline time;
    private final long switchingNanos;
    private final List<Core> cores;
    private final Deque<Work> waiting = new ArrayDeque<>();

    /** What a core does and has done. */
    private static final class Core {
        private @Nullable Work work;
        private @Nullable Share last;
        private long since;
    }

    /** A piece of work, compared by identity: two may be alike. */
    private static final class Work {
        private final Share share;
        private final long nanos;
        private final Runnable done;
        private final Runnable lost;

        private Work(Share share, long nanos, Runnable done, Runnable lost) {
            this.share = share;
            this.nanos = nanos;
            this.done = done;
            this.lost = lost;
        }
    }

    /** What one process has of the cores. */
    final class Share {
        private long busyNanos;

        private Share() {}

        /**
         * Does a piece of work once its turn has come.
         *
         * @param done what follows
         * @param lost what follows instead if the process goes down before
         */
        void run(long nanos, Runnable done, Runnable lost) {
            Work work = new Work(this, nanos, done, lost);
            @Nullable Core core = idle(this);
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
            for (Core core : running) {
                core.work = null;
                takeUp(core);
            }
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

    /** The share of one more process. */
    Share share() {
        return new Share();
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
            core.work = null;
            takeUp(core);
        }
    }

    private void takeUp(Core core) {
        @Nullable Work next = time.now() - core.since < SLICE_NANOS ? waitingFor(core.last) : null;
        if (next == null) {
            next = waiting.poll();
        }
        if (next != null) {
            begin(core, next);
        }
    }

    private @Nullable Work waitingFor(@Nullable Share share) {
        for (Iterator<Work> all = waiting.iterator(); all.hasNext(); ) {
            Work work = all.next();
            if (work.share == share) {
                all.remove();
                return work;
            }
        }
        return null;
    }
}
