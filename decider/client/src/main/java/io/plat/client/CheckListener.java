package io.plat.client;

import io.plat.client.remote.RoundTrips;

/** Listener for checks, for metrics. Called by the calling thread; must return at once. */
public interface CheckListener {
    /** Result of a check. */
    enum Result {
        ALLOWED,
        DENIED,
        UNDECIDED
    }

    /**
     * Handles the end of a check.
     *
     * @param cached whether the answer was cached
     * @param nanos its duration
     */
    default void checked(Result result, boolean cached, long nanos) {}

    /** Handles the end of a request to a decider; a check can need several. */
    default void requested(RoundTrips.Result result, long nanos) {}
}
