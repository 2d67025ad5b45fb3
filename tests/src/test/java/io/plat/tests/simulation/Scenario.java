package io.plat.tests.simulation;

import java.time.Duration;

/**
 * A fleet and its workload.
 *
 * @param servers number of servers
 * @param serverCores cores of each
 * @param deciders number of deciders
 * @param deciderCores cores of each
 * @param requests distinct requests of one server
 * @param skew exponent of Zipf's law for their frequencies; 0 for uniform ones
 * @param ttl lifetime of cached decisions; zero disables the cache
 * @param parts number of partitions of the policy, each with its own revisions; a change evicts the decisions of its partition
 * @param changes policy changes per second
 * @param network latency of a message between machines
 * @param reloadDelay mean delay until a decider applies a change; each delay is at least half of it
 * @param failures failures of deciders
 * @param costs cost of each step
 */
public record Scenario(
        int servers,
        int serverCores,
        int deciders,
        int deciderCores,
        int requests,
        double skew,
        Duration ttl,
        int parts,
        double changes,
        Duration network,
        Duration reloadDelay,
        Failures failures,
        Costs costs) {

    /**
     * Failures of deciders.
     *
     * @param interval mean time between failures; zero for none
     * @param duration mean time to recovery
     * @param detection time until a server detects a lost request
     */
    public record Failures(Duration interval, Duration duration, Duration detection) {
        /** No failures. */
        public static final Failures NONE = new Failures(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /** Returns a copy with other deciders and changes. */
    public Scenario with(int otherDeciders, int otherParts, double otherChanges) {
        return new Scenario(
                servers,
                serverCores,
                otherDeciders,
                deciderCores,
                requests,
                skew,
                ttl,
                otherParts,
                otherChanges,
                network,
                reloadDelay,
                failures,
                costs);
    }

    /** Returns a copy with failing deciders. */
    public Scenario with(Failures other) {
        return new Scenario(
                servers,
                serverCores,
                deciders,
                deciderCores,
                requests,
                skew,
                ttl,
                parts,
                changes,
                network,
                reloadDelay,
                other,
                costs);
    }
}
