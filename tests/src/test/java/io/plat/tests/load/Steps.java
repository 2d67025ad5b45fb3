package io.plat.tests.load;

/**
 * CPU cost of a request, in microseconds.
 *
 * @param client the client
 * @param target the decider under load
 * @param source the decider behind it; 0 if there is none
 */
record Steps(double client, double target, double source) {
    /** A client without any cost would send an infinite number of requests. */
    private static final double MIN_CLIENT = 0.1;

    /**
     * Returns these costs reduced by others, at least zero.
     *
     * @param part fraction of the requests with these costs, except for the client's, which apply to all
     */
    Steps towards(Steps desired, Steps reached, double part) {
        return new Steps(
                Math.max(MIN_CLIENT, client + desired.client - reached.client),
                Math.max(0, target + (desired.target - reached.target) / part),
                Math.max(0, source + (desired.source - reached.source) / part));
    }
}
