package io.plat.tests.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1Authorization;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.HttpsClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every review type, on a server with a decider and, for what that does not allow, a policy file. */
class ReviewTypesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String K8S = "/apis/authorization.k8s.io/v1";
    private static final String BINARY = "application/vnd.kubernetes.protobuf";
    private static final byte[] PREFIX = {0x6b, 0x38, 0x73, 0x00};
    private static final String LINE = "{\"apiVersion\":\"abac.authorization.platform.io/v1beta1\",\"kind\":\"Policy\","
            + "\"spec\":{\"user\":\"alice\",\"namespace\":\"team-c\",\"resource\":\"services\",\"readonly\":true}}\n";

    private static final String SELF = "{\"verbs\":[\"create\"],\"apiGroups\":[\"authorization.k8s.io\"],\"resources\":"
            + "[\"selfsubjectaccessreviews\",\"selfsubjectrulesreviews\"]},{\"verbs\":[\"create\"],"
            + "\"apiGroups\":[\"authentication.k8s.io\"],\"resources\":[\"selfsubjectreviews\"]}";

    private static Path policy;
    private static DelegatingSystem system;
    private static HttpsClient admin;
    private static HttpsClient alice;

    @BeforeAll
    static void start() throws IOException {
        policy = Files.writeString(Files.createTempFile("plat-policy", ".jsonl"), LINE);
        system = DelegatingSystem.start(
                "--authorization-mode=ABAC", "--authorization-policy-file=" + policy, "--runtime-config=api/all=true");
        admin = system.client("admin");
        alice = system.client("alice");
    }

    @AfterAll
    static void stop() throws IOException {
        admin.close();
        alice.close();
        system.close();
        Files.delete(policy);
    }

    private static JsonNode post(HttpsClient client, String path, String body) throws IOException {
        HttpResponse<String> answer = client.post(system.at(path), body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        JsonNode review = JSON.readTree(answer.body());
        assertThat(review.at("/metadata/creationTimestamp").isMissingNode()).isTrue();
        return review;
    }

    @ParameterizedTest
    @ValueSource(strings = {"authorization.k8s.io/v1", "authorization.k8s.io/v1beta1", "authorization.plat.io/v1beta1"})
    void reviewTypesAreDiscoverableAndCreateOnly(String version) throws IOException {
        JsonNode types = JSON.readTree(admin.get(system.at("/apis/" + version)).body());
        assertThat(types.path("resources").findValuesAsText("name"))
                .containsExactly(
                        "accesschanges",
                        "accessexplanations",
                        "accessmatrices",
                        "localsubjectaccessreviews",
                        "policytexts",
                        "selfsubjectaccessreviews",
                        "selfsubjectrulesreviews",
                        "subjectaccessreviews",
                        "subjectlistings");
        for (JsonNode type : types.path("resources")) {
            assertThat(type.path("verbs").toString()).isEqualTo("[\"create\"]");
            String scope = type.path("namespaced").asBoolean() ? "/namespaces/team-a/" : "/";
            String path = "/apis/" + version + scope + type.path("name").asText();
            for (String method : List.of("GET", "PUT", "PATCH", "DELETE")) {
                assertThat(admin.send(method, system.at(path), "{}").statusCode())
                        .as(method + " " + path)
                        .isEqualTo(405);
            }
            assertThat(admin.post(system.at(path + "/x"), "{}").statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource(delimiter = '|', textBlock = """
            alice   | team-a-developers | /api/v1/namespaces/team-a/pods       | list | pods     | team-a | true
            alice   | team-a-developers | /api/v1/namespaces/team-b/pods       | list | pods     | team-b | false
            alice   | team-a-developers | /api/v1/namespaces/team-c/services   | list | services | team-c | true
            mallory |                   | /api/v1/namespaces/team-c/services   | list | services | team-c | false
            admin   | system:masters    | /api/v1/namespaces/team-c/services   | list | services | team-c | true
            """)
    void reviewsAgreeWithRequests(
            String user, String group, String path, String verb, String resource, String namespace, boolean allowed)
            throws IOException {
        String groups = group == null ? "" : "\"" + group + "\",";
        String spec = "{\"spec\":{\"user\":\"%s\",\"%s\":[%s\"system:authenticated\"],\"resourceAttributes\":"
                + "{\"verb\":\"%s\",\"resource\":\"%s\",\"version\":\"v1\",\"namespace\":\"%s\"}}}";
        try (HttpsClient client = system.client(user)) {
            HttpResponse<String> real = client.get(system.at(path));
            assertThat(real.statusCode()).isEqualTo(allowed ? 200 : 403);
            for (String version : List.of("authorization.k8s.io/v1", "authorization.plat.io/v1beta1")) {
                String field = version.endsWith("/v1") ? "groups" : "group";
                String body = spec.formatted(user, field, groups, verb, resource, namespace);
                JsonNode review = post(admin, "/apis/" + version + "/subjectaccessreviews", body);
                assertThat(review.at("/status/allowed").asBoolean()).isEqualTo(allowed);
                assertThat(review.at("/spec/user").asText()).isEqualTo(user);
                assertThat(review.at("/metadata/managedFields/0/fieldsV1/f:spec")
                                .has("f:user"))
                        .isEqualTo(version.startsWith("authorization.k8s.io"));
                if (!allowed) {
                    assertThat(JSON.readTree(real.body()).path("message").asText())
                            .endsWith(": " + review.at("/status/reason").asText());
                }
                String local = "/apis/" + version + "/namespaces/" + namespace + "/localsubjectaccessreviews";
                JsonNode localReview = post(admin, local, body);
                assertThat(localReview.path("status")).isEqualTo(review.path("status"));
                assertThat(localReview.at("/metadata/namespace").asText()).isEqualTo(namespace);
                assertThat(post(admin, "/apis/" + version + "/accessexplanations", body)
                                .at("/status/allowed")
                                .asBoolean())
                        .isEqualTo(allowed);
            }
            JsonNode self = post(
                    client,
                    K8S + "/selfsubjectaccessreviews",
                    "{\"spec\":{\"resourceAttributes\":{\"verb\":\"%s\",\"resource\":\"%s\",\"namespace\":\"%s\"}}}"
                            .formatted(verb, resource, namespace));
            assertThat(self.at("/status/allowed").asBoolean()).isEqualTo(allowed);
        }
    }

    @Test
    void localReviewChecksTheNamespaceOfItsPath() throws IOException {
        HttpResponse<String> rejected = admin.post(
                system.at(K8S + "/namespaces/team-a/localsubjectaccessreviews"),
                "{\"spec\":{\"user\":\"bob\",\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\","
                        + "\"namespace\":\"team-b\"}}}");
        assertThat(rejected.statusCode()).isEqualTo(422);
        assertThat(JSON.readTree(rejected.body()).at("/details/causes/0/field").asText())
                .isEqualTo("spec.resourceAttributes.namespace");
        assertThat(rejected.body()).contains("must match metadata.namespace");
        HttpResponse<String> path = admin.post(
                system.at(K8S + "/namespaces/team-a/localsubjectaccessreviews"),
                "{\"spec\":{\"user\":\"bob\",\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":\"/version\"}}}");
        assertThat(path.statusCode()).isEqualTo(422);
        assertThat(path.body()).contains("disallowed on this kind of request");
    }

    @Test
    void rulesIncludeFileAndDecider() throws IOException {
        JsonNode status = post(alice, K8S + "/selfsubjectrulesreviews", "{\"spec\":{\"namespace\":\"team-c\"}}")
                .path("status");
        assertThat(status.path("resourceRules").toString())
                .isEqualTo("[" + SELF + ",{\"verbs\":[\"get\",\"list\",\"watch\"],\"apiGroups\":[\"\"],"
                        + "\"resources\":[\"services\",\"services/*\"]}]");
        assertThat(status.path("nonResourceRules").toString()).contains("/api/*");
        assertThat(status.path("incomplete").asBoolean()).isFalse();
        assertThat(status.path("evaluationError").isMissingNode()).isTrue();
        assertThat(post(alice, K8S + "/selfsubjectrulesreviews", "{\"spec\":{\"namespace\":\"other\"}}")
                        .at("/status/resourceRules")
                        .toString())
                .isEqualTo("[" + SELF + "]");
        assertThat(post(admin, K8S + "/selfsubjectrulesreviews", "{\"spec\":{\"namespace\":\"other\"}}")
                        .at("/status/resourceRules/0/resources/0")
                        .asText())
                .isEqualTo("*");
    }

    @Test
    void listingsIncludeAllMembers() throws IOException {
        JsonNode subjects = post(
                        admin,
                        K8S + "/subjectlistings",
                        "{\"spec\":{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"services\","
                                + "\"namespace\":\"team-c\"}}}")
                .at("/status/subjects");
        assertThat(subjects.findValuesAsText("name")).contains("system:masters", "alice");
    }

    @Test
    void reviewsAcceptTheBinaryForm() throws Exception {
        var request = V1Authorization.SelfSubjectRulesReview.newBuilder()
                .setSpec(V1Authorization.SelfSubjectRulesReviewSpec.newBuilder().setNamespace("team-c"))
                .build();
        var envelope = Runtime.Unknown.newBuilder()
                .setTypeMeta(Runtime.TypeMeta.newBuilder()
                        .setApiVersion("authorization.k8s.io/v1")
                        .setKind("SelfSubjectRulesReview"))
                .setRaw(request.toByteString())
                .build();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(PREFIX);
        envelope.writeTo(body);
        HttpResponse<byte[]> answer = alice.http()
                .send(
                        HttpRequest.newBuilder(system.at(K8S + "/selfsubjectrulesreviews"))
                                .header("Content-Type", BINARY)
                                .header("Accept", BINARY)
                                .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).as(new String(answer.body(), UTF_8)).isEqualTo(201);
        assertThat(Arrays.copyOf(answer.body(), 4)).isEqualTo(PREFIX);
        var unknown = Runtime.Unknown.parseFrom(Arrays.copyOfRange(answer.body(), 4, answer.body().length));
        assertThat(unknown.getTypeMeta().getKind()).isEqualTo("SelfSubjectRulesReview");
        var status = V1Authorization.SelfSubjectRulesReview.parseFrom(unknown.getRaw())
                .getStatus();
        assertThat(status.getIncomplete()).isFalse();
        assertThat(status.getResourceRules(2).getResourcesList()).containsExactly("services", "services/*");
    }

    @ParameterizedTest
    @CsvSource({
        "list pods -n team-a,                       yes",
        "list pods -n team-b,                       no",
        "list services -n team-c,                   yes",
        "get pods --subresource=log -n team-a,      yes",
        "get services --subresource=proxy -n team-c, yes",
        "create services -n team-c,                 no"
    })
    void kubectlChecksAnotherUser(String request, String expected) {
        assumeTrue(Command.installed("kubectl"), "kubectl is not installed");
        CompletedProcess answer = Command.of(
                        "kubectl", "--kubeconfig", system.clientFile("admin").toString())
                .with("--as=alice", "--as-group=team-a-developers", "auth", "can-i")
                .with(request.split(" ", -1))
                .run();
        assertThat(answer.out()).as(answer.err()).startsWith(expected);
    }

    @Test
    void kubectlListsAllowedActions() {
        assumeTrue(Command.installed("kubectl"), "kubectl is not installed");
        CompletedProcess list = Command.of(
                        "kubectl", "--kubeconfig", system.clientFile("alice").toString())
                .with("auth", "can-i", "--list", "-n", "team-c")
                .run();
        assertThat(list.exitStatus()).as(list.err()).isZero();
        assertThat(list.out()).containsPattern("services +\\[\\] +\\[\\] +\\[get list watch\\]");
        assertThat(list.err()).as("a warning that the list may be incomplete").isEmpty();
    }
}
