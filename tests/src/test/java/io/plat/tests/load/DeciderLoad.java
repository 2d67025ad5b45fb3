package io.plat.tests.load;

import io.plat.tests.process.Command;
import io.plat.tests.process.Folders;
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
    private static final int USUAL = 1_000;
    private static final int LARGEST = 100_000;
    private static final int LEAST_WARM_ROUNDS = 8;
    private static final int MOST_WARM_ROUNDS = 16;
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
    private final List<Asked> targets = new ArrayList<>();

    /** A server and its request. */
    private record Asked(Target target, String review) {}

    /** Results of a round, or the medians of several. */
    private record Line(double perSecond, double p50, double p99, double cpuMicros) {
        static Line middle(List<Line> rounds) {
            return new Line(
                    middle(rounds, Line::perSecond),
                    middle(rounds, Line::p50),
                    middle(rounds, Line::p99),
                    middle(rounds, Line::cpuMicros));
        }

        private static double middle(List<Line> rounds, ToDoubleFunction<Line> figure) {
            return Rounds.middle(rounds.stream().mapToDouble(figure).toArray());
        }
    }

    /** Results by protocol, number of connections and server. */
    private record Lines(Map<Integer, Map<String, Line>> all) {
        private Map<String, Line> with(int connections) {
            return all.getOrDefault(connections, Map.of());
        }

        /** A result of one server relative to another's, if both exist. */
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

        boolean spokenBy(Target target) {
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
        Path folder = Files.createTempDirectory("plat-load");
        try (TestPki pki = TestPki.create().client("server-of-questions")) {
            SSLContext tls = pki.tls("server-of-questions");
            new DeciderLoad(pki, tls, rounds, seconds).run(folder);
        } finally {
            Folders.delete(folder);
        }
    }

    private void run(Path folder) throws Exception {
        try {
            start(folder);
            for (Asked requested : targets) {
                for (Protocol protocol : Protocol.values()) {
                    if (protocol.spokenBy(requested.target())) {
                        warmUp(requested, protocol);
                    }
                }
            }
            for (Protocol protocol : Protocol.values()) {
                Lines lines = new Lines(new LinkedHashMap<>());
                for (int connections : CONNECTIONS) {
                    lines.all.put(connections, compare(protocol, connections));
                }
                judge(protocol, lines);
            }
            for (Asked requested : targets) {
                if (requested.target() instanceof DeciderTarget decider) {
                    System.out.printf(
                            "%s holds %.0f MiB of memory (target with %,d bindings: 150)%n",
                            decider.name(), decider.residentMebibytes(), USUAL);
                }
            }
        } finally {
            targets.forEach(requested -> requested.target().close());
        }
    }

    /** Warms up the server until the cost of a request no longer falls. */
    private void warmUp(Asked requested, Protocol protocol) throws Exception {
        double before = Double.MAX_VALUE;
        for (int round = 0; round < MOST_WARM_ROUNDS; round++) {
            double now;
            try (Connections open = open(requested, protocol, 8)) {
                now = measure(requested.target(), open, WARM_SECONDS).cpuMicros();
            }
            if (round >= LEAST_WARM_ROUNDS && now > SETTLED * before) {
                return;
            }
            before = now;
        }
    }

    /** Targets of a protocol, each with this many connections. */
    private Map<Asked, Connections> open(Protocol protocol, int connections) throws IOException {
        Map<Asked, Connections> open = new LinkedHashMap<>();
        for (Asked requested : targets) {
            if (protocol.spokenBy(requested.target())) {
                open.put(requested, open(requested, protocol, connections));
            }
        }
        return open;
    }

    private Connections open(Asked requested, Protocol protocol, int connections) throws IOException {
        return new Connections(connections, () -> exchange(requested, protocol));
    }

    private void start(Path folder) throws Exception {
        for (int size : SIZES) {
            start(PolicyShape.SPREAD, size);
        }
        start(PolicyShape.ONE_NAMESPACE, LARGEST);
        start(PolicyShape.ONE_SUBJECT, LARGEST);
        String review = PolicyShape.SPREAD.review(USUAL);
        if (Command.installed("nginx")) {
            targets.add(new Asked(NginxTarget.start(pki, folder, "x".repeat(review.length() + 150)), review));
        } else {
            System.out.println("nginx is not installed: without it");
        }
        Optional<String> opa = OpaTarget.program();
        if (opa.isEmpty()) {
            System.out.println("neither opa nor go is installed: without Open Policy Agent");
            return;
        }
        for (int size : SIZES) {
            Target target = OpaTarget.start(opa.get(), OPA + named(size), pki, folder, PolicyShape.SPREAD.policy(size));
            add(target, PolicyShape.SPREAD.review(size));
        }
        Target quicker = OpaTarget.start(
                opa.get(),
                OPA + named(USUAL) + ", store for reads",
                pki,
                folder,
                PolicyShape.SPREAD.policy(USUAL),
                "--optimize-store-for-read-speed");
        add(quicker, PolicyShape.SPREAD.review(USUAL));
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
        targets.add(new Asked(target, review));
        try (HttpsClient client = HttpsClient.of(pki, "server-of-questions")) {
            String answer = client.post(URI.create("https://localhost:" + target.port() + target.path()), review)
                    .body();
            if (!answer.contains("\"allowed\":true")) {
                throw new IOException(target.name() + " does not allow it: " + answer);
            }
        }
    }

    private Map<String, Line> compare(Protocol protocol, int connections) throws Exception {
        Map<Asked, Connections> open = open(protocol, connections);
        Map<String, List<Line>> lines = new LinkedHashMap<>();
        try {
            for (int round = 0; round < rounds; round++) {
                for (Map.Entry<Asked, Connections> each : open.entrySet()) {
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
        Map<String, Line> middle = new LinkedHashMap<>();
        lines.forEach((name, all) -> middle.put(name, Line.middle(all)));
        System.out.printf(
                "%n%-32s %12s %9s %9s %14s%n",
                protocol.name + ", connections: " + connections, "requests/s", "p50 us", "p99 us", "server CPU us");
        middle.forEach((name, line) -> System.out.printf(
                "%-32s %12.0f %9.0f %9.0f %14.1f%n", name, line.perSecond(), line.p50(), line.p99(), line.cpuMicros()));
        return middle;
    }

    private static void judge(Protocol protocol, Lines lines) {
        String usual = DECIDER + named(USUAL);
        System.out.printf("%n%s, server CPU a decision with 8 connections:%n", protocol.name);
        lines.ratio(8, usual, NGINX, Line::cpuMicros)
                .ifPresent(ratio ->
                        System.out.printf("  beside nginx at 1,000 bindings    %.2f  (target: at most 2.5)%n", ratio));
        lines.ratio(8, OPA + named(USUAL), usual, Line::cpuMicros)
                .ifPresent(ratio ->
                        System.out.printf("  opa beside it at 1,000 bindings   %.2f  (target: at least 6)%n", ratio));
        lines.ratio(8, OPA + named(USUAL) + ", store for reads", usual, Line::cpuMicros)
                .ifPresent(ratio -> System.out.printf("  the same with its store for reads %.2f%n", ratio));
        double[] own = lines.cpuMicrosOf(8, DECIDER);
        System.out.printf(
                "  most beside least of its own      %.2f  (target: at most 1.2)%n", own[own.length - 1] / own[0]);
        lines.ratio(32, usual, NGINX, Line::perSecond)
                .ifPresent(ratio -> System.out.printf(
                        "%s, decisions a second beside nginx's answers with 32 connections: %.2f  (target: at least 0.6)%n",
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

    private Exchange exchange(Asked requested, Protocol protocol) throws IOException {
        Target target = requested.target();
        return switch (protocol) {
            case HTTP_1 ->
                new Http1Exchange(tls, target.port(), Request.same(http1(target.path(), requested.review())));
            case HTTP_2 -> new Http2Exchange(tls, target.port(), target.path(), requested.review());
        };
    }

    private static byte[] http1(String path, String review) {
        return ("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
                        + "application/json, */*\r\nContent-Length: " + review.length() + "\r\n\r\n" + review)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
