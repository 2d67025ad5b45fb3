package io.plat.engine.webhook;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Whether an address is asked. Its first failure takes it out; later and later one question at a time tries it again; once one was
 * answered it takes a growing part of the others. Safe for use by many threads.
 */
final class AddressHealth {
    private final Timing timing;
    private volatile State state = new In(0, Long.MIN_VALUE);

    /**
     * When.
     *
     * @param backoff the waits after one failure after another; beyond its number of attempts they grow no more
     * @param ramp how long an address that is back takes less than the others
     * @param nanos a clock that never goes back
     * @param random numbers from 0 to 1
     */
    record Timing(Backoff backoff, Duration ramp, LongSupplier nanos, DoubleSupplier random) {
        /** The usual waits: a quarter of a second at first, two seconds at most. */
        static Timing usual(LongSupplier nanos, DoubleSupplier random) {
            return new Timing(new Backoff(Duration.ofMillis(250), 2, 0.3, 4), Duration.ofSeconds(5), nanos, random);
        }
    }

    private sealed interface State {}

    /**
     * It is asked.
     *
     * @param failures in a row, before it was back
     * @param since when it was back; {@link Long#MIN_VALUE} where it never was out or takes its full part again
     */
    private record In(int failures, long since) implements State {}

    /**
     * It is not asked.
     *
     * @param failures in a row
     * @param until when it may be tried
     * @param tried whether a question is trying it
     */
    private record Out(int failures, long until, boolean tried) implements State {}

    AddressHealth(Timing timing) {
        this.timing = timing;
    }

    /** Whether it is asked as others are. */
    boolean isIn() {
        return state instanceof In;
    }

    /** What part it takes of what others take, above 0 and at most 1. */
    double part() {
        if (!(state instanceof In in) || in.since == Long.MIN_VALUE) {
            return 1;
        }
        double part = 0.1
                + 0.9 * (timing.nanos().getAsLong() - in.since) / timing.ramp().toNanos();
        return Math.clamp(part, 0.1, 1);
    }

    /** Whether the caller is the one to try it, while it is out. Who is told so has to say what came of it. */
    boolean tryIt() {
        if (state instanceof In) {
            return false;
        }
        synchronized (this) {
            if (!(state instanceof Out out) || out.tried || timing.nanos().getAsLong() - out.until < 0) {
                return false;
            }
            state = new Out(out.failures, out.until, true);
            return true;
        }
    }

    /** It answered. */
    void answered() {
        if (state instanceof In in && in.since == Long.MIN_VALUE) {
            return;
        }
        synchronized (this) {
            long now = timing.nanos().getAsLong();
            switch (state) {
                case Out out -> state = new In(out.failures, now);
                case In in -> {
                    if (in.since != Long.MIN_VALUE
                            && now - in.since >= timing.ramp().toNanos()) {
                        state = new In(0, Long.MIN_VALUE);
                    }
                }
            }
        }
    }

    /**
     * It failed.
     *
     * @param tried whether by the question that tried it; others, which were asked before it was out, say nothing new
     */
    synchronized void failed(boolean tried) {
        int failures = switch (state) {
            case In in -> in.failures + 1;
            case Out out -> tried ? out.failures + 1 : 0;
        };
        if (failures > 0) {
            int attempt = Math.min(failures, timing.backoff().attempts());
            Duration wait = timing.backoff().after(attempt, timing.random());
            state = new Out(failures, timing.nanos().getAsLong() + wait.toNanos(), false);
        }
    }

    /** What came of trying it is not known: somebody else may. */
    synchronized void leftOpen() {
        if (state instanceof Out out && out.tried) {
            state = new Out(out.failures, out.until, false);
        }
    }
}
