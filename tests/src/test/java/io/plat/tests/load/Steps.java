package io.plat.tests.load;

/**
 * Cost of a request, in microseconds of a core.
 *
 * @param client whoever sends it
 * @param asked the decider that is asked
 * @param source the decider that that one asks; 0 where it asks nobody
 */
record Steps(double client, double asked, double source) {
    /** A client that does nothing would send without end. */
    private static final double LEAST = 0.1;

    /**
     * The same by what these costs fall short of others; none is less than nothing.
     *
     * @param part of the requests that it is which have these costs, but for the client's, which all have
     */
    Steps towards(Steps wanted, Steps reached, double part) {
        return new Steps(
                Math.max(LEAST, client + wanted.client - reached.client),
                Math.max(0, asked + (wanted.asked - reached.asked) / part),
                Math.max(0, source + (wanted.source - reached.source) / part));
    }
}
