package io.plat.engine.webhook;

import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what takes too long, as the times of a connection's single reads add up to any time. Safe for use by many threads.
 *
 * <p>One thread looks through what is underway every few milliseconds and sleeps where nothing has been for a while. A timer for each would
 * have that thread woken by each, beside the thread that asks and at the cost of its time.
 */
final class Deadlines implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

    /** By how much an end may be late. */
    static final Duration STEP = Duration.ofMillis(10);

    /** So many steps with nothing underway, and the thread sleeps. */
    private static final int STEPS_WITHOUT = 100;

    private final Set<Deadline> underway = ConcurrentHashMap.newKeySet();
    private final BackgroundLoop clock;
    private volatile boolean asleep;
    private int without;

    Deadlines() {
        clock = BackgroundLoop.platform("webhook-deadlines", this::round);
        clock.start();
    }

    /** The end of something, which is over when this is closed. */
    final class Deadline implements AutoCloseable {
        private final long at;
        private final Runnable end;
        private volatile boolean passed;

        private Deadline(long at, Runnable end) {
            this.at = at;
            this.end = end;
        }

        /** Whether it was ended. */
        boolean passed() {
            return passed;
        }

        private void passIfLate(long now) {
            if (now - at >= 0 && underway.remove(this)) {
                passed = true;
                end();
            }
        }

        /** What can't be ended keeps none of the others from their end. */
        private void end() {
            try {
                end.run();
            } catch (RuntimeException e) {
                LOG.warn("what took too long could not be ended", e);
            }
        }

        @Override
        public void close() {
            underway.remove(this);
        }
    }

    /**
     * Has something end after a time, unless it is over by then.
     *
     * @param end must return at once
     */
    Deadline in(Duration time, Runnable end) {
        Deadline deadline = new Deadline(System.nanoTime() + time.toNanos(), end);
        underway.add(deadline);
        if (asleep) {
            clock.signal();
        }
        return deadline;
    }

    /** Whether the thread sleeps until there is something to end. */
    boolean isAsleep() {
        return asleep;
    }

    private Duration round() {
        asleep = false;
        if (underway.isEmpty()) {
            without++;
        } else {
            without = 0;
            long now = System.nanoTime();
            underway.forEach(deadline -> deadline.passIfLate(now));
        }
        if (without < STEPS_WITHOUT) {
            return STEP;
        }
        // Whoever comes before this is seen here, and whoever comes later sees this asleep.
        asleep = true;
        return underway.isEmpty() ? BackgroundLoop.UNTIL_SIGNAL : BackgroundLoop.NONE;
    }

    @Override
    public void close() {
        clock.finish();
    }
}
