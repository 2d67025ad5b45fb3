package io.plat.tests.load;

import io.plat.tests.process.Command;
import io.plat.tests.process.Folders;
import io.plat.tests.process.TestPki;
import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Decisions a second over mutual TLS, beside nginx answering a static body of the same length to the same request with the same
 * certificates, in alternating rounds. Run it as a program, with the number of rounds (3) and their length in seconds (3).
 */
public final class DeciderLoad {
    private static final int[] CONNECTIONS = {1, 8, 32};
    private static final String REVIEW =
            "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":"
                    + "{\"user\":\"user-7\",\"groups\":[\"system:authenticated\"],\"resourceAttributes\":{\"namespace\":\"team-7\","
                    + "\"verb\":\"get\",\"version\":\"v1\",\"resource\":\"pods\",\"name\":\"web-0\"}}}";

    private final SSLContext tls;
    private final int rounds;
    private final double seconds;

    /** The middle of several rounds. */
    private record Line(double perSecond, double p50, double p99, double cpuMicros) {}

    private DeciderLoad(SSLContext tls, int rounds, double seconds) {
        this.tls = tls;
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /** Prints the table. */
    public static void main(String... arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 3;
        Path folder = Files.createTempDirectory("plat-load");
        try (TestPki pki = TestPki.create().client("server-of-questions")) {
            SSLContext tls = ClientTls.read(
                            new ClientTls.Config(
                                    PemSource.file(Path.of(pki.file("ca.crt"))),
                                    PemSource.file(Path.of(pki.file("server-of-questions.crt"))),
                                    PemSource.file(Path.of(pki.file("server-of-questions.key"))),
                                    null),
                            InstantSource.system())
                    .context();
            new DeciderLoad(tls, rounds, seconds).run(pki, folder);
        } finally {
            Folders.delete(folder);
        }
    }

    private void run(TestPki pki, Path folder) throws Exception {
        List<Target> targets = new ArrayList<>();
        try {
            targets.add(DeciderTarget.start(pki, folder));
            if (Command.installed("nginx")) {
                targets.add(NginxTarget.start(pki, folder, "x".repeat(answerLength())));
            } else {
                System.out.println("nginx is not installed: the decider alone");
            }
            for (Target target : targets) {
                // What is measured is a server that has been serving: its code is compiled by then.
                measure(target, 8, 5 * seconds);
            }
            System.out.printf(
                    "%-8s %5s %12s %9s %9s %14s%n",
                    "server", "conns", "requests/s", "p50 us", "p99 us", "server CPU us");
            for (int connections : CONNECTIONS) {
                compare(targets, connections);
            }
        } finally {
            targets.forEach(Target::close);
        }
    }

    private static int answerLength() {
        return REVIEW.length() + 150;
    }

    private void compare(List<Target> targets, int connections) throws Exception {
        Map<String, List<Line>> lines = new TreeMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Target target : targets) {
                lines.computeIfAbsent(target.name(), name -> new ArrayList<>())
                        .add(measure(target, connections, seconds));
            }
        }
        Map<String, Line> middle = new TreeMap<>();
        lines.forEach((name, all) -> middle.put(name, middle(all)));
        middle.forEach((name, line) -> System.out.printf(
                "%-8s %5d %12.0f %9.0f %9.0f %14.1f%n",
                name, connections, line.perSecond(), line.p50(), line.p99(), line.cpuMicros()));
        @Nullable Line decider = middle.get("decider");
        @Nullable Line nginx = middle.get("nginx");
        if (decider != null && nginx != null) {
            System.out.printf(
                    "decider/nginx with %d connections: %.2f of its requests, %.2f of its server CPU%n",
                    connections, decider.perSecond() / nginx.perSecond(), decider.cpuMicros() / nginx.cpuMicros());
        }
    }

    private static Line middle(List<Line> lines) {
        return lines.stream()
                .sorted(Comparator.comparingDouble(Line::perSecond))
                .toList()
                .get(lines.size() / 2);
    }

    private Line measure(Target target, int connections, double length) throws Exception {
        byte[] request = ("POST /authorize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
                        + "application/json, */*\r\nContent-Length: " + REVIEW.length() + "\r\n\r\n" + REVIEW)
                .getBytes(StandardCharsets.US_ASCII);
        try (Connections open = new Connections(tls, target.port(), connections, Request.same(request))) {
            double before = ProcessorTime.seconds(target.pids());
            Connections.Round round = open.round(length);
            double used = ProcessorTime.seconds(target.pids()) - before;
            return new Line(round.perSecond(), round.micros(0.5), round.micros(0.99), used * 1e6 / round.requests());
        }
    }
}
