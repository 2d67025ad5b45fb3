package io.plat.tests.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Simulation of a million decisions per second: the required number of deciders, and the effect of policy changes, failures and
 * partitioning. Run it as a program, with the simulated seconds of warm-up and measurement for each line (5); it takes some minutes.
 */
public final class ScaleTable {
    private static final double PER_SECOND = 1e6;
    private static final int SERVERS = 500;
    private static final int DISTINCT_REQUESTS = 5_000;

    /** Microseconds from the load runs, as in docs/benchmarks.md. */
    private static final Costs COSTS = new Costs(31, 60, 60, 22, 500, 15);

    private static final Scenario.Failures KILLED =
            new Scenario.Failures(Duration.ofSeconds(12), Duration.ofSeconds(3), Duration.ofMillis(2));
    private static final Scenario.Failures UNRESPONSIVE =
            new Scenario.Failures(Duration.ofSeconds(12), Duration.ofSeconds(3), Duration.ofSeconds(1));

    private ScaleTable() {}

    private record TableLine(String name, Scenario scenario) {}

    /** Prints the table. */
    public static void main(String... arguments) {
        double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 5;
        Scenario uncached = scenario(12, Duration.ZERO);
        Scenario cached = scenario(12, Duration.ofMinutes(5));
        List<TableLine> lines = List.of(
                new TableLine("no cache, 12 deciders", uncached),
                new TableLine("no cache, 6 deciders", uncached.with(6, 1, 0)),
                new TableLine("no cache, 5 deciders", uncached.with(5, 1, 0)),
                new TableLine("cached, no change, 4 deciders", cached.with(4, 1, 0)),
                new TableLine("1 change per second, 12", cached.with(12, 1, 1)),
                new TableLine("10 changes per second, 12", cached.with(12, 1, 10)),
                new TableLine("100 changes per second, 12", cached.with(12, 1, 100)),
                new TableLine("100 changes per second, 16 parts, 12", cached.with(12, 16, 100)),
                new TableLine("100 changes per second, 256 parts, 12", cached.with(12, 256, 100)),
                new TableLine(
                        "10 changes, one decider killed each second",
                        cached.with(12, 1, 10).with(KILLED)),
                new TableLine(
                        "the same, unresponsive, detected after 1 s",
                        cached.with(12, 1, 10).with(UNRESPONSIVE)));
        System.out.printf(
                "%-44s %11s %7s %11s %10s %9s %9s %9s %8s %8s%n",
                "of " + SERVERS + " servers, 4 cores each",
                "answers/s",
                "hits",
                "decided/s",
                "dec. cores",
                "p50 us",
                "p99 us",
                "stale ms",
                "retries",
                "failed");
        for (TableLine line : lines) {
            Outcome outcome = Fleet.apart(line.scenario(), 1).open(PER_SECOND, seconds, seconds);
            System.out.printf(
                    Locale.ROOT,
                    "%-44s %,11.0f %6.1f%% %,11.0f %10.1f %,9.0f %,9.0f %9.1f %8d %8d%n",
                    line.name(),
                    outcome.perSecond(),
                    100 * outcome.hits(),
                    outcome.decided(),
                    outcome.deciderCores(),
                    outcome.p50Micros(),
                    outcome.p99Micros(),
                    outcome.staleMillis(),
                    outcome.retries(),
                    outcome.failed());
        }
    }

    private static Scenario scenario(int deciders, Duration ttl) {
        return new Scenario(
                SERVERS,
                4,
                deciders,
                4,
                DISTINCT_REQUESTS,
                1,
                ttl,
                1,
                0,
                Duration.ofNanos(100_000),
                Duration.ofMillis(10),
                Scenario.Failures.NONE,
                COSTS);
    }
}
