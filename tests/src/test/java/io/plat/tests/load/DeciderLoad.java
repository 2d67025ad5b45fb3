package io.plat.tests.load;

import io.plat.tests.process.Command;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Decisions per second over mutual TLS with several sizes and shapes of policy, compared with nginx sending a static body of the same
 * length and with Open Policy Agent deciding by the same bindings, all with the same certificates, in many short alternating rounds, so
 * that other load affects all of them equally; medians are compared. Connections are reused between rounds, as by servers. Run it as a
 * program, with the number of rounds (15) and their length in seconds (0.4).
 */
public final class DeciderLoad {
    private static final int[] CONNECTIONS = {1, 8, 32};
    private static final int[] SIZES = {10, 1_000, 10_000, 100_000};
    private static final int DEFAULT_SIZE = 1_000;
    private static final int LARGEST = 100_000;
    private static final int MIN_WARM_UP_ROUNDS = 8;
    private static final int MAX_WARM_UP_ROUNDS = 16;
    private static final double WARM_SECONDS = 1.2;

    /** If a round costs more than this fraction of the previous one, warm-up is complete. */
    private static final double SETTLED = 0.97;

    private static final String DECIDER = "decider ";
    private static final String OPA = "opa ";
    private static final String NGINX = "nginx";

    private final TestPki pki;
    private final SSLContext tls;
    private final int rounds;
    private final double seconds;
    private final List<Load> targets = new ArrayList<>();

    /** A server and its request. */
    private record Load(Target target, String review) {}

    /** Results of a round, or the medians of several. */
    private record Line(double perSecond, double p50, double p99, double cpuMicros) {
        static Line median(List<Line> rounds) {
            return new Line(
                    median(rounds, Line::perSecond),
                    median(rounds, Line::p50),
                    median(rounds, Line::p99),
                    median(rounds, Line::cpuMicros));
        }

        private static double median(List<Line> rounds, ToDoubleFunction<Line> figure) {
            return Rounds.median(rounds.stream().mapToDouble(figure).toArray());
        }
    }

    /** Results by protocol, number of connections and server. */
    private record Lines(Map<Integer, Map<String, Line>> all) {
        private Map<String, Line> with(int connections) {
            return all.getOrDefault(connections, Map.of());
        }

        /** Returns a result of one server relative to that of another, if both exist. */
        OptionalDouble ratio(int connections, String one, String other, ToDoubleFunction<Line> figure) {
            @Nullable Line above = with(connections).get(one);
            @Nullable Line below = with(connections).get(other);
            return above == null || below == null
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(figure.applyAsDouble(above) / figure.applyAsDouble(below));
        }

        /** Returns the cost of requests on servers whose names have a prefix, sorted. */
        double[] cpuMicrosOf(int connections, String names) {
            return with(connections).entrySet().stream()
                    .filter(line -> line.getKey().startsWith(names))
                    .mapToDouble(line -> line.getValue().cpuMicros())
                    .sorted()
                    .toArray();
        }
    }

    /** HTTP versions. */
    private enum Protocol {
        HTTP_1("HTTP/1.1"),
        HTTP_2("HTTP/2");

        private final String name;

        Protocol(String name) {
            this.name = name;
        }

        boolean isSupportedBy(Target target) {
            return this == HTTP_1 || target.http2();
        }
    }

