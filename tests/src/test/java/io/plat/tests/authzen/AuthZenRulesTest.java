package io.plat.tests.authzen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.TestPki;
import io.plat.tests.process.TlsConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Other rules of the AuthZEN API: identifiers, errors, the decision log, failures, the mapping file, and limits. */
class AuthZenRulesTest {
    private static final String REQUEST =
            "{\"subject\":{\"type\":\"%s\",\"id\":\"%s\"%s},\"action\":{\"name\":\"%s\"},\"resource\":{\"type\":\"%s\",\"id\":\"%s\"}}";
    private static final String POLICY =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{%s}}\n";

    private static String evaluationOf(String user, String verb, String type, String id) {
        return REQUEST.formatted("user", user, "", verb, type, id);
    }

    /** A decider with a policy line for a user and one for a group. */
    private static AuthZenDecider decider(TestPki pki, String... more) throws IOException {
        Path policy = Files.writeString(
                pki.directory().resolve("policy.jsonl"),
                POLICY.formatted("\"user\":\"alice\",\"namespace\":\"team-a\",\"resource\":\"pods\"")
                        + POLICY.formatted(
                                "\"group\":\"dev\",\"namespace\":\"*\",\"resource\":\"deployments\",\"apiGroup\":\"apps\",\"readonly\":true")
                        + POLICY.formatted(
                                "\"user\":\"system:serviceaccount:ci:runner\",\"nonResourcePath\":\"/metrics\"")
                        + POLICY.formatted("\"group\":\"system:serviceaccounts:ci\",\"nonResourcePath\":\"/ci/*\""));
        List<String> flags = new ArrayList<>(List.of(more));
        flags.add("--authorization-policy-file=" + policy);
        if (!String.join(" ", more).contains("--authorization-mode=")) {
            flags.add("--authorization-mode=ABAC");
        }
        return AuthZenDecider.start(pki, flags.toArray(String[]::new));
    }

    @Test
    void defaultMapping() throws IOException {
        try (AuthZenDecider decider = decider(TestPki.create())) {
            assertThat(decider.evaluate(evaluationOf("alice", "delete", "pods", "team-a/web-0")))
                    .isTrue();
            assertThat(decider.evaluate(evaluationOf("alice", "list", "pods", "team-a/*")))
                    .isTrue();
            assertThat(decider.evaluate(evaluationOf("alice", "list", "pods/log", "team-a/")))
                    .isTrue();
            assertThat(decider.evaluate(evaluationOf("alice", "list", "pods", "")))
                    .isFalse();
            assertThat(decider.evaluate(evaluationOf("bob", "get", "pods", "team-a/web-0")))
                    .isFalse();
            assertThat(decider.evaluate(
                            REQUEST.formatted("group", "dev", "", "get", "deployments.apps/scale", "b/web")))
                    .isTrue();
            assertThat(decider.evaluate(REQUEST.formatted(
                            "user", "x", ",\"properties\":{\"groups\":[\"dev\"]}", "get", "deployments.apps", "b/web")))
                    .isTrue();
            assertThat(decider.evaluate(
                            REQUEST.formatted("serviceaccount", "ci:runner", "", "get", "path", "/metrics")))
                    .isTrue();
            assertThat(decider.evaluate(REQUEST.formatted("serviceaccount", "ci:other", "", "get", "path", "/ci/x")))
                    .isTrue();
            String placed =
                    "{\"subject\":{\"type\":\"user\",\"id\":\"alice\"},\"action\":{\"name\":\"get\"},\"resource\":{\"type\":\"pods\",\"id\":\"%s\",\"properties\":{\"namespace\":\"team-a\"}}}";
            assertThat(decider.evaluate(placed.formatted("web-0"))).isTrue();
            assertThat(decider.evaluate(placed.formatted("team-a/web-0"))).isTrue();
            for (String malformed : List.of(
                    placed.formatted("team-b/web-0"),
                    evaluationOf("alice", "get", "pods", "a/b/c"),
                    evaluationOf("alice", "get", "pods", "/c"),
                    evaluationOf("alice", "get", "", "c"),
                    evaluationOf("alice", "get", "pods/", "c"),
                    evaluationOf("alice", "get", "pods/a/b", "c"),
                    evaluationOf("", "get", "pods", "c"),
                    REQUEST.formatted("serviceaccount", "runner", "", "get", "path", "/metrics"),
                    REQUEST.formatted("user", "x", ",\"properties\":{\"groups\":\"dev\"}", "get", "pods", "c"),
                    REQUEST.formatted("user", "x", ",\"properties\":{\"groups\":[1]}", "get", "pods", "c"))) {
                assertThat(decider.post(AuthZenDecider.EVALUATION, malformed).statusCode())
                        .as(malformed)
                        .isEqualTo(400);
            }
            JsonNode unknown = decider.ok(
                    AuthZenDecider.EVALUATION, REQUEST.formatted("robot", "x", "", "get", "pods", "team-a/x"));
            assertThat(unknown.path("decision").asBoolean(true)).isFalse();
            assertThat(unknown.path("context").path("error").path("message").asText())
                    .contains("robot");
        }
    }

    @Test
    void unrestrictedGrantReturnsNoInventedId() throws IOException {
        try (AuthZenDecider decider = decider(TestPki.create())) {
            JsonNode pods = decider.ok(
                    "/access/v1/search/resource",
                    "{\"subject\":{\"type\":\"user\",\"id\":\"alice\"},\"action\":{\"name\":\"get\"},\"resource\":{\"type\":\"pods\"}}");
            assertThat(pods.path("results")).isEmpty();
            assertThat(pods.path("context").path("unbounded").asBoolean()).isTrue();
            assertThat(pods.path("context").path("namespaces").toString()).isEqualTo("[\"team-a\"]");
            JsonNode verbs = decider.ok(
                    "/access/v1/search/action",
                    "{\"subject\":{\"type\":\"user\",\"id\":\"alice\"},\"resource\":{\"type\":\"pods\",\"id\":\"team-a/x\"}}");
            assertThat(verbs.path("results")).isEmpty();
            assertThat(verbs.path("context").path("unbounded").asBoolean()).isTrue();
            JsonNode who = decider.ok(
                    "/access/v1/search/subject",
                    "{\"subject\":{\"type\":\"user\"},\"action\":{\"name\":\"get\"},\"resource\":{\"type\":\"deployments.apps\",\"id\":\"b/web\"}}");
            assertThat(who.path("results")).isEmpty();
            assertThat(who.path("context").path("groups").toString()).isEqualTo("[\"dev\"]");
            assertThat(who.path("context").has("unbounded")).isFalse();
        }
        try (AuthZenDecider decider = AuthZenDecider.start(TestPki.create(), "--authorization-mode=AlwaysAllow")) {
            JsonNode who = decider.ok(
                    "/access/v1/search/subject",
                    "{\"subject\":{\"type\":\"user\"},\"action\":{\"name\":\"get\"},\"resource\":{\"type\":\"pods\",\"id\":\"b/web\"}}");
            assertThat(who.path("results")).isEmpty();
            assertThat(who.path("context").path("unbounded").asBoolean()).isTrue();
        }
    }

    @Test
    void requestIdIsEchoedInErrorsToo() throws IOException {
        TestPki pki = TestPki.create().client("stranger");
        try (AuthZenDecider decider = decider(pki, "--allowed-client-names=pep")) {
            URI evaluation = decider.server().at(AuthZenDecider.EVALUATION);
            String id = "bfe9eb29-ab87-4ca3-be83-a1d5d8305716";
            HttpsClient named = decider.client().withHeader("X-Request-ID", id);
            for (HttpResponse<String> response : List.of(
                    named.post(evaluation, evaluationOf("alice", "get", "pods", "team-a/x")),
                    named.post(evaluation, "{"),
                    named.get(evaluation),
                    named.get(decider.server().at("/.well-known/authzen-configuration")))) {
                assertThat(response.headers().firstValue("X-Request-ID")).hasValue(id);
            }
            assertThat(named.get(evaluation).statusCode()).isEqualTo(405);
            try (HttpsClient stranger = HttpsClient.of(pki, "stranger")) {
                for (String path : List.of(
                        AuthZenDecider.EVALUATION,
                        AuthZenDecider.EVALUATIONS,
                        "/access/v1/search/subject",
                        "/.well-known/authzen-configuration")) {
                    HttpResponse<String> rejected = stranger.withHeader("X-Request-ID", id)
                            .post(decider.server().at(path), evaluationOf("alice", "get", "pods", "team-a/x"));
                    assertThat(rejected.statusCode()).isEqualTo(403);
                    assertThat(rejected.headers().firstValue("X-Request-ID")).hasValue(id);
                }
            }
            assertThat(decider.client()
                            .withHeader("X-Request-ID", "x".repeat(257))
                            .post(evaluation, evaluationOf("alice", "get", "pods", "team-a/x"))
                            .statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    void metadataIgnoresTheHostHeader() throws IOException {
        TestPki pki = TestPki.create();
        try (AuthZenDecider decider = decider(pki);
                TlsConnection raw =
                        TlsConnection.to(pki.tls("pep"), decider.server().port())) {
            raw.send(String.join(
                    "\r\n",
                    "GET /.well-known/authzen-configuration HTTP/1.1",
                    "Host: evil.example.com",
                    "Connection: close",
                    "",
                    ""));
            assertThat(raw.head()).contains("200");
            assertThatThrownBy(raw::line).hasMessageContaining("127.0.0.1").hasMessageNotContaining("evil");
            HttpResponse<String> response = decider.client()
                    .withHeader("X-Forwarded-Host", "evil.example.com")
                    .get(decider.server().at("/.well-known/authzen-configuration"));
            assertThat(response.body())
                    .doesNotContain("evil")
                    .contains("\"policy_decision_point\":\"" + decider.server().address());
        }
    }

    @Test
    void evaluationsAreLogged() throws IOException {
        TestPki pki = TestPki.create();
        Path log = pki.directory().resolve("decisions.log");
        for (String mode : List.of("batch", "blocking")) {
            Files.deleteIfExists(log);
            List<String> ids = new ArrayList<>();
            try (AuthZenDecider decider =
                    decider(TestPki.create(), "--decision-log-path=" + log, "--decision-log-mode=" + mode)) {
                ids.add(decider.ok(AuthZenDecider.EVALUATION, evaluationOf("alice", "get", "pods", "team-a/x"))
                        .path("context")
                        .path("decision_id")
                        .asText());
                String unknown = REQUEST.formatted("robot", "x", "", "get", "pods", "team-a/x");
                decider.ok(AuthZenDecider.EVALUATION, unknown);
                decider.ok(AuthZenDecider.EVALUATIONS, "{\"evaluations\":[{}," + unknown + "]}");
                String item = evaluationOf("bob", "get", "pods", "team-a/x");
                decider.ok(AuthZenDecider.EVALUATIONS, "{\"evaluations\":[" + (item + ",").repeat(40) + item + "]}")
                        .path("evaluations")
                        .forEach(one ->
                                ids.add(one.path("context").path("decision_id").asText()));
                assertThat(decider.server().terminate()).isZero();
            }
            List<String> logged = new ArrayList<>();
            for (String line : Files.readAllLines(log)) {
                JsonNode decision = AuthZenDecider.JSON.readTree(line);
                assertThat(decision.path("client").asText()).isEqualTo("pep");
                logged.add(decision.path("id").asText());
            }
            assertThat(logged)
                    .containsExactlyInAnyOrderElementsOf(ids)
                    .doesNotHaveDuplicates()
                    .hasSize(42);
        }
        pki.close();
    }

    @Test
    void reasonsAndSearchesRequirePermission() throws IOException {
        TestPki pki = TestPki.create().client("auditor");
        try (AuthZenDecider decider = decider(pki, "--reasons=none", "--explain-client-names=auditor");
                HttpsClient auditor = HttpsClient.of(pki, "auditor")) {
            String request = evaluationOf("alice", "get", "pods", "team-a/x");
            assertThat(decider.post(AuthZenDecider.EVALUATION, request).body()).doesNotContain("reason");
            assertThat(auditor.post(decider.server().at(AuthZenDecider.EVALUATION), request)
                            .body())
                    .contains("\"reason\":\"ABAC");
            assertThat(decider.post("/access/v1/search/subject", request).statusCode())
                    .isEqualTo(403);
            assertThat(auditor.post(decider.server().at("/access/v1/search/subject"), request)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void undecidedEvaluationIsAnErrorOrADenialInABatch() throws IOException {
        TestPki pki = TestPki.create().client("decider");
        ClientFiles.write(pki, "remote.conf", URI.create("https://localhost:1/authorize"), "decider");
        try (AuthZenDecider decider = decider(
                pki,
                "--authorization-mode=ABAC,Webhook",
                "--authorization-webhook-config-file=" + pki.file("remote.conf"))) {
            assertThat(decider.evaluate(evaluationOf("alice", "get", "pods", "team-a/x")))
                    .isTrue();
            assertThat(decider.post(AuthZenDecider.EVALUATION, evaluationOf("bob", "get", "pods", "team-a/x"))
                            .statusCode())
                    .isEqualTo(500);
            String failing = evaluationOf("bob", "get", "pods", "team-a/x");
            String allowed = evaluationOf("alice", "get", "pods", "team-a/x");
            long began = System.nanoTime();
            JsonNode all = decider.ok(
                    AuthZenDecider.EVALUATIONS,
                    "{\"evaluations\":[" + allowed + "," + (failing + ",").repeat(200) + allowed + "]}");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
            assertThat(AuthZenDecider.decisions(all))
                    .hasSize(202)
                    .startsWith(true, false, false)
                    .endsWith(false, true);
            assertThat(all.path("evaluations")
                            .path(1)
                            .path("context")
                            .path("error")
                            .path("status")
                            .asInt())
                    .isEqualTo(500);
            for (String semantic : List.of("deny_on_first_deny", "permit_on_first_permit")) {
                JsonNode some = decider.ok(
                        AuthZenDecider.EVALUATIONS,
                        "{\"options\":{\"evaluations_semantic\":\"" + semantic + "\"},\"evaluations\":[" + failing + ","
                                + allowed + "," + failing + "]}");
                assertThat(AuthZenDecider.decisions(some))
                        .isEqualTo(semantic.startsWith("deny") ? List.of(false) : List.of(false, true));
            }
            assertThat(decider.ok("/access/v1/search/subject", failing)
                            .path("context")
                            .has("incomplete"))
                    .isTrue();
        }
        TestPki followed = TestPki.create().client("decider");
        ClientFiles.write(followed, "server.conf", URI.create("https://localhost:1"), "decider");
        try (AuthZenDecider decider = AuthZenDecider.start(
                followed,
                "--authorization-mode=RBAC",
                "--authorization-rbac-kubeconfig=" + followed.file("server.conf"))) {
            assertThat(decider.post(AuthZenDecider.EVALUATION, evaluationOf("bob", "get", "pods", "a/x"))
                            .statusCode())
                    .isEqualTo(503);
        }
    }

    @Test
    void mappingIsValidatedAtStartAndReloaded() throws IOException {
        TestPki pki = TestPki.create();
        Path mapping = pki.directory().resolve("mapping.yaml");
        String good = "resources:\n- type: box\n  resource: '\"pods\"'\n  namespace: '\"team-a\"'\n";
        Files.writeString(mapping, good);
        try (AuthZenDecider decider = decider(pki, "--authzen-mapping=" + mapping)) {
            String request = evaluationOf("alice", "get", "box", "x");
            assertThat(decider.evaluate(request)).isTrue();
            AtomicFile.put(mapping, good.replace("team-a", "team-b"));
            await().atMost(Duration.ofSeconds(20)).until(() -> !decider.evaluate(request));
            AtomicFile.put(mapping, good.replace("'\"team-a\"'", "nobody.knows"));
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> decider.server().err().contains("mapping.yaml:4: resources[0].namespace"));
            assertThat(decider.evaluate(request)).isFalse();
            AtomicFile.put(mapping, good);
            await().atMost(Duration.ofSeconds(20)).until(() -> decider.evaluate(request));
        }
    }

    @Test
    void problemsOfFlagsAndMappingAreReportedTogether() throws IOException {
        try (TestPki pki = TestPki.create()) {
            Path mapping = Files.writeString(pki.directory().resolve("mapping.yaml"), """
                subjects:
                - type: robot
                resources:
                - type: box
                  resource: '"pods"'
                  path: resource.id
                - type: box
                  resource: 1 + 1
                  nmae: resource.id
                - resource: resource.
                """);
            List<String> words = new ArrayList<>(pki.serverFlags());
            words.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow"));
            List<String> enabled = new ArrayList<>(words);
            enabled.addAll(List.of("--authzen", "--authzen-mapping=" + mapping));
            CompletedProcess rejected = Command.reused(Program.DECIDER, enabled.toArray(String[]::new))
                    .run();
            assertThat(rejected.exitStatus()).isEqualTo(1);
            assertThat(rejected.problems()).allMatch(line -> line.startsWith("--authzen-mapping: " + mapping + ":"));
            assertThat(rejected.err())
                    .contains("mapping.yaml:2: subjects[0].user: required, or groups")
                    .contains("mapping.yaml:5: resources[0].resource: cannot be combined with path")
                    .contains("mapping.yaml:8: resources[1].resource: must evaluate to")
                    .contains("unknown field \"nmae\", did you mean \"name\"")
                    .contains("mapping.yaml:10: resources[2].type: required")
                    .contains("mapping.yaml:10: resources[2].resource: compilation failed");
            List<String> disabled = new ArrayList<>(words);
            disabled.addAll(List.of("--public-url=http://x", "--authzen-mapping=" + mapping));
            CompletedProcess usage = Command.reused(Program.DECIDER, disabled.toArray(String[]::new))
                    .run();
            assertThat(usage.exitStatus()).isEqualTo(2);
            assertThat(usage.err())
                    .contains("--public-url: invalid value \"http://x\", expected an https URL")
                    .contains("--authzen-mapping: requires --authzen");
        }
    }

    @Test
    void pathRequiresTheFlag() throws IOException {
        TestPki pki = TestPki.create();
        try (AuthZenDecider decider = decider(pki, "--authzen=false")) {
            assertThat(decider.post(AuthZenDecider.EVALUATION, evaluationOf("alice", "get", "pods", "a/x"))
                            .statusCode())
                    .isEqualTo(404);
            assertThat(decider.client()
                            .get(decider.server().at("/.well-known/authzen-configuration"))
                            .statusCode())
                    .isEqualTo(404);
        }
    }
}
