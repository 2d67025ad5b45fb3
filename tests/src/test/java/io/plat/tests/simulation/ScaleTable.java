package io.plat.tests.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Simulation of a million decisions per second: the required number of deciders, and the effect of policy changes, failures and
 * partitioning. Run it as a program, with the simulated seconds of warm-up and measurement for each line (5); it takes some minutes.
 */
public final class ScaleTable {
    private static final double A_SECOND = 1e6;
    private static final int SERVERS = 500;
    private static final int QUESTIONS = 5_000;

    /** Microseconds from the load runs, as in README and ARCHITECTURE. */
    private static final Costs COSTS = new Costs(31, 60, 60, 22, 500, 15);

    private static final Scenario.Failures KILLED =
            new Scenario.Failures(Duration.ofSeconds(12), Duration.ofSeconds(3), Duration.ofMillis(2));
    private static final Scenario.Failures SILENT =
            new Scenario.Failures(Duration.ofSeconds(12), Duration.ofSeconds(3), Duration.ofSeconds(1));

    private ScaleTable() {}

    private record TableLine(String what, Scenario scenario) {}

    /** Prints the table. */
    public static void main(String... arguments) {
        double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 5;
        Scenario nothingKept = scenario(12, Duration.ZERO);
        Scenario cached = scenario(12, Duration.ofMinutes(5));
        List<TableLine> lines = List.of(
                new TableLine("nothing remembered, 12 deciders", nothingKept),
                new TableLine("nothing remembered, 6 deciders", nothingKept.with(6, 1, 0)),
                new TableLine("nothing remembered, 5 deciders", nothingKept.with(5, 1, 0)),
                new TableLine("remembered, no change, 4 deciders", cached.with(4, 1, 0)),
                new TableLine("a change each second, 12", cached.with(12, 1, 1)),
                new TableLine("10 changes a second, 12", cached.with(12, 1, 10)),
                new TableLine("100 changes a second, 12", cached.with(12, 1, 100)),
                new TableLine("100 changes, 16 parts, 12", cached.with(12, 16, 100)),
                new TableLine("100 changes, 256 parts, 12", cached.with(12, 256, 100)),
                new TableLine(
                        "10 changes, a decider is killed each second",
                        cached.with(12, 1, 10).with(KILLED)),
                new TableLine(
                        "the same, silent, noticed after 1 s",
                        cached.with(12, 1, 10).with(SILENT)));
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
                "again",
                "failed");
        for (TableLine line : lines) {
            Outcome outcome = Fleet.apart(line.scenario(), 1).open(A_SECOND, seconds, seconds);
            System.out.printf(
                    Locale.ROOT,
                    "%-44s %,11.0f %6.1f%% %,11.0f %10.1f %,9.0f %,9.0f %9.1f %8d %8d%n",
                    line.what(),
                    outcome.perSecond(),
                    100 * outcome.hits(),
                    outcome.decided(),
                    outcome.deciderCores(),
                    outcome.p50Micros(),
                    outcome.p99Micros(),
                    outcome.staleMillis(),
                    outcome.again(),
                    outcome.failed());
        }
    }

    private static Scenario scenario(int deciders, Duration remembered) {
        return new Scenario(
                SERVERS,
                4,
                deciders,
                4,
                QUESTIONS,
                1,
                remembered,
                1,
                0,
                Duration.ofNanos(100_000),
                Duration.ofMillis(10),
                Scenario.Failures.NONE,
                COSTS);
    }
}
