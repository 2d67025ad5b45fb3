package io.plat.client.remote;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Enforcement of deadlines, as the read timeouts of a connection may add up to any duration. Thread-safe.
 *
 * <p>One thread checks the calls in progress every few milliseconds, and sleeps after some time without any. A timer for each call would wake that
 * thread each time, at the expense of the calling thread.
 */
final class Deadlines implements AutoCloseable {
    /** Interval of checks, and thereby the maximum delay of an abort. */
    static final Duration STEP = Duration.ofMillis(10);

    /** Number of checks without calls in progress before the thread sleeps. */
    private static final int STEPS_WITHOUT = 100;

    private final Set<Deadline> inProgress = ConcurrentHashMap.newKeySet();
    private final HostProgram program;
    private final HostProgram.Loop clock;
    private volatile boolean asleep;
    private int without;

    Deadlines(HostProgram program) {
        this.program = program;
        clock = program.loop("webhook-deadlines", false, this::round);
        clock.start();
    }

    /** Deadline of a call, which ends when this is closed. */
    final class Deadline implements AutoCloseable {
        private final long at;
        private final Runnable end;
        private volatile boolean passed;

        private Deadline(long at, Runnable end) {
            this.at = at;
            this.end = end;
        }

        /** Returns whether it was aborted. */
        boolean passed() {
            return passed;
        }

        private void passIfLate(long now) {
            if (now - at >= 0 && inProgress.remove(this)) {
                passed = true;
                end();
            }
        }

        /** Aborts the call. A failure does not prevent aborting others. */
        private void end() {
            try {
                end.run();
            } catch (RuntimeException e) {
                program.log(System.Logger.Level.WARNING, "an overdue call could not be aborted: " + e);
            }
        }

        @Override
        public void close() {
            inProgress.remove(this);
        }
    }

    /**
     * Schedules the abort of a call, unless the deadline is closed by then.
     *
     * @param end aborts the call; must return at once
     */
    Deadline in(Duration time, Runnable end) {
        Deadline deadline = new Deadline(System.nanoTime() + time.toNanos(), end);
        inProgress.add(deadline);
        if (asleep) {
            clock.signal();
        }
        return deadline;
    }

    private Duration round() {
        asleep = false;
        if (inProgress.isEmpty()) {
            without++;
        } else {
            without = 0;
            long now = System.nanoTime();
            inProgress.forEach(deadline -> deadline.passIfLate(now));
        }
        if (without < STEPS_WITHOUT) {
            return STEP;
        }
        // A call added before this point is seen here; a later one sees that this thread sleeps.
        asleep = true;
        return inProgress.isEmpty() ? HostProgram.UNTIL_SIGNAL : Duration.ZERO;
    }

    @Override
    public void close() {
        clock.finish();
    }
}
