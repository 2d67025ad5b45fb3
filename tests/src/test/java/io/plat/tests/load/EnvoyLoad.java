package io.plat.tests.load;

import io.plat.tests.envoy.EnvoyCalls;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;

/**
 * CPU time of a decider per Envoy check compared with a review of the same request, in short alternating rounds. Run it as a program, with
 * the number of rounds (15) and their length in seconds (0.4).
 */
public final class EnvoyLoad {
    private static final int CONNECTIONS = 8;
    private static final int WARM_ROUNDS = 12;
    private static final double WARM_SECONDS = 1.2;
    private static final String CHECK = "Envoy check, HTTP/2";
    private static final List<String> REVIEWS = List.of("review, HTTP/1.1", "review, HTTP/2");

    private static final String REVIEW = """
            {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"alice",\
            "groups":["readers","system:authenticated"],"nonResourceAttributes":{"path":"/reports/7","verb":"get"}}}""";

    private EnvoyLoad() {}

    /** Prints the table. */
    public static void main(String... arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 15;
        double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 0.4;
        try (TestPki pki = TestPki.create().client("envoy")) {
            Path policy = Files.writeString(pki.directory().resolve("policy.jsonl"), """
                    {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"alice","nonResourcePath":"/reports/*"}}
                    """);
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--authorization-mode=ABAC",
                    "--authorization-policy-file=" + policy,
                    "--envoy-check"));
            try (RunningServer decider = RunningServer.start(Program.DECIDER, flags)) {
                compare(decider, pki.tls("envoy"), rounds, seconds);
            }
        }
    }

    private static void compare(RunningServer decider, SSLContext tls, int rounds, double seconds) throws Exception {
        Map<String, Connections> open = new LinkedHashMap<>();
        Map<String, double[]> cpu = new LinkedHashMap<>();
        try {
            open.put(REVIEWS.get(0), new Connections(tls, decider.port(), CONNECTIONS, Request.same(http1())));
            open.put(
                    REVIEWS.get(1),
                    new Connections(CONNECTIONS, () -> new Http2Exchange(tls, decider.port(), "/authorize", REVIEW)));
            open.put(CHECK, new Connections(CONNECTIONS, () -> check(decider, tls)));
            for (int round = 0; round < WARM_ROUNDS; round++) {
                for (Connections each : open.values()) {
                    each.round(WARM_SECONDS);
                }
            }
            open.keySet().forEach(name -> cpu.put(name, new double[rounds]));
            for (int round = 0; round < rounds; round++) {
                for (Map.Entry<String, Connections> each : open.entrySet()) {
                    measured(cpu, each.getKey())[round] = cpuMicros(decider, each.getValue(), seconds);
                }
            }
        } finally {
            for (Connections each : open.values()) {
                each.close();
            }
        }
        System.out.printf("%n%-24s %14s%n", "connections: " + CONNECTIONS, "server CPU us");
        cpu.forEach((name, micros) -> System.out.printf("%-24s %14.1f%n", name, Rounds.median(micros)));
        for (String review : REVIEWS) {
            System.out.printf(
                    "%s / %s: %.2f  (target: at most 1.5)%n",
                    CHECK, review, Rounds.median(measured(cpu, CHECK)) / Rounds.median(measured(cpu, review)));
        }
    }

    private static double[] measured(Map<String, double[]> cpu, String name) {
        return Objects.requireNonNull(cpu.get(name));
    }

    private static double cpuMicros(RunningServer decider, Connections connections, double seconds) throws Exception {
        double before = ProcessorTime.seconds(decider.pid());
        Connections.Round round = connections.round(seconds);
        return (ProcessorTime.seconds(decider.pid()) - before) * 1e6 / round.requests();
    }

    private static byte[] http1() {
        return ("POST /authorize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
                        + "application/json, */*\r\nContent-Length: " + REVIEW.length() + "\r\n\r\n" + REVIEW)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** A call of Envoy for a browser's request. */
    private static Http2Exchange check(RunningServer decider, SSLContext tls) throws IOException {
        byte[] message = EnvoyCalls.message(EnvoyCalls.request(
                        "GET",
                        "/reports/7",
                        List.of(
                                "accept=text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                                "accept-encoding=gzip, deflate, br, zstd",
                                "accept-language=en-US,en;q=0.5",
                                "cookie=session=0123456789abcdef0123456789abcdef",
                                "user-agent=Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                                "x-forwarded-for=192.0.2.7",
                                "x-forwarded-proto=https",
                                "x-forwarded-user=alice",
                                "x-forwarded-groups=readers",
                                "x-request-id=5f3d3b5e-8b0a-4c7e-9a6c-1d2e3f405162")))
                .toByteArray();
        byte[] frame = ByteBuffer.allocate(5 + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array();
        return new Http2Exchange(
                tls,
                decider.port(),
                "/envoy.service.auth.v3.Authorization/Check",
                frame,
                "te",
                "trailers",
                "grpc-timeout",
                "1000m",
                "content-type",
                "application/grpc");
    }
}
