package io.plat.tests.simulation;

/**
 * Results of a fleet.
 *
 * @param perSecond requests that were answered, a second
 * @param hits the part of them that was answered from memory
 * @param decided questions that deciders answered, a second
 * @param deciderCores cores that all deciders kept busy, on average
 * @param serverCores cores that all servers kept busy, on average
 * @param clientCores cores that whoever asks the servers kept busy, on average, where that is a process of its own or one with the servers
 * @param meanMicros of an answer
 * @param p50Micros of an answer
 * @param p99Micros of an answer
 * @param staleMillis from a change to the last server that heard of it, of 99 in 100 servers and changes
 * @param failed requests that no decider could be found for
 * @param again questions that were asked again, as they were lost
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
        long again) {}
