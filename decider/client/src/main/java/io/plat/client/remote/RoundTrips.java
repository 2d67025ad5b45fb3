package io.plat.client.remote;

/** Listener for each round trip to a remote decider, for metrics. Called by the calling thread; must return at once. */
@FunctionalInterface
public interface RoundTrips {
    /** A listener that does nothing. */
    RoundTrips NONE = (result, nanos) -> {};

    /** Result of a round trip, in Kubernetes' terms. */
    enum Result {
        /** A response was received. */
        SUCCESS,
        /** There was no response. */
        ERROR,
        /** There was no response in time. */
        TIMEOUT,
        /** The request was cancelled before the response. */
        CANCELED
    }

    /** Handles the end of a round trip after a time in nanoseconds. */
    void ended(Result result, long nanos);
}
