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
    private static final double MOST_SWITCHING = 100;

    /** Simulated seconds, and those of the warm-up. */
    private static final double SIMULATED = 4;

    private static final double WARMING = 2;

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
    record Memory(int requests, double skew, double changes, double changing) {
        private static final Memory OF_ONE_QUESTION = new Memory(1, 1, 0, 0);
    }

    /** Returns the machine on which several deciders reach this rate, given the cost of a single one. */
    static SimulatedMachine of(int connections, Steps one, int number, double perSecond) {
        return answering(connections, perSecond, machine -> machine.asked(number, machine.asked(one)));
    }

    /**
     * Returns the machine on which several caching deciders reach this rate, given the costs of a single one with and without policy
     * changes. Switching to a caching decider costs more than to a deciding one, as more of its data is not in a CPU cache.
     */
    static SimulatedMachine ofRemembering(
            int connections, Memory memory, Steps unchanged, Steps one, int number, double perSecond) {
        return answering(connections, perSecond, machine -> {
            Steps hit = machine.remembered(unchanged);
            Steps miss = machine.forgotten(hit, one, memory);
            return machine.remembering(number, memory, hit, miss);
        });
    }

    /** By the rate instead of the cost, as a core that waits for another process to wake up counts as idle. */
    private static SimulatedMachine answering(
            int connections, double perSecond, Function<SimulatedMachine, Outcome> simulated) {
        double least = 0;
        double most = MOST_SWITCHING;
        while (most - least > MOST_SWITCHING / 200) {
            double middle = (least + most) / 2;
            if (simulated.apply(new SimulatedMachine(connections, middle)).perSecond() > perSecond) {
                least = middle;
            } else {
                most = middle;
            }
        }
        return new SimulatedMachine(connections, (least + most) / 2);
    }

    /** Simulates deciders under load. */
    Outcome asked(int number, Steps steps) {
        Costs costs = new Costs(0, 0, 0, steps.asked(), 0, 0);
        Scenario scenario = scenario(connections, number, Memory.OF_ONE_QUESTION, Duration.ZERO, costs);
        return closed(scenario, true, steps.client());
    }

    /** Returns the steps of a decider, scaled to their known sum. */
    Steps asked(Steps real) {
        return steps(real, steps -> new Reached(ofAsked(asked(1, steps)), 1));
    }

    private static Steps ofAsked(Outcome told) {
        double micros = 1e6 / told.perSecond();
        return new Steps(told.clientCores() * micros, told.deciderCores() * micros, 0);
    }

    /** Simulates caching deciders, with these costs of a hit and a miss. */
    Outcome remembering(int number, Memory memory, Steps hit, Steps miss) {
        double half = miss.asked() / 2;
        Costs costs = new Costs(hit.asked(), half, half, miss.source(), memory.changing(), 0);
        return closed(scenario(number, 1, memory, HOUR, costs), false, miss.client());
    }

    /** Returns the cost of a cached request, by the measurements of a decider whose policy does not change. */
    Steps remembered(Steps real) {
        return steps(real, each -> {
            Outcome told = remembering(1, Memory.OF_ONE_QUESTION, each, each);
            return new Reached(ofRemembering(told), 1);
        });
    }

    /** Returns the cost of a request that is not cached, by the measurements of a decider whose policy changes. */
    Steps forgotten(Steps hit, Steps real, Memory memory) {
        return steps(real, miss -> {
            Outcome told = remembering(1, memory, hit, miss);
            return new Reached(ofRemembering(told), 1 - told.hits());
        });
    }

    private static Steps ofRemembering(Outcome told) {
        double micros = 1e6 / told.perSecond();
        return new Steps(told.clientCores() * micros, told.serverCores() * micros, told.deciderCores() * micros);
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
                .closed(connections, client, WARMING, SIMULATED);
    }

    private static Scenario scenario(int servers, int deciders, Memory memory, Duration remembered, Costs costs) {
        return new Scenario(
                servers,
                1,
                deciders,
                1,
                memory.requests(),
                memory.skew(),
                remembered,
                1,
                memory.changes(),
                Duration.ZERO,
                Duration.ofMillis(8),
                Scenario.Failures.NONE,
                costs);
    }
}
