package io.plat.engine.webhook;

/** Hears of each round trip to a remote decider, as metrics do. Called by the thread that asked; must return at once. */
@FunctionalInterface
public interface RoundTrips {
    /** Nobody listens. */
    RoundTrips UNHEARD = (result, nanos) -> {};

    /** How a round trip ended, in the words of existing servers. */
    enum Result {
        /** With an answer. */
        SUCCESS,
        /** Without one. */
        ERROR,
        /** Without one in time. */
        TIMEOUT,
        /** Nobody waited for the answer any more. */
        CANCELED
    }

    /** One ended. */
    void ended(Result result, long nanos);
}
