package io.plat.tests.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Prints the cost of a decision with 10, 1,000 and 100,000 bindings or lines, and of a change among 100,000 bindings. Not part of the
 * tests: {@code mvn -Pfull -pl tests -am integration-test -Dtest=EngineBenchmarks -Dsurefire.failIfNoSpecifiedTests=false}.
 */
final class EngineBenchmarks {
    private static final double RATIO = 2;
    private static final double NANOS = 1_000;

    @BeforeAll
    static void withBothCompilers() {
        assertThat(Boolean.getBoolean("plat.full"))
                .as("a JVM with both compilers, as with -Pfull")
                .isTrue();
    }

    @Test
    void decisions() throws RunnerException {
        print(new Runner(options().build()).run());
    }

    /** Without a target: cost of a decision with cold CPU caches. */
    @Test
    void decisionsThatWaitForMemory() throws RunnerException {
        print(new Runner(options()
                        .param("engine", "index")
                        .param("requested", "65536")
                        .build())
                .run());
    }

    /** Cached check of the client library compared with Caffeine. */
    @Test
    void cachedAnswers() throws RunnerException {
        for (RunResult result :
                new Runner(run().include(ClientBenchmark.class.getName()).build()).run()) {
            System.out.printf(
                    "%s of %s: %.1f ns%n",
                    result.getPrimaryResult().getLabel(),
                    result.getParams().getParam("size"),
                    result.getPrimaryResult().getScore());
        }
    }

    private static ChainedOptionsBuilder options() {
        return run().include(RbacBenchmark.class.getName()).include(AbacBenchmark.class.getName());
    }

    private static ChainedOptionsBuilder run() {
        return new OptionsBuilder()
                .forks(1)
                .warmupIterations(2)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(3)
                .measurementTime(TimeValue.seconds(1))
                .jvmArgsAppend("-Xmx1g", "-XX:+UseSerialGC");
    }

    @Test
    void changes() {
        for (RbacShape shape : RbacShape.values()) {
            System.out.println(ChangeCost.measure(shape, 100_000));
        }
    }

    private static void print(Collection<RunResult> results) {
        assertThat(results).isNotEmpty();
        Map<String, TreeMap<Integer, Double>> rows = new TreeMap<>();
        for (RunResult result : results) {
            BenchmarkParams of = result.getParams();
            String mode = of.getBenchmark().contains("Rbac") ? "RBAC" : "ABAC";
            rows.computeIfAbsent(
                            String.join(
                                    " ", mode, of.getParam("shape"), of.getParam("engine"), of.getParam("requested")),
                            row -> new TreeMap<>())
                    .put(
                            Integer.valueOf(of.getParam("size")),
                            result.getPrimaryResult().getScore());
        }
        System.out.printf("%n%-34s %12s %12s %12s %9s%n", "ns per decision, requests", 10, 1_000, 100_000, "ratio");
        rows.forEach((row, scores) -> {
            double least = scores.values().stream().mapToDouble(d -> d).min().orElseThrow();
            double most = scores.values().stream().mapToDouble(d -> d).max().orElseThrow();
            boolean met = most / least <= RATIO && most < NANOS;
            System.out.printf("%-34s", row);
            scores.values().forEach(score -> System.out.printf(" %12.1f", score));
            System.out.printf(" %9.2f%s%n", most / least, row.endsWith("index 256") && !met ? "  target missed" : "");
        });
        System.out.printf("target for index 256: ratio at most %.0f, under %.0f ns%n", RATIO, NANOS);
    }
}
