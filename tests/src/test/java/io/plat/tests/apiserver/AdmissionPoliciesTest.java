package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** Validating admission policies on every write path. Each policy is in effect once it is acknowledged, so that the tests never wait. */
class AdmissionPoliciesTest {
    private static final String POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    private static final String BINDINGS = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";

    private static Path log;
    private static StandaloneServer server;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        log = directory.resolve("audit.log");
        Path policy = Files.writeString(
                directory.resolve("audit.yaml"),
                "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
        server = StandaloneServer.startWithRoles(
                "--audit-policy-file=" + policy, "--audit-log-path=" + log, "--audit-log-mode=blocking");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static List<Named<JsonNode>> cases() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                AdmissionPoliciesTest.class.getResourceAsStream("/cases/admission/policies.yaml"))) {
            // The first reader resolves aliases, the second one builds trees.
            JsonNode all = new YAMLMapper().valueToTree(new Yaml().<Object>load(in));
            var cases = new ArrayList<Named<JsonNode>>();
            for (int i = 0; i < all.size(); i++) {
                String text = all.get(i).toString().replace("NS", "case-" + i);
                ObjectNode one = (ObjectNode) new YAMLMapper().readTree(text);
                cases.add(Named.of(one.path("name").asText(), one.put("namespace", "case-" + i)));
            }
            return cases;
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void decides(JsonNode one) throws IOException {
        String namespace = one.path("namespace").asText();
        post(
                "/api/v1/namespaces",
                "{\"metadata\":{\"name\":\"C\",\"labels\":{\"case\":\"C\"}}}".replace("C", namespace));
        for (JsonNode objects : one.path("given")) {
            post(objects.path("path").asText(), objects.path("body").toString());
            String awaited = objects.path("await").asText("");
            if (!awaited.isEmpty()) {
                Awaitility.await()
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> server.client().get(server.at(awaited)).statusCode() == 200);
            }
        }
        HttpResponse<String> policy = server.client().post(server.at(POLICIES), policy(one));
        if (one.path("refused").asBoolean()) {
            assertThat(policy.statusCode()).as(policy.body()).isEqualTo(422);
            return;
        }
        assertThat(policy.statusCode()).as(policy.body()).isEqualTo(201);
        post(BINDINGS, binding(one, namespace));
        try {
            HttpResponse<String> answer = send(one.path("request"));
            assertThat(answer.statusCode())
                    .as(answer.body())
                    .isEqualTo(one.path("status").asInt());
            assertThat(new YAMLMapper().readTree(answer.body()).path("message").asText())
                    .contains(one.path("message").asText(""));
            assertThat(String.join("\n", answer.headers().allValues("Warning")))
                    .contains(one.path("warnings").asText(""));
            if (one.has("audit")) {
                assertThat(Files.readAllLines(log))
                        .anySatisfy(line -> assertThat(line)
                                .contains("/namespaces/" + namespace + "/")
                                .contains(one.path("audit").asText()));
            }
        } finally {
            server.client().send("DELETE", server.at(BINDINGS + "/b"), null);
            server.client().send("DELETE", server.at(POLICIES + "/p"), null);
        }
        if (one.path("status").asInt() == 422
                && !one.path("request").path("method").asText().equals("DELETE")) {
            assertThat(send(one.path("request")).statusCode())
                    .as("the same request without the policy")
                    .isNotEqualTo(422);
        }
    }

    private static void post(String path, String body) throws IOException {
        HttpResponse<String> created = server.client().post(server.at(path), body);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    }

    private static String policy(JsonNode one) {
        ObjectNode spec = one.path("policy").deepCopy();
        if (one.has("rule")) {
            String[] arguments = one.path("rule").asText().split(" ", -1);
            ObjectNode rule = spec.withObject("/matchConstraints")
                    .putArray("resourceRules")
                    .addObject();
            String[] fields = {"operations", "apiGroups", "apiVersions", "resources"};
            for (int i = 0; i < fields.length; i++) {
                for (String value : arguments[i].split(",", -1)) {
                    rule.withArray(fields[i]).add(value.equals("-") ? "" : value);
                }
            }
        }
        ObjectNode policy = JsonNodeFactory.instance.objectNode();
        policy.putObject("metadata").put("name", "p");
        return policy.set("spec", spec).toString();
    }

    private static String binding(JsonNode one, String namespace) {
        ObjectNode binding = JsonNodeFactory.instance.objectNode();
        binding.putObject("metadata").put("name", "b");
        ObjectNode spec = binding.putObject("spec").put("policyName", "p");
        spec.putArray("validationActions").add("Deny");
        one.path("binding").properties().forEach(field -> spec.set(field.getKey(), field.getValue()));
        if (!one.path("everywhere").asBoolean()) {
            spec.withObject("/matchResources/namespaceSelector/matchLabels").put("case", namespace);
        }
        return binding.toString();
    }

    private static HttpResponse<String> send(JsonNode request) throws IOException {
        HttpsClient client = request.has("as")
                ? server.client()
                        .withHeader("Impersonate-User", request.path("as").asText())
                : server.client();
        return client.send(
                request.path("method").asText(),
                server.at(request.path("path").asText()),
                request.path("type").asText("application/json"),
                request.has("body") ? request.path("body").toString() : "");
    }

    /** A policy may have any name, and its annotations too. */
    @Test
    void noPolicyHidesTheFailureOfAnother() throws IOException {
        String rule = "\"matchConstraints\":{\"resourceRules\":[{\"operations\":[\"CREATE\"],\"apiGroups\":[\"\"],"
                + "\"apiVersions\":[\"v1\"],\"resources\":[\"podtemplates\"]}]}";
        String forger = "validation.policy.admission.k8s.io";
        Map<String, String> policies = Map.of(
                "a-strict",
                "\"validations\":[{\"expression\":\"false\",\"message\":\"first seen\"}]",
                forger,
                "\"auditAnnotations\":[{\"key\":\"validation_failure\",\"valueExpression\":\"'forged'\"}]",
                "z-strict",
                "\"validations\":[{\"expression\":\"false\",\"message\":\"last seen\"}]");
        for (Map.Entry<String, String> policy : policies.entrySet()) {
            String named = "{\"metadata\":{\"name\":\"" + policy.getKey() + "\"},\"spec\":{";
            post(POLICIES, named + rule + "," + policy.getValue() + "}}");
            post(BINDINGS, named + "\"policyName\":\"" + policy.getKey() + "\",\"validationActions\":[\"Audit\"]}}");
        }
        post(
                "/api/v1/namespaces/default/podtemplates",
                "{\"metadata\":{\"name\":\"audited\"},\"template\":{\"spec\":"
                        + "{\"containers\":[{\"name\":\"a\",\"image\":\"i\"}]}}}");
        assertThat(Files.readAllLines(log))
                .filteredOn(line -> line.contains("/podtemplates") && line.contains("validation_failure"))
                .isNotEmpty()
                .allSatisfy(line ->
                        assertThat(line).contains("first seen", "last seen").doesNotContain("forged"));
    }

    @Test
    void policyReportsTypeErrors() throws IOException {
        String rule = "\"matchConstraints\":{\"resourceRules\":[{\"operations\":[\"CREATE\"],\"apiGroups\":[\"apps\"],"
                + "\"apiVersions\":[\"v1\"],\"resources\":[\"deployments\"]}]}";
        HttpResponse<String> right = server.client()
                .post(
                        server.at(POLICIES),
                        "{\"metadata\":{\"name\":\"right\"},\"spec\":{" + rule
                                + ",\"validations\":[{\"expression\":\"object.spec.replicas > 1\"}]}}");
        assertThat(right.body()).contains("\"observedGeneration\":1,\"typeChecking\":{}");
        HttpResponse<String> wrong = server.client()
                .post(
                        server.at(POLICIES),
                        "{\"metadata\":{\"name\":\"wrong\"},\"spec\":{" + rule
                                + ",\"validations\":[{\"expression\":\"object.spec.replicas > '1'\","
                                + "\"messageExpression\":\"'got ' + object.spec.replicas\"}]}}");
        JsonNode warnings = new YAMLMapper().readTree(wrong.body()).at("/status/typeChecking/expressionWarnings");
        assertThat(warnings).as(wrong.body()).hasSize(2);
        assertThat(warnings.path(0).path("fieldRef").asText()).isEqualTo("spec.validations[0].expression");
        assertThat(warnings.path(0).path("warning").asText())
                .startsWith("apps/v1, Kind=Deployment: ERROR: <input>:1:22: ")
                .contains("found no matching overload for '_>_' applied to '(int, string)'");
        assertThat(warnings.path(1).path("fieldRef").asText()).isEqualTo("spec.validations[0].messageExpression");
        assertThat(warnings.path(1).path("warning").asText())
                .contains("found no matching overload for '_+_' applied to '(string, int)'");
    }

    @Test
    void policyOnACustomTypeIsTypeChecked() throws IOException {
        post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                {"metadata":{"name":"hats.checked.example"},"spec":{"group":"checked.example","scope":"Namespaced",
                "names":{"plural":"hats","kind":"Hat"},"versions":[{"name":"v1","served":true,"storage":true,"schema":
                {"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":
                {"replicas":{"type":"integer"}}}}}}}]}}
                """);
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> server.client()
                                .get(server.at("/apis/checked.example/v1/hats"))
                                .statusCode()
                        == 200);
        HttpResponse<String> policy = server.client().post(server.at(POLICIES), """
                {"metadata":{"name":"hats"},"spec":{"matchConstraints":{"resourceRules":[{"operations":["CREATE"],
                "apiGroups":["checked.example"],"apiVersions":["v1"],"resources":["hats"]}]},"validations":[
                {"expression":"object.spec.replicas > 1 && object.metadata.name != ''"},
                {"expression":"object.spec.replicas > '1'"},{"expression":"object.spec.maxRetries < 10"}]}}
                """);
        JsonNode warnings = new YAMLMapper().readTree(policy.body()).at("/status/typeChecking/expressionWarnings");
        assertThat(warnings).as(policy.body()).hasSize(2);
        assertThat(warnings.path(0).path("warning").asText())
                .contains("found no matching overload for '_>_' applied to '(int, string)'");
        assertThat(warnings.path(1).path("warning").asText()).contains("undefined field 'maxRetries'");
    }
}
