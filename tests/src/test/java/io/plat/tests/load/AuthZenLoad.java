package io.plat.tests.load;

import io.plat.tests.process.TestPki;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * CPU time of an AuthZEN evaluation, single and in a batch, compared with a review of the same attributes: one decider, whose connections
 * alternate in short rounds, so that other load affects all of them equally. Run it as a program, with the number of rounds (15) and their
 * length in seconds (0.4).
 */
public final class AuthZenLoad {
    private static final int BINDINGS = 1_000;
    private static final int BATCH = 100;
    private static final int CONNECTIONS = 8;
    private static final int WARM_ROUNDS = 12;
    private static final double WARM_SECONDS = 1.2;

    private AuthZenLoad() {}

    /** A kind of request. */
    private record Kind(String name, int decisions, Connections open) {}

    /** Prints the table. */
    public static void main(String... arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 15;
        double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 0.4;
        try (TestPki pki = TestPki.create().client("load-client");
                DeciderTarget decider =
                        DeciderTarget.start("decider", pki, PolicyShape.SPREAD, BINDINGS, "--authzen")) {
            run(decider, pki.tls("load-client"), rounds, seconds);
        }
    }

    private static void run(DeciderTarget decider, SSLContext tls, int rounds, double seconds) throws Exception {
        int requested = BINDINGS / 2;
        String evaluation = """
                {"subject":{"type":"user","id":"%s","properties":{"groups":["system:authenticated"]}},"action":{"name":"get"},\
                "resource":{"type":"pods","id":"%s/web-0"}}""".formatted(PolicyShape.SPREAD.user(requested), PolicyShape.SPREAD.namespace(requested));
        String batch = "{\"evaluations\":[" + (evaluation + ",").repeat(BATCH - 1) + evaluation + "]}";
        List<Kind> kinds = List.of(
                kind("/authorize", 1, decider, tls, "/authorize", PolicyShape.SPREAD.review(BINDINGS)),
                kind("evaluation", 1, decider, tls, "/access/v1/evaluation", evaluation),
                kind("evaluation of a batch of " + BATCH, BATCH, decider, tls, "/access/v1/evaluations", batch));
        Map<Kind, List<Double>> micros = new LinkedHashMap<>();
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            for (Kind kind : kinds) {
                double before = ProcessorTime.seconds(decider.pids());
                Connections.Round done = kind.open().round(round < 0 ? WARM_SECONDS : seconds);
                double used = ProcessorTime.seconds(decider.pids()) - before;
                if (round >= 0) {
                    micros.computeIfAbsent(kind, one -> new ArrayList<>())
                            .add(used * 1e6 / done.requests() / kind.decisions());
                }
            }
        }
        double[] median = kinds.stream()
                .mapToDouble(kind -> Rounds.median(micros.getOrDefault(kind, List.of()).stream()
                        .mapToDouble(Double::doubleValue)
                        .toArray()))
                .toArray();
        for (int i = 0; i < median.length; i++) {
            System.out.printf("%-32s %8.1f us of CPU%n", kinds.get(i).name(), median[i]);
            kinds.get(i).open().close();
        }
        System.out.printf("evaluation / review at /authorize   %.2f  (target: at most 1.2)%n", median[1] / median[0]);
        System.out.printf("one of a batch / evaluation         %.2f  (target: at most 0.2)%n", median[2] / median[1]);
    }

    private static Kind kind(
            String name, int decisions, DeciderTarget decider, SSLContext tls, String path, String body)
            throws Exception {
        byte[] request = ("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
                        + "application/json, */*\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
        return new Kind(
                name,
                decisions,
                new Connections(CONNECTIONS, () -> new Http1Exchange(tls, decider.port(), Request.same(request))));
    }
}
