package io.plat.tests.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.tests.process.AuditLog;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.StandaloneServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Audit events in the log and at the webhook. Tests wait for the log: an answered request must be in it. */
class AuditTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final ObjectMapper JSON = new ObjectMapper();

    private static Path directory;
    private static TestPki pki;
    private static EventReceiver receiver;
    private static StandaloneServer server;
    private static HttpsClient nobody;

    @BeforeAll
    static void start() throws IOException {
        directory = Files.createTempDirectory("plat-audit");
        pki = TestPki.create().client("admin");
        receiver = new EventReceiver(pki, 2);
        Path policy = Files.writeString(directory.resolve("policy.yaml"), """
                apiVersion: audit.k8s.io/v1
                kind: Policy
                omitManagedFields: true
                rules:
                - level: None
                  nonResourceURLs: ["/healthz*", "/metrics"]
                - level: Metadata
                  resources: [{group: "", resources: [secrets]}]
                - level: RequestResponse
                  verbs: [create, patch, delete]
                  omitStages: [RequestReceived]
                - level: Metadata
                """);
        Path tokens = Files.writeString(directory.resolve("tokens.csv"), "right-token,carol,9,\"system:masters\"\n");
        server = StandaloneServer.startWithRoles(
                "--audit-policy-file=" + policy,
                "--audit-log-path=" + log(),
                "--audit-webhook-config-file=" + receiver.clientFile(),
                "--audit-webhook-batch-max-wait=100ms",
                "--audit-webhook-initial-backoff=20ms",
                "--token-auth-file=" + tokens);
        server.pki().client("nobody");
        nobody = HttpsClient.of(server.pki(), "nobody");
    }

    private static Path log() {
        return directory.resolve("audit.log");
    }

    @AfterAll
    static void stop() {
        nobody.close();
        server.close();
        receiver.close();
        pki.close();
        Directories.delete(directory);
    }

    /** The events of a request, in the order of the log. */
    private static List<JsonNode> events(String id) {
        return new AuditLog(log()).events(id);
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
    }

    private static String id(HttpResponse<String> answer) {
        return answer.headers().firstValue("Audit-Id").orElseThrow();
    }

    private static String stages(List<JsonNode> events) {
        return String.join(
                " ", events.stream().map(event -> event.path("stage").asText()).toList());
    }

    private static String map(String name) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                + "\"},\"data\":{\"k\":\"v\"}}";
    }

    @Test
    void writeIsRecordedWithObjectsAndAuditId() throws IOException {
        HttpResponse<String> created = server.client()
                .withHeader("Audit-ID", "from-the-client")
                .withHeader("X-Forwarded-For", "198.51.100.1")
                .withHeader("User-Agent", "a test")
                .post(server.at(MAPS + "?fieldManager=x"), map("written"));
        assertThat(id(created)).isEqualTo("from-the-client");
        JsonNode event = events("from-the-client").getFirst();
        assertThat(event.path("level").asText()).isEqualTo("RequestResponse");
        assertThat(event.path("stage").asText()).isEqualTo("ResponseComplete");
        assertThat(event.path("requestURI").asText()).isEqualTo(MAPS + "?fieldManager=x");
        assertThat(event.path("verb").asText()).isEqualTo("create");
        assertThat(event.path("user").toString())
                .startsWith(
                        "{\"username\":\"admin\",\"groups\":[\"system:masters\",\"system:authenticated\"],\"extra\":{"
                                + "\"authentication.kubernetes.io/credential-id\":[\"X509SHA256=");
        assertThat(event.path("sourceIPs").toString()).isEqualTo("[\"198.51.100.1\",\"127.0.0.1\"]");
        assertThat(event.path("userAgent").asText()).isEqualTo("a test");
        assertThat(event.path("objectRef").toString())
                .isEqualTo(
                        "{\"resource\":\"configmaps\",\"namespace\":\"default\",\"name\":\"written\",\"apiVersion\":\"v1\"}");
        assertThat(event.path("responseStatus").toString()).isEqualTo("{\"metadata\":{},\"code\":201}");
        assertThat(event.path("requestObject").toString()).isEqualTo(map("written"));
        ObjectNode answered = (ObjectNode) JSON.readTree(created.body());
        assertThat(((ObjectNode) answered.path("metadata")).remove("managedFields"))
                .as("owners of fields, which the policy omits from events")
                .isNotEmpty();
        assertThat(event.path("responseObject").toString()).isEqualTo(answered.toString());
        assertThat(event.path("annotations")
                        .path("authorization.k8s.io/decision")
                        .asText())
                .isEqualTo("allow");
        assertThat(event.path("annotations")
                        .path("authorization.plat.io/policy-revision")
                        .asText())
                .isNotEmpty();
        assertThat(event.path("requestReceivedTimestamp").asText()).matches("....-..-..T..:..:..\\.\\d{6}Z");
    }

    @Test
    void patchIsRecordedAsSent() throws IOException {
        server.client().post(server.at(MAPS), map("patched"));
        String patch = "{\"data\":{\"k\":\"w\"}}";
        HttpResponse<String> answer =
                server.client().send("PATCH", server.at(MAPS + "/patched"), "application/merge-patch+json", patch);
        JsonNode event = events(id(answer)).getFirst();
        assertThat(event.path("requestObject").toString()).isEqualTo(patch);
        assertThat(event.path("responseObject").path("data").path("k").asText()).isEqualTo("w");
    }

    @Test
    void denialIsRecordedWithItsReason() throws IOException {
        List<JsonNode> events = events(id(nobody.get(server.at(MAPS))));
        assertThat(stages(events)).isEqualTo("RequestReceived ResponseComplete");
        JsonNode event = events.getLast();
        assertThat(event.path("responseStatus").path("code").asInt()).isEqualTo(403);
        assertThat(event.path("responseStatus").path("reason").asText()).isEqualTo("Forbidden");
        assertThat(event.path("annotations")
                        .path("authorization.k8s.io/decision")
                        .asText())
                .isEqualTo("forbid");
        assertThat(event.path("annotations")
                        .path("authorization.plat.io/authorizer")
                        .asText())
                .isEqualTo("RBAC");
    }

    /** Writing a role object changes the policy revision, which later decisions name. */
    @Test
    void decisionsNameTheRevisionOfStoredRoles() throws IOException {
        String roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
        String before = revision(nobody.get(server.at(MAPS)));
        assertThat(revision(nobody.get(server.at(MAPS)))).isEqualTo(before);
        assertThat(server.client()
                        .post(
                                server.at(roles),
                                "{\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"kind\":\"ClusterRole\",\"metadata\":{\"name\":\"r\"}}")
                        .statusCode())
                .isEqualTo(201);
        String after = revision(nobody.get(server.at(MAPS)));
        assertThat(after).isNotEqualTo(before).matches(".+\\+roles-\\d+");
        assertThat(server.client().get(server.at("/metrics")).body())
                .contains("policy_info{revision=\"" + after + "\"} 1");
    }

    private static String revision(HttpResponse<String> answer) {
        return events(id(answer))
                .getLast()
                .path("annotations")
                .path("authorization.plat.io/policy-revision")
                .asText();
    }

    @Test
    void impersonationRecordsBothUsers() throws IOException {
        HttpResponse<String> answer =
                server.client().withHeader("Impersonate-User", "bob").get(server.at(MAPS));
        List<JsonNode> events = events(id(answer));
        assertThat(events.getFirst().has("impersonatedUser")).isFalse();
        assertThat(events.getLast().path("user").path("username").asText()).isEqualTo("admin");
        assertThat(events.getLast().path("impersonatedUser").toString())
                .isEqualTo("{\"username\":\"bob\",\"groups\":[\"system:authenticated\"]}");
    }

    @Test
    void rejectedCredentialIsRecordedByItsType() throws IOException {
        try (HttpsClient client = HttpsClient.of(server.pki(), null)) {
            HttpResponse<String> rejected =
                    client.withHeader("Authorization", "Bearer wrong-token").get(server.at(MAPS));
            assertThat(rejected.statusCode()).isEqualTo(401);
            await().until(() -> !events(id(rejected)).isEmpty());
            JsonNode event = events(id(rejected)).getFirst();
            assertThat(event.path("stage").asText()).isEqualTo("ResponseStarted");
            assertThat(event.path("user").toString()).isEqualTo("{}");
            assertThat(event.path("responseStatus").toString())
                    .isEqualTo(
                            "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"Unauthorized\",\"reason\":\"Unauthorized\",\"code\":401}");
            assertThat(event.path("annotations").toString())
                    .isEqualTo("{\"authentication.plat.io/attempted\":\"bearer\"}");
            HttpResponse<String> right =
                    client.withHeader("Authorization", "Bearer right-token").get(server.at(MAPS));
            assertThat(events(id(right)).getLast().path("user").path("username").asText())
                    .isEqualTo("carol");
        }
        assertThat(log()).content().doesNotContain("wrong-token").doesNotContain("right-token");
    }

    /** The token id connects a request with the token request that issued its token. */
    @Test
    void tokenIdConnectsIssueAndUse() throws IOException {
        String accounts = "/api/v1/namespaces/default/serviceaccounts";
        server.client().post(server.at(accounts), "{\"metadata\":{\"name\":\"robot\"}}");
        HttpResponse<String> issued = server.client().post(server.at(accounts + "/robot/token"), "{\"spec\":{}}");
        JsonNode annotations = events(id(issued)).getLast().path("annotations");
        String credential = annotations
                .path("authentication.kubernetes.io/issued-credential-id")
                .asText();
        assertThat(credential).startsWith("JTI=");
        String token = JSON.readTree(issued.body()).at("/status/token").asText();
        try (HttpsClient client = HttpsClient.of(server.pki(), null)) {
            HttpResponse<String> used =
                    client.withHeader("Authorization", "Bearer " + token).get(server.at(MAPS));
            assertThat(events(id(used)).getLast().path("user").path("extra").toString())
                    .contains("\"authentication.kubernetes.io/credential-id\":[\"" + credential + "\"]");
        }
    }

    @Test
    void deletedObjectIsNamed() throws IOException {
        server.client().post(server.at(MAPS), map("gone"));
        HttpResponse<String> deleted = server.client().send("DELETE", server.at(MAPS + "/gone"), null);
        assertThat(events(id(deleted)).getFirst().path("responseStatus").toString())
                .matches("\\{\"metadata\":\\{},\"status\":\"Success\",\"details\":"
                        + "\\{\"name\":\"gone\",\"kind\":\"configmaps\",\"uid\":\"[-0-9a-f]{36}\"},\"code\":200}");
    }

    /** By the nature of the request, as in Kubernetes: the response here is a denial. */
    @Test
    void streamingRequestIsRecordedAtItsStart() throws IOException {
        for (String part : List.of("log", "exec", "attach", "portforward", "proxy")) {
            HttpResponse<String> answer = nobody.get(server.at("/api/v1/namespaces/default/pods/x/" + part));
            await().untilAsserted(() -> assertThat(stages(events(id(answer))))
                    .as(part)
                    .isEqualTo("RequestReceived ResponseStarted ResponseComplete"));
        }
        HttpResponse<String> status = nobody.get(server.at("/api/v1/namespaces/default/pods/x/status"));
        assertThat(stages(events(id(status)))).isEqualTo("RequestReceived ResponseComplete");
    }

    @Test
    void ambiguousPathIsRecorded() throws IOException {
        HttpResponse<String> rejected = nobody.get(server.at("/api/v1/namespaces/default/secrets/a%2fb"));
        assertThat(rejected.statusCode()).isEqualTo(400);
        await().until(() -> !events(id(rejected)).isEmpty());
        JsonNode event = events(id(rejected)).getFirst();
        assertThat(event.path("requestURI").asText()).isEqualTo("/api/v1/namespaces/default/secrets/a%2fb");
        assertThat(event.path("responseStatus").path("code").asInt()).isEqualTo(400);
    }

    @Test
    void nonObjectBodiesAreNotRecorded() throws IOException {
        String types = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        HttpResponse<String> version = server.client().get(server.at("/version"));
        assertThat(events(id(version)).getLast().has("responseObject")).isFalse();
        assertThat(server.client()
                        .withHeader("Accept", types)
                        .get(server.at("/apis"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void contentOfSecretsIsNotRecorded() throws IOException {
        String secret = "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\"},"
                + "\"stringData\":{\"k\":\"do-not-tell\"}}";
        HttpResponse<String> created = server.client().post(server.at("/api/v1/namespaces/default/secrets"), secret);
        List<JsonNode> events = events(id(created));
        assertThat(stages(events)).isEqualTo("RequestReceived ResponseComplete");
        assertThat(events.getLast().path("objectRef").path("name").asText()).isEqualTo("s");
        assertThat(log()).content().doesNotContain("do-not-tell");
    }

    @Test
    void watchIsRecordedFromStartToEnd() throws IOException {
        HttpsClient client = server.client().withHeader("Audit-ID", "unused");
        assertThat(client.get(server.at(MAPS)).statusCode()).isEqualTo(200);
        String uri = MAPS + "?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dwatched";
        try (OpenWatch watch = OpenWatch.open(server.client(), server.at(uri))) {
            assertThat(watch.code()).isEqualTo(200);
            await().until(() -> stagesOf(uri).equals("RequestReceived ResponseStarted"));
            assertThat(watch.rest()).isEmpty();
        }
        await().until(() -> stagesOf(uri).equals("RequestReceived ResponseStarted ResponseComplete"));
    }

    private static String stagesOf(String uri) throws IOException {
        return stages(Files.readAllLines(log()).stream()
                .map(AuditTest::parsed)
                .filter(event -> event.path("requestURI").asText().equals(uri))
                .toList());
    }

    @Test
    void webhookReceivesEventListsAndRetries() throws IOException {
        String id = id(server.client().post(server.at(MAPS), map("sent")));
        await().until(() -> receiver.received().stream().anyMatch(list -> list.contains(id)));
        JsonNode list = parsed(receiver.received().getFirst());
        assertThat(list.path("kind").asText()).isEqualTo("EventList");
        assertThat(list.path("apiVersion").asText()).isEqualTo("audit.k8s.io/v1");
        JsonNode sent = receiver.received().stream()
                .flatMap(body -> StreamSupport.stream(parsed(body).path("items").spliterator(), false))
                .filter(event -> event.path("auditID").asText().equals(id))
                .findFirst()
                .orElseThrow();
        assertThat(sent.has("kind")).isFalse();
        assertThat(sent.path("requestObject").toString()).isEqualTo(map("sent"));
    }

    @Test
    void recordedEventsAreCounted() throws IOException {
        HttpResponse<String> skipped = server.client().get(server.at("/metrics"));
        assertThat(events(id(skipped))).isEmpty();
        assertThat(skipped.body())
                .contains("apiserver_audit_level_total{level=\"None\"}")
                .contains("apiserver_audit_event_total ")
                .contains("apiserver_audit_error_total{plugin=\"webhook\"} 0");
    }

    @Test
    void strictModeRefusesUnrecordedRequests() throws IOException {
        Path policy = Files.writeString(directory.resolve("strict.yaml"), """
                apiVersion: audit.k8s.io/v1
                kind: Policy
                rules: [{level: None, nonResourceURLs: ["*"]}, {level: Metadata}]
                """);
        try (StandaloneServer strict = StandaloneServer.start(
                "--audit-policy-file=" + policy, "--audit-log-path=/dev/full", "--audit-log-mode=blocking-strict")) {
            HttpResponse<String> rejected = strict.client().post(strict.at(MAPS), map("a"));
            assertThat(rejected.statusCode()).isEqualTo(500);
            assertThat(rejected.body()).contains("failed to store audit event");
            assertThat(strict.client().get(strict.at("/metrics")).body())
                    .contains("apiserver_audit_error_total{plugin=\"log\"} 1.0")
                    .contains("apiserver_audit_requests_rejected_total 1.0");
        }
    }
}