    private DeciderLoad(TestPki pki, SSLContext tls, int rounds, double seconds) {
        this.pki = pki;
        this.tls = tls;
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /** Prints the tables. */
    public static void main(String... arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 15;
        double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 0.4;
        Path directory = Files.createTempDirectory("plat-load");
        try (TestPki pki = TestPki.create().client("load-client")) {
            SSLContext tls = pki.tls("load-client");
            new DeciderLoad(pki, tls, rounds, seconds).run(directory);
        } finally {
            Directories.delete(directory);
        }
    }

    private void run(Path directory) throws Exception {
        try {
            start(directory);
            for (Load load : targets) {
                for (Protocol protocol : Protocol.values()) {
                    if (protocol.isSupportedBy(load.target())) {
                        warmUp(load, protocol);
                    }
                }
            }
            for (Protocol protocol : Protocol.values()) {
                Lines lines = new Lines(new LinkedHashMap<>());
                for (int connections : CONNECTIONS) {
                    lines.all.put(connections, compare(protocol, connections));
                }
                printRatios(protocol, lines);
            }
            for (Load load : targets) {
                if (load.target() instanceof DeciderTarget decider) {
                    System.out.printf(
                            "%s: %.0f MiB resident (target with %,d bindings: 150)%n",
                            decider.name(), decider.residentMebibytes(), DEFAULT_SIZE);
                }
            }
        } finally {
            targets.forEach(load -> load.target().close());
        }
    }

    /** Warms up the server until the cost of a request no longer falls. */
    private void warmUp(Load load, Protocol protocol) throws Exception {
        double before = Double.MAX_VALUE;
        for (int round = 0; round < MAX_WARM_UP_ROUNDS; round++) {
            double now;
            try (Connections open = open(load, protocol, 8)) {
                now = measure(load.target(), open, WARM_SECONDS).cpuMicros();
            }
            if (round >= MIN_WARM_UP_ROUNDS && now > SETTLED * before) {
                return;
            }
            before = now;
        }
    }

    /** Opens this many connections to each target that supports the protocol. */
    private Map<Load, Connections> open(Protocol protocol, int connections) throws IOException {
        Map<Load, Connections> open = new LinkedHashMap<>();
        for (Load load : targets) {
            if (protocol.isSupportedBy(load.target())) {
                open.put(load, open(load, protocol, connections));
            }
        }
        return open;
    }

    private Connections open(Load load, Protocol protocol, int connections) throws IOException {
        return new Connections(connections, () -> exchange(load, protocol));
    }

    private void start(Path directory) throws Exception {
        for (int size : SIZES) {
            start(PolicyShape.SPREAD, size);
        }
        start(PolicyShape.ONE_NAMESPACE, LARGEST);
        start(PolicyShape.ONE_SUBJECT, LARGEST);
        String review = PolicyShape.SPREAD.review(DEFAULT_SIZE);
        if (Command.installed("nginx")) {
            targets.add(new Load(NginxTarget.start(pki, directory, "x".repeat(review.length() + 150)), review));
        } else {
            System.out.println("nginx is not installed and is skipped");
        }
        Optional<String> opa = OpaTarget.program();
        if (opa.isEmpty()) {
            System.out.println("neither opa nor go is installed: Open Policy Agent is skipped");
            return;
        }
        for (int size : SIZES) {
            Target target =
                    OpaTarget.start(opa.get(), OPA + named(size), pki, directory, PolicyShape.SPREAD.policy(size));
            add(target, PolicyShape.SPREAD.review(size));
        }
        Target readOptimized = OpaTarget.start(
                opa.get(),
                OPA + named(DEFAULT_SIZE) + ", read-optimized",
                pki,
                directory,
                PolicyShape.SPREAD.policy(DEFAULT_SIZE),
                "--optimize-store-for-read-speed");
        add(readOptimized, PolicyShape.SPREAD.review(DEFAULT_SIZE));
    }

    private void start(PolicyShape shape, int size) throws IOException {
        String name = DECIDER
                + named(size)
                + (shape == PolicyShape.SPREAD ? "" : " " + shape.name().toLowerCase(Locale.ROOT));
        add(DeciderTarget.start(name, pki, shape, size), shape.review(size));
    }

    private static String named(int size) {
        return String.format(Locale.ROOT, "%,d", size);
    }

    /** Adds a target after verifying that it allows what its policy allows. */
    private void add(Target target, String review) throws IOException {
        targets.add(new Load(target, review));
        try (HttpsClient client = HttpsClient.of(pki, "load-client")) {
            String answer = client.post(URI.create("https://localhost:" + target.port() + target.path()), review)
                    .body();
            if (!answer.contains("\"allowed\":true")) {
                throw new IOException(target.name() + " does not allow the request: " + answer);
            }
        }
    }

    private Map<String, Line> compare(Protocol protocol, int connections) throws Exception {
        Map<Load, Connections> open = open(protocol, connections);
        Map<String, List<Line>> lines = new LinkedHashMap<>();
        try {
            for (int round = 0; round < rounds; round++) {
                for (Map.Entry<Load, Connections> each : open.entrySet()) {
                    Target target = each.getKey().target();
                    lines.computeIfAbsent(target.name(), name -> new ArrayList<>())
                            .add(measure(target, each.getValue(), seconds));
                }
            }
        } finally {
            for (Connections each : open.values()) {
                each.close();
            }
        }
        Map<String, Line> median = new LinkedHashMap<>();
        lines.forEach((name, all) -> median.put(name, Line.median(all)));
        System.out.printf(
                "%n%-32s %12s %9s %9s %14s%n",
                protocol.name + ", connections: " + connections, "requests/s", "p50 us", "p99 us", "server CPU us");
        median.forEach((name, line) -> System.out.printf(
                "%-32s %12.0f %9.0f %9.0f %14.1f%n", name, line.perSecond(), line.p50(), line.p99(), line.cpuMicros()));
        return median;
    }

    private static void printRatios(Protocol protocol, Lines lines) {
        String decider = DECIDER + named(DEFAULT_SIZE);
        System.out.printf("%n%s, server CPU per decision with 8 connections:%n", protocol.name);
        lines.ratio(8, decider, NGINX, Line::cpuMicros)
                .ifPresent(ratio ->
                        System.out.printf("  decider / nginx, 1,000 bindings   %.2f  (target: at most 2.5)%n", ratio));
        lines.ratio(8, OPA + named(DEFAULT_SIZE), decider, Line::cpuMicros)
                .ifPresent(ratio ->
                        System.out.printf("  opa / decider, 1,000 bindings     %.2f  (target: at least 6)%n", ratio));
        lines.ratio(8, OPA + named(DEFAULT_SIZE) + ", read-optimized", decider, Line::cpuMicros)
                .ifPresent(ratio -> System.out.printf("  opa, read-optimized, / decider    %.2f%n", ratio));
        double[] own = lines.cpuMicrosOf(8, DECIDER);
        System.out.printf(
                "  most / least expensive policy     %.2f  (target: at most 1.2)%n", own[own.length - 1] / own[0]);
        lines.ratio(32, decider, NGINX, Line::perSecond)
                .ifPresent(ratio -> System.out.printf(
                        "%s, decisions per second / nginx responses per second with 32 connections: %.2f  (target: at least 0.6)%n",
                        protocol.name, ratio));
    }

    private static Line measure(Target target, Connections open, double length) throws Exception {
        try {
            double before = ProcessorTime.seconds(target.pids());
            Connections.Round round = open.round(length);
            double used = ProcessorTime.seconds(target.pids()) - before;
            return new Line(round.perSecond(), round.micros(0.5), round.micros(0.99), used * 1e6 / round.requests());
        } catch (ExecutionException e) {
            throw new IOException(target.name(), e);
        }
    }

    private Exchange exchange(Load load, Protocol protocol) throws IOException {
        Target target = load.target();
        return switch (protocol) {
            case HTTP_1 -> new Http1Exchange(tls, target.port(), Request.same(http1(target.path(), load.review())));
            case HTTP_2 -> new Http2Exchange(tls, target.port(), target.path(), load.review());
        };
    }

    private static byte[] http1(String path, String review) {
        return ("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
                        + "application/json, */*\r\nContent-Length: " + review.length() + "\r\n\r\n" + review)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
