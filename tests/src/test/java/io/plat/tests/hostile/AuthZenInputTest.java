package io.plat.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.authzen.AuthZenDecider;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Hostile requests to the AuthZEN API never cause internal errors, allow nothing and leak no memory, also with a mapping, whose expressions
 * receive client input. {@code -Dplat.seed} repeats a run.
 */
class AuthZenInputTest {
    private static final int REQUESTS =
            Integer.getInteger("plat.hostile", Boolean.getBoolean("plat.full") ? 100_000 : 1_500);
    private static final long MEMORY = 400L << 20;
    private static final String[] PATHS = {
        "/access/v1/evaluation",
        "/access/v1/evaluations",
        "/access/v1/search/subject",
        "/access/v1/search/resource",
        "/access/v1/search/action",
    };

    /** Expressions that iterate over their input. */
    private static final String MAPPING = """
        subjects:
        - type: user
          user: subject.id
          groups: 'has(subject.properties.groups) ? subject.properties.groups.map(g, g + g) : []'
        resources:
        - type: record
          resource: '"record"'
          name: 'has(resource.properties.x) && resource.properties.x.all(a, resource.properties.x.exists(b, a == b)) ? "y" : resource.id'
        """;

    private static final String[] VALUES = {
        "null",
        "true",
        "0",
        "-1",
        "1e999",
        "1" + "0".repeat(400),
        "0." + "1".repeat(5000),
        "\"\"",
        "\"*\"",
        "\"a/b/c\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\\ud83d\\ude00\"",
        "\"system:masters\"",
        "[]",
        "[[]]",
        "{}",
        "{\"a\":null}",
        "{\"a\":1,\"a\":2}",
        "[null]",
        "[1,\"a\"]",
        "NaN",
        "'x'",
        "\"" + "x".repeat(20_000) + "\"",
    };

