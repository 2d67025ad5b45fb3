package io.plat.client.remote;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Health of an address. Its first failure or a series of refusals ejects it; a request probes it from time to time; after a success it receives a
 * growing share of the requests. Thread-safe.
 */
final class AddressHealth {
    /** Number of consecutive refusals that eject the address. Fewer may be due to the requests. */
    static final int MAX_REFUSALS = 5;

    private final Timing timing;
    private volatile State state = new Available(0, Long.MIN_VALUE);
    private volatile int refusals;

    /**
     * Durations of health.
     *
     * @param backoff delays after consecutive failures; they stop growing after its number of attempts
     * @param ramp time for which a recovered address receives a smaller share
     * @param nanos a monotonic clock
     * @param random supplies numbers from 0 to 1
     */
    record Timing(Backoff backoff, Duration ramp, LongSupplier nanos, DoubleSupplier random) {
        /** Returns the default timing: delays from a quarter of a second to two seconds. */
        static Timing usual(LongSupplier nanos, DoubleSupplier random) {
            return new Timing(new Backoff(Duration.ofMillis(250), 2, 0.3, 4), Duration.ofSeconds(5), nanos, random);
        }
    }

    private sealed interface State {}

    /**
     * In use.
     *
     * @param failures consecutive failures before it recovered
     * @param since time of its recovery; {@link Long#MIN_VALUE} if it never failed or has its full share again
     */
    private record Available(int failures, long since) implements State {}

    /**
     * Out of use.
     *
     * @param failures consecutive failures
     * @param until time from which it may be probed
     * @param probing whether a probe is in progress
     */
    private record Ejected(int failures, long until, boolean probing) implements State {}

    AddressHealth(Timing timing) {
        this.timing = timing;
    }

    /** Returns whether the address is in use. */
    boolean isAvailable() {
        return state instanceof Available;
    }

    /** Returns the share of the address relative to others, above 0 and at most 1. */
    double share() {
        if (!(state instanceof Available in) || in.since == Long.MIN_VALUE) {
            return 1;
        }
        double share = 0.1
                + 0.9 * (timing.nanos().getAsLong() - in.since) / timing.ramp().toNanos();
        return Math.max(0.1, Math.min(share, 1));
    }

    /** Returns whether the caller must probe the ejected address; it then has to report the outcome. */
    boolean beginProbe() {
        if (state instanceof Available) {
            return false;
        }
        synchronized (this) {
            if (!(state instanceof Ejected out) || out.probing || timing.nanos().getAsLong() - out.until < 0) {
                return false;
            }
            state = new Ejected(out.failures, out.until, true);
            return true;
        }
    }

    /** Records a decision. */
    void answered() {
        if (refusals != 0) {
            refusals = 0;
        }
        if (state instanceof Available in && in.since == Long.MIN_VALUE) {
            return;
        }
        synchronized (this) {
            long now = timing.nanos().getAsLong();
            if (state instanceof Ejected out) {
                state = new Available(out.failures, now);
            } else if (state instanceof Available in
                    && in.since != Long.MIN_VALUE
                    && now - in.since >= timing.ramp().toNanos()) {
                state = new Available(0, Long.MIN_VALUE);
            }
        }
    }

    /**
     * Records a response that is not a decision. Refusals do not eject the only available address: a client that provokes them would stop all requests.
     *
     * @param probing whether it was the response to a probe
     * @param isReplaceable whether another address is available
     */
    synchronized void refused(boolean probing, boolean isReplaceable) {
        refusals++;
        if (isReplaceable && (probing || refusals >= MAX_REFUSALS)) {
            failed(probing);
        } else if (state instanceof Ejected out && probing) {
            state = new Available(out.failures, timing.nanos().getAsLong());
        }
    }

    /**
     * Records a failure.
     *
     * @param probing whether it was a probe; the failures of other requests, which began before the ejection, add no information
     */
    synchronized void failed(boolean probing) {
        int failures = 0;
        if (state instanceof Available in) {
            failures = in.failures + 1;
        } else if (state instanceof Ejected out && probing) {
            failures = out.failures + 1;
        }
        if (failures > 0) {
            int attempt = Math.min(failures, timing.backoff().attempts());
            Duration wait = timing.backoff().after(attempt, timing.random());
            state = new Ejected(failures, timing.nanos().getAsLong() + wait.toNanos(), false);
        }
    }

    /** Records that the outcome of a probe is unknown: another request may probe. */
    synchronized void abandonProbe() {
        if (state instanceof Ejected out && out.probing) {
            state = new Ejected(out.failures, out.until, false);
        }
    }
}
