package io.plat.client.remote;

/** Listener for each round trip to a remote decider, for metrics. Called by the calling thread; must return at once. */
@FunctionalInterface
public interface RoundTrips {
    /** A listener that does nothing. */
    RoundTrips UNHEARD = (result, nanos) -> {};

    /** Result of a round trip, in Kubernetes' terms. */
    enum Result {
        /** With an answer. */
        SUCCESS,
        /** Without one. */
        ERROR,
        /** Without one in time. */
        TIMEOUT,
        /** The request was cancelled before the response. */
        CANCELED
    }

    void ended(Result result, long nanos);
}
