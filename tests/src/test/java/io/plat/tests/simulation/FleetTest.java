package io.plat.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The simulator in cases with known results: queues and caches with formulas, and fleets that must not lose requests. */
final class FleetTest {
    private static final Costs COSTS = new Costs(30, 60, 40, 20, 500, 10);

    private static Scenario scenario(int servers, int deciders, int requests, Duration ttl, double changes) {
        return new Scenario(
                servers,
                64,
                deciders,
                1,
                requests,
                0,
                ttl,
                1,
                changes,
                Duration.ofNanos(50_000),
                Duration.ofMillis(1),
                Scenario.Failures.NONE,
                COSTS);
    }

    /** In an M/M/1 queue, work takes 1 / (1 - load) times its service time. */
    @ParameterizedTest
    @CsvSource({"10000,0.2", "25000,0.5", "40000,0.8"})
    void queueingDelayMatchesTheFormula(double perSecond, double load) {
        Outcome outcome = Fleet.apart(scenario(1, 1, 1, Duration.ZERO, 0), 1).open(perSecond, 1, 8);
        double requested = COSTS.forwarding() + COSTS.receiving() + 2 * 50;
        assertThat(outcome.perSecond()).isCloseTo(perSecond, withPercentage(2));
        assertThat(outcome.deciderCores()).isCloseTo(load, withPercentage(2));
        assertThat(outcome.meanMicros()).isCloseTo(requested + COSTS.deciding() / (1 - load), withPercentage(3));
    }

    /** With a TTL of T that a hit does not extend, rate * T of rate * T + 1 requests are hits. */
    @ParameterizedTest
    @CsvSource({"100,0.1", "100,1", "1000,0.5"})
    void hitRatioMatchesTheFormula(int requests, double seconds) {
        double perSecond = 2000;
        long millis = (long) (seconds * 1000);
        Outcome outcome = Fleet.apart(scenario(1, 1, requests, Duration.ofMillis(millis), 0), 2)
                .open(perSecond, 5, 30);
        double each = perSecond / requests * seconds;
        assertThat(outcome.hits()).isCloseTo(each / (each + 1), within(0.01));
        assertThat(outcome.decided()).isCloseTo(perSecond * (1 - outcome.hits()), withPercentage(1));
    }

    /** If random changes of rate c clear the cache, r of r + c requests of rate r are hits. */
    @ParameterizedTest
    @CsvSource({"100,1", "100,10", "1000,5"})
    void changesEvictCachedAnswers(int requests, double changes) {
        double perSecond = 2000;
        Outcome outcome = Fleet.apart(scenario(1, 1, requests, Duration.ofHours(1), changes), 3)
                .open(perSecond, 5, 120);
        double each = perSecond / requests;
        assertThat(outcome.hits()).isCloseTo(each / (each + changes), within(0.02));
    }

    /** With a partitioned policy, each change evicts only a part of the cache. */
    @Test
    void partitioningRaisesTheHitRatio() {
        Scenario whole = scenario(4, 2, 500, Duration.ofHours(1), 20);
        Outcome one = Fleet.apart(whole, 4).open(4000, 5, 10);
        Outcome parts = Fleet.apart(whole.with(2, 50, 20), 4).open(4000, 5, 10);
        assertThat(parts.hits()).isGreaterThan(one.hits() + 0.3);
        assertThat(parts.decided()).isLessThan(one.decided() / 2);
    }

    /** No request is lost while at least one decider runs. */
    @Test
    void lostRequestsAreRetried() {
        Scenario.Failures failures =
                new Scenario.Failures(Duration.ofSeconds(2), Duration.ofMillis(100), Duration.ofMillis(1));
        Outcome outcome = Fleet.apart(scenario(10, 8, 500, Duration.ZERO, 5).with(failures), 5)
                .open(40_000, 1, 6);
        assertThat(outcome.retries()).isPositive();
        assertThat(outcome.failed()).isZero();
        assertThat(outcome.perSecond()).isCloseTo(40_000, withPercentage(2));
    }

    @Test
    void requestsFailWithoutDeciders() {
        Scenario.Failures failures =
                new Scenario.Failures(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(1));
        Outcome outcome = Fleet.apart(scenario(2, 1, 50, Duration.ZERO, 0).with(failures), 6)
                .open(1000, 1, 60);
        assertThat(outcome.failed() / 60.0).isCloseTo(500, withPercentage(25));
    }

    /** A closed workload keeps all cores busy, and no more. */
    @Test
    void sharedMachineIsAlwaysBusy() {
        Outcome outcome = Fleet.together(scenario(1, 2, 1, Duration.ZERO, 0), new Fleet.Machine(2, 0, false), 7)
                .closed(32, 80, 1, 4);
        double each = 80 + COSTS.forwarding() + COSTS.receiving() + COSTS.deciding();
        assertThat(outcome.perSecond()).isCloseTo(2e6 / each, withPercentage(2));
    }

    /** One core alternates between client, server and decider; if client and server are one process it switches half as often. */
    @ParameterizedTest
    @CsvSource({"false,4", "true,2"})
    void contextSwitchesCostTime(boolean oneServer, int times) {
        double switching = 100;
        Outcome outcome = Fleet.together(
                        scenario(1, 1, 1, Duration.ZERO, 0), new Fleet.Machine(1, switching, oneServer), 7)
                .closed(1, 80, 1, 8);
        double each = 80 + COSTS.forwarding() + COSTS.receiving() + COSTS.deciding() + 2 * 50;
        assertThat(outcome.perSecond()).isCloseTo(1e6 / (each + times * switching), withPercentage(2));
        assertThat(outcome.deciderCores())
                .isCloseTo((COSTS.deciding() + switching) * outcome.perSecond() / 1e6, withPercentage(2));
    }

    @Test
    void simulationIsDeterministic() {
        Scenario scenario = scenario(3, 2, 100, Duration.ofSeconds(1), 3);
        assertThat(Fleet.apart(scenario, 8).open(3000, 1, 5))
                .isEqualTo(Fleet.apart(scenario, 8).open(3000, 1, 5))
                .isNotEqualTo(Fleet.apart(scenario, 9).open(3000, 1, 5));
    }
}
