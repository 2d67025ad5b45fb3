package io.plat.tests.load;

import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * CPU time of a proxy check compared with a review of the same request at {@code /authorize}, by one decider, in many short alternating
 * rounds; medians are compared. Run it as a program, with the number of rounds (15) and their length in seconds (0.4).
 */
public final class CheckLoad {
    private static final int CONNECTIONS = 8;
    private static final int WARM_ROUNDS = 12;

    private static final String POLICY =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\","
                    + "\"spec\":{\"user\":\"alice\",\"readonly\":true,\"nonResourcePath\":\"/reports/*\"}}\n";
    private static final String REVIEW =
            "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":"
                    + "{\"user\":\"alice\",\"groups\":[\"ops\",\"system:authenticated\"],"
                    + "\"nonResourceAttributes\":{\"path\":\"/reports/2026\",\"verb\":\"get\"}}}";

    /** A check as sent by nginx for a browser. */
    private static final String CHECK = """
            GET /check HTTP/1.1
            Host: decider
            X-Original-Method: GET
            X-Original-URI: /reports/2026?page=2
            X-Forwarded-User: alice
            X-Forwarded-Groups: ops
            User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
            Accept-Language: en-US,en;q=0.5
            Cookie: session=0123456789abcdef0123456789abcdef

            """.replace("\n", "\r\n");

    private CheckLoad() {}

    /** Prints the figures and their ratio. */
    public static void main(String... arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 15;
        double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 0.4;
        try (TestPki pki = TestPki.create().client("proxy")) {
            Path policy = Files.writeString(pki.directory().resolve("policy.jsonl"), POLICY);
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--authorization-mode=ABAC",
                    "--authorization-policy-file=" + policy,
                    "--http-check",
                    "--check-response-headers=X-Auth-User,X-Auth-Groups"));
            try (RunningServer decider = RunningServer.start(Program.DECIDER, flags)) {
                measure(pki.tls("proxy"), decider, rounds, seconds);
            }
        }
    }

    private static void measure(SSLContext tls, RunningServer decider, int rounds, double seconds) throws Exception {
        Supplier<Request> check = () -> Request.same(CHECK.getBytes(StandardCharsets.US_ASCII));
        Supplier<Request> review = () -> Request.of("POST /authorize", "application/json", REVIEW, () -> 0);
        double[] checks = new double[rounds];
        double[] reviews = new double[rounds];
        try (Connections checking = new Connections(tls, decider.port(), CONNECTIONS, check.get());
                Connections reviewing = new Connections(tls, decider.port(), CONNECTIONS, review.get())) {
            for (int round = -WARM_ROUNDS; round < rounds; round++) {
                double oneCheck = cpuMicros(decider, checking, seconds);
                double oneReview = cpuMicros(decider, reviewing, seconds);
                if (round >= 0) {
                    checks[round] = oneCheck;
                    reviews[round] = oneReview;
                }
            }
        }
        double one = Rounds.median(checks);
        double other = Rounds.median(reviews);
        System.out.printf(
                Locale.ROOT,
                "CPU: check %.1f us, /authorize %.1f us, ratio %.2f (at most 1.2)%n",
                one,
                other,
                one / other);
    }

    private static double cpuMicros(RunningServer decider, Connections connections, double seconds) throws Exception {
        double before = ProcessorTime.seconds(decider.pid());
        Connections.Round round = connections.round(seconds);
        return (ProcessorTime.seconds(decider.pid()) - before) * 1e6 / round.requests();
    }
}
