package io.plat.tests.simulation;

/**
 * Results of a fleet.
 *
 * @param perSecond responses per second
 * @param hits hit ratio of the caches
 * @param decided decisions of deciders per second
 * @param deciderCores average number of cores used by deciders
 * @param serverCores average number of cores used by servers
 * @param clientCores average number of cores used by clients, if they are a process of their own or one with the servers
 * @param meanMicros mean latency
 * @param p50Micros median latency
 * @param p99Micros 99th percentile of the latency
 * @param staleMillis 99th percentile of the time from a change until a server is notified
 * @param failed requests without an available decider
 * @param retries retried requests
 */
public record Outcome(
        double perSecond,
        double hits,
        double decided,
        double deciderCores,
        double serverCores,
        double clientCores,
        double meanMicros,
        double p50Micros,
        double p99Micros,
        double staleMillis,
        long failed,
        long retries) {}