    @Test
    void malformedInputIsNeitherAllowedNorAnInternalError() throws IOException {
        long seed = Long.getLong("plat.seed", System.nanoTime());
        System.out.println(REQUESTS + " hostile AuthZEN requests, -Dplat.seed=" + seed);
        TestPki pki = TestPki.create();
        Files.writeString(pki.directory().resolve("mapping.yaml"), MAPPING);
        try (AuthZenDecider decider = AuthZenDecider.startProcess(
                pki, "--authorization-mode=AlwaysDeny", "--authzen-mapping=" + pki.file("mapping.yaml"))) {
            Exchange exchange = new Exchange(decider.server().port(), () -> pki.tls("pep"));
            List<String> violations = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                Random random = new Random(seed + i);
                HostileRequest request = request(random);
                Reply reply = exchange.send(request);
                boolean failed = reply.hung()
                        || reply.statuses().isEmpty()
                        || reply.statuses().stream().anyMatch(status -> status >= 500)
                        || reply.text().contains("\"decision\":true")
                        || Oracle.violation(request, reply)
                                .filter(rule -> rule.contains("internal"))
                                .isPresent();
                if (failed) {
                    String text = request.text();
                    violations.add("-Dplat.seed=" + (seed + i) + " " + text.substring(0, Math.min(400, text.length()))
                            + " -> " + reply.statuses() + reply.hung());
                }
            }
            assertThat(violations).isEmpty();
            assertThat(decider.server().err()).doesNotContain("\tat ");
            long resident = Files.readAllLines(
                            Path.of("/proc/" + decider.server().pid() + "/status"))
                    .stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                    .findFirst()
                    .orElse(0);
            assertThat(resident).isLessThan(MEMORY);
            assertThat(
                            Metrics.of(decider.client(), decider.server().at("/metrics"))
                                    .value(
                                            "apiserver_authorization_decisions_total{decision=\"denied\",name=\"alwaysdeny\",type=\"AlwaysDeny\"}"))
                    .isPositive();
        }
    }

    /** AuthZEN has no 415, regardless of the part that refuses the request: the binding, the check of header fields or the protection of browsers. */
    @Test
    void unacceptableContentTypesAreBadRequests() throws IOException {
        try (TestPki pki = TestPki.create();
                AuthZenDecider decider = AuthZenDecider.startProcess(pki, "--authorization-mode=AlwaysAllow")) {
            Exchange exchange = new Exchange(decider.server().port(), () -> pki.tls("pep"));
            String evaluation = evaluation(new Random(1));
            List<String> fields = new ArrayList<>();
            MediaTypeFields.MALFORMED.forEach(value -> fields.add("Content-Type: " + value));
            fields.add("X-Absent: Content-Type");
            fields.add("Sec-Fetch-Site: same-origin");
            fields.add("Content-Type: text/plain");
            fields.add("Content-Type: application/jsonp");
            fields.add("Content-Type: application/json\r\nContent-Encoding: gzip");
            for (String path : PATHS) {
                for (String field : fields) {
                    Reply reply = exchange.send(post(path, field + "\r\nX-Request-ID: 7", evaluation));
                    assertThat(reply.statuses()).as(path + " " + field).containsExactly(400);
                    assertThat(reply.text())
                            .as(path + " " + field)
                            .contains("Content-Type: expected application/json")
                            .containsIgnoringCase("X-Request-ID: 7")
                            .containsIgnoringCase("Decision-Id: ");
                }
            }
            for (String accepted : List.of(
                    "application/json;charset=utf-8",
                    "application/json; charset=\"UTF-8\"",
                    "APPLICATION/JSON",
                    "application/json;",
                    "application/json ; v=1")) {
                Reply reply = exchange.send(post(PATHS[0], "Content-Type: " + accepted, """
                    {"subject":{"type":"user","id":"a"},"action":{"name":"get"},"resource":{"type":"pods","id":"b"}}\
                    """));
                assertThat(reply.statuses()).as(accepted).containsExactly(200);
            }
        }
    }

    private static HostileRequest post(String path, String fields, String body) {
        return new HostileRequest(
                "authzen",
                HostileRequest.Protocol.HTTP_1_1,
                MediaTypeFields.request("POST", path, fields, body),
                false);
    }

    private static HostileRequest request(Random random) {
        String path = Http1Requests.pick(random, PATHS);
        HostileBodies.Body body = random.nextInt(5) == 0
                ? HostileBodies.random(random)
                : HostileBodies.Body.text("application/json", evaluation(random));
        String text = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + body.type()
                + (body.encoding().isEmpty() ? "" : "\r\nContent-Encoding: " + body.encoding())
                + (random.nextInt(4) == 0 ? "\r\nX-Request-ID: " + "\u00ff".repeat(random.nextInt(3)) + "a\t" : "")
                + "\r\nConnection: close\r\nContent-Length: " + body.bytes().length + "\r\n\r\n" + body.text();
        return new HostileRequest("authzen", HostileRequest.Protocol.HTTP_1_1, text, false);
    }

    /** A request with some invalid members. */
    private static String evaluation(Random random) {
        StringBuilder evaluation = new StringBuilder("{");
        evaluation.append("\"subject\":").append(entity(random, "user", "id"));
        evaluation.append(",\"action\":").append(entity(random, "get", "name"));
        evaluation.append(",\"resource\":").append(entity(random, random.nextBoolean() ? "record" : "pods", "id"));
        switch (random.nextInt(8)) {
            case 0 -> evaluation.append(",\"context\":").append(value(random));
            case 1 ->
                evaluation
                        .append(",\"page\":{\"token\":")
                        .append(value(random))
                        .append(",\"limit\":")
                        .append(value(random))
                        .append('}');
            case 2 ->
                evaluation
                        .append(",\"options\":{\"evaluations_semantic\":")
                        .append(value(random))
                        .append('}');
            case 3 -> evaluation.append(",\"subject\":{}");
            case 4 ->
                evaluation
                        .append(",\"evaluations\":[")
                        .append("{},".repeat(random.nextInt(3000)))
                        .append("{}]");
            case 5 ->
                evaluation
                        .append(",\"evaluations\":[")
                        .append(value(random))
                        .append(",{\"resource\":")
                        .append(entity(random, "record", "id"))
                        .append("}]");
            default -> evaluation.append(",\"x\":").append(value(random));
        }
        return new String(
                evaluation.append('}').toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String entity(Random random, String type, String id) {
        if (random.nextInt(40) == 0) {
            return value(random);
        }
        String first = id.equals("name")
                ? ""
                : "\"type\":" + (random.nextInt(30) == 0 ? value(random) : "\"" + type + "\"") + ",";
        String second = "\"" + id + "\":" + (random.nextInt(12) == 0 ? value(random) : "\"" + type + "\"");
        return "{" + first + second + (random.nextInt(2) == 0 ? "" : ",\"properties\":" + properties(random)) + "}";
    }

    private static String properties(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> "{\"groups\":" + value(random) + ",\"namespace\":" + value(random) + "}";
            case 1 -> "{\"x\":" + "[".repeat(1 + random.nextInt(200)) + "]".repeat(1 + random.nextInt(200)) + "}";
            case 2 -> "{\"x\":[" + "1,".repeat(random.nextInt(random.nextBoolean() ? 3_000 : 60_000)) + "2]}";
            case 3 -> "{\"groups\":[" + "\"dev\",".repeat(random.nextInt(5_000)) + "\"dev\"]}";
            case 4 -> "{" + "\"" + "k".repeat(random.nextInt(9_000)) + "\":{\"y\":" + value(random) + "}}";
            default -> value(random);
        };
    }

    private static String value(Random random) {
        return Http1Requests.pick(random, VALUES);
    }
}
