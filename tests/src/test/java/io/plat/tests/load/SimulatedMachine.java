package io.plat.tests.load;

import io.plat.tests.simulation.Costs;
import io.plat.tests.simulation.Fleet;
import io.plat.tests.simulation.Outcome;
import io.plat.tests.simulation.Scenario;
import java.time.Duration;
import java.util.function.Function;

/**
 * This machine in the simulator, with all processes on its cores. The measured costs of real processes include context switches; the
 * remaining costs are determined by simulation.
 *
 * @param connections connections of the clients
 * @param switching cost of a context switch, in microseconds
 */
record SimulatedMachine(int connections, double switching) {
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final double MAX_SWITCHING = 100;

    /** Simulated seconds, and those of the warm-up. */
    private static final double SIMULATED = 4;

    private static final double WARM_UP = 2;

    /** Number of iterations that adjust costs to simulation results. */
    private static final int ATTEMPTS = 8;

    private static final Duration HOUR = Duration.ofHours(1);

    /**
     * Requests to deciders with a cache, and changes of the policy.
     *
     * @param requests number of distinct requests
     * @param skew skew of their frequencies
     * @param changes policy changes per second
     * @param changing cost of a change for the source, in microseconds
     */
    record Cache(int requests, double skew, double changes, double changing) {
        private static final Cache OF_ONE_REQUEST = new Cache(1, 1, 0, 0);
    }

    /** Returns the machine on which several deciders reach this rate, given the cost of a single one. */
    static SimulatedMachine of(int connections, Steps one, int number, double perSecond) {
        return atRate(connections, perSecond, machine -> machine.deciding(number, machine.decision(one)));
    }

    /**
     * Returns the machine on which several caching deciders reach this rate, given the costs of a single one with and without policy
     * changes. Switching to a caching decider costs more than to a deciding one, as more of its data is not in a CPU cache.
     */
    static SimulatedMachine ofCaching(
            int connections, Cache cache, Steps unchanged, Steps one, int number, double perSecond) {
        return atRate(connections, perSecond, machine -> {
            Steps hit = machine.hit(unchanged);
            Steps miss = machine.miss(hit, one, cache);
            return machine.caching(number, cache, hit, miss);
        });
    }

    /** Compares rates instead of costs, as a core that waits for another process to wake up counts as idle. */
    private static SimulatedMachine atRate(
            int connections, double perSecond, Function<SimulatedMachine, Outcome> simulated) {
        double low = 0;
        double high = MAX_SWITCHING;
        while (high - low > MAX_SWITCHING / 200) {
            double middle = (low + high) / 2;
            if (simulated.apply(new SimulatedMachine(connections, middle)).perSecond() > perSecond) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return new SimulatedMachine(connections, (low + high) / 2);
    }

    /** Simulates deciders under load. */
    Outcome deciding(int number, Steps steps) {
        Costs costs = new Costs(0, 0, 0, steps.target(), 0, 0);
        Scenario scenario = scenario(connections, number, Cache.OF_ONE_REQUEST, Duration.ZERO, costs);
        return closed(scenario, true, steps.client());
    }

    /** Returns the steps of a decider, scaled to their known sum. */
    Steps decision(Steps real) {
        return steps(real, steps -> new Reached(perRequest(deciding(1, steps)), 1));
    }

    private static Steps perRequest(Outcome outcome) {
        double micros = 1e6 / outcome.perSecond();
        return new Steps(outcome.clientCores() * micros, outcome.deciderCores() * micros, 0);
    }

    /** Simulates caching deciders, with these costs of a hit and a miss. */
    Outcome caching(int number, Cache cache, Steps hit, Steps miss) {
        double half = miss.target() / 2;
        Costs costs = new Costs(hit.target(), half, half, miss.source(), cache.changing(), 0);
        return closed(scenario(number, 1, cache, HOUR, costs), false, miss.client());
    }

    /** Returns the cost of a cached request, by the measurements of a decider whose policy does not change. */
    Steps hit(Steps real) {
        return steps(real, each -> {
            Outcome outcome = caching(1, Cache.OF_ONE_REQUEST, each, each);
            return new Reached(perCachedRequest(outcome), 1);
        });
    }

    /** Returns the cost of a request that is not cached, by the measurements of a decider whose policy changes. */
    Steps miss(Steps hit, Steps real, Cache cache) {
        return steps(real, miss -> {
            Outcome outcome = caching(1, cache, hit, miss);
            return new Reached(perCachedRequest(outcome), 1 - outcome.hits());
        });
    }

    private static Steps perCachedRequest(Outcome outcome) {
        double micros = 1e6 / outcome.perSecond();
        return new Steps(
                outcome.clientCores() * micros, outcome.serverCores() * micros, outcome.deciderCores() * micros);
    }

    /**
     * Result of a simulation with given costs.
     *
     * @param steps total cost per request
     * @param part fraction of the requests with these costs
     */
    private record Reached(Steps steps, double part) {}

    private static Steps steps(Steps real, Function<Steps, Reached> simulated) {
        Steps steps = real;
        for (int i = 0; i < ATTEMPTS; i++) {
            Reached reached = simulated.apply(steps);
            steps = steps.towards(real, reached.steps(), reached.part());
        }
        return steps;
    }

    private Outcome closed(Scenario scenario, boolean oneServer, double client) {
        return Fleet.together(scenario, new Fleet.Machine(CORES, switching, oneServer), 1)
                .closed(connections, client, WARM_UP, SIMULATED);
    }

    private static Scenario scenario(int servers, int deciders, Cache cache, Duration ttl, Costs costs) {
        return new Scenario(
                servers,
                1,
                deciders,
                1,
                cache.requests(),
                cache.skew(),
                ttl,
                1,
                cache.changes(),
                Duration.ZERO,
                Duration.ofMillis(8),
                Scenario.Failures.NONE,
                costs);
    }
}
