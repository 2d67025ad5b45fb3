package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.ScriptedPlugin;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Deciders with explanations over mutual TLS. {@code inner} decides by role objects and a plug-in, hides reasons, and explains to {@code
 * admin} and {@code outer}; {@code outer} decides by a policy file and delegates to {@code inner}; {@code stranger} uses it too, without
 * permission for explanations.
 */
class ExplainTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROLES = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: reader, namespace: team-a}
        rules:
        - {apiGroups: [""], resources: [pods], verbs: [get, list]}
        - {apiGroups: [""], resources: [secrets], resourceNames: [mine], verbs: [get]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: readers, namespace: team-a}
        subjects:
        - {kind: User, name: alice, apiGroup: rbac.authorization.k8s.io}
        - {kind: Group, name: readers, apiGroup: rbac.authorization.k8s.io}
        - {kind: ServiceAccount, name: ci}
        roleRef: {kind: Role, name: reader, apiGroup: rbac.authorization.k8s.io}
        """;
    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"bob\",\"namespace\":\"team-a\",\"resource\":\"pods\",\"readonly\":true}}";

    @TempDir
    static Path directory = Path.of("");

    private static TestPki pki;
    private static HttpsClient admin;
    private static HttpsClient unprivileged;
    private static RunningServer inner;
    private static RunningServer outer;
    private static RunningServer stranger;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("admin").client("caller").client("outer");
        admin = HttpsClient.of(pki, "admin");
        unprivileged = HttpsClient.of(pki, "caller");
        Path plugins = Files.createDirectories(directory.resolve("plugins"));
        ScriptedPlugin.write(plugins);
        Path roles = Files.createDirectories(directory.resolve("roles"));
        Files.writeString(roles.resolve("roles.yaml"), ROLES);
        Files.writeString(directory.resolve("policy.jsonl"), LINE);
        inner = decider(
                "--authorization-mode=RBAC,Moody",
                "--authorization-plugin-dir=" + plugins,
                "--authorization-rbac-path=" + roles,
                "--authorization-rbac-super-user=root",
                "--reasons=none",
                "--explain-client-names=admin,outer",
                "--decision-log-path=" + directory.resolve("decisions.log"));
        ClientFiles.write(pki, "outer.conf", inner.at("/authorize"), "outer");
        ClientFiles.write(pki, "stranger.conf", inner.at("/authorize"), "caller");
        outer = decider(
                "--authorization-mode=ABAC,Webhook",
                "--authorization-policy-file=" + directory.resolve("policy.jsonl"),
                "--authorization-webhook-version=authorization.k8s.io/v1",
                "--authorization-webhook-config-file=" + pki.file("outer.conf"));
        stranger = decider(
                "--authorization-mode=Webhook", "--authorization-webhook-config-file=" + pki.file("stranger.conf"));
    }

    @AfterAll
    static void stop() {
        stranger.close();
        outer.close();
        inner.close();
        admin.close();
        unprivileged.close();
        pki.close();
    }

    private static RunningServer decider(String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.add("--secure-port=0");
        flags.addAll(List.of(more));
        return RunningServer.startReused(Program.DECIDER, flags);
    }

    private static HttpResponse<String> send(RunningServer decider, HttpsClient client, String type, String spec)
            throws IOException {
        return client.post(decider.at("/apis/authorization.k8s.io/v1/" + type), "{\"spec\":{" + spec + "}}");
    }

    private static String who(String user, String... groups) throws IOException {
        return "\"user\":\"" + user + "\",\"groups\":" + JSON.writeValueAsString(groups) + ",";
    }

    private static String what(String verb, String resource, String name) {
        return "\"resourceAttributes\":{\"verb\":\"" + verb + "\",\"resource\":\"" + resource + "\",\"name\":\"" + name
                + "\",\"namespace\":\"team-a\"}";
    }

    private static JsonNode explain(RunningServer decider, String spec) throws IOException {
        HttpResponse<String> response = send(decider, admin, "accessexplanations", spec);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        JsonNode answer = JSON.readTree(response.body());
        assertThat(answer.path("kind").asText()).isEqualTo("AccessExplanation");
        assertThat(answer.path("apiVersion").asText()).isEqualTo("authorization.k8s.io/v1");
        assertThat(answer.path("spec").path("user"))
                .isEqualTo(JSON.readTree("{" + spec + "}").path("user"));
        return answer.path("status");
    }

    private static List<String> texts(JsonNode list, String field) {
        List<String> texts = new ArrayList<>();
        list.forEach(element -> texts.add(element.path(field).asText()));
        return texts;
    }

    @Test
    void allowIsExplainedAcrossDeciders() throws IOException {
        JsonNode status = explain(outer, who("bob", "readers") + what("get", "pods", "web"));
        assertThat(status.path("allowed").asBoolean()).isTrue();
        assertThat(status.path("reason").asText()).startsWith("ABAC: allowed by");
        assertThat(texts(status.path("grants"), "authorizer")).containsExactly("ABAC", "Webhook");
        assertThat(texts(status.path("grants"), "source").getFirst()).endsWith("policy.jsonl:1");
        assertThat(texts(status.path("grants"), "source").getLast())
                .startsWith(inner.at("/authorize") + ": RBAC RoleBinding/team-a/readers (")
                .contains("roles.yaml:8) -> Role/team-a/reader (")
                .endsWith("roles.yaml:5)");
        assertThat(texts(status.path("grants"), "rule").getLast())
                .isEqualTo("{\"verbs\":[\"get\",\"list\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}");
        assertThat(status.path("nearMisses")).isEmpty();
        assertThat(texts(status.path("unexplained"), "reason"))
                .as("the plug-in of the remote decider")
                .singleElement()
                .asString()
                .startsWith(inner.at("/authorize") + ": Moody: ");
    }

    @Test
    void denialIsExplainedByNearMisses() throws IOException {
        JsonNode status = explain(outer, who("alice") + what("get", "secrets", "other"));
        assertThat(status.path("allowed").asBoolean(true)).isFalse();
        assertThat(status.path("reason").asText()).contains("no RBAC policy matched", "not in the mood");
        assertThat(status.path("grants")).isEmpty();
        JsonNode nearest = status.path("nearMisses").path(0);
        assertThat(nearest.path("source").asText()).contains("RoleBinding/team-a/readers");
        assertThat(nearest.path("lacks")).isEqualTo(JSON.readTree("[\"name\"]"));
        assertThat(status.path("suggestion").path("authorizer").asText()).isEqualTo("ABAC");
    }

    @Test
    void suggestedGrantAllowsExactlyTheRequest() throws IOException {
        String spec = who("carol") + what("delete", "secrets", "old");
        String manifests = explain(inner, spec).path("suggestion").path("text").asText();
        AtomicFile.put(directory.resolve("roles").resolve("suggested.yaml"), manifests);
        await().until(() -> explain(inner, spec).path("allowed").asBoolean());
        assertThat(explain(inner, spec).path("grants").path(0).path("source").asText())
                .contains("suggested.yaml");
        for (String other : List.of(
                who("carol") + what("delete", "secrets", "new"),
                who("carol") + what("get", "secrets", "old"),
                who("dave") + what("delete", "secrets", "old"))) {
            assertThat(explain(inner, other).path("allowed").asBoolean(true))
                    .as(other)
                    .isFalse();
        }
    }

    @Test
    void subjectsAreListedWithTheirGrants() throws IOException {
        HttpResponse<String> response = send(outer, admin, "subjectlistings", what("list", "pods", ""));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        JsonNode status = JSON.readTree(response.body()).path("status");
        List<String> subjects = new ArrayList<>();
        for (JsonNode subject : status.path("subjects")) {
            subjects.add(subject.path("kind").asText() + " "
                    + subject.path("namespace").asText() + "/"
                    + subject.path("name").asText());
            assertThat(subject.path("through")).isNotEmpty();
        }
        assertThat(subjects)
                .containsExactly(
                        "Group /readers",
                        "Group /system:masters",
                        "User /alice",
                        "User /bob",
                        "User /root",
                        "ServiceAccount team-a/ci");
        assertThat(texts(status.path("unexplained"), "authorizer")).containsExactly("Webhook");
    }

    private static HttpResponse<String> rules(RunningServer decider, HttpsClient caller, String body)
            throws IOException {
        return caller.post(decider.at("/apis/authorization.plat.io/v1beta1/subjectrules"), body);
    }

    private static JsonNode rulesOf(RunningServer decider, String user) throws IOException {
        HttpResponse<String> response =
                rules(decider, admin, "{\"spec\":{" + user + "\"namespace\":\"team-a\",\"extra\":{\"x\":[\"y\"]}}}");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        JsonNode answer = JSON.readTree(response.body());
        assertThat(answer.path("kind").asText()).isEqualTo("SubjectRules");
        assertThat(answer.path("apiVersion").asText()).isEqualTo("authorization.plat.io/v1beta1");
        return answer.path("status");
    }

    @Test
    void rulesIncludeAllMembersAcrossDeciders() throws IOException {
        String pods = "{\"verbs\":[\"get\",\"list\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}";
        String secret =
                "{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"secrets\"],\"resourceNames\":[\"mine\"]}";
        String line =
                "{\"verbs\":[\"get\",\"list\",\"watch\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\",\"pods/*\"]}";
        assertThat(rulesOf(inner, who("alice")).path("resourceRules").toString())
                .isEqualTo("[" + pods + "," + secret + "]");
        assertThat(rulesOf(outer, who("bob", "readers")).path("resourceRules").toString())
                .isEqualTo("[" + line + "," + pods + "," + secret + "]");
        assertThat(rulesOf(outer, "\"user\":\"bob\",\"group\":[\"readers\"],").path("resourceRules"))
                .as("the field of the other reviews of this version")
                .hasSize(3);
        assertThat(rulesOf(outer, "\"groups\":[\"readers\"],").path("resourceRules"))
                .hasSize(2);
        assertThat(rulesOf(outer, who("nobody")).path("resourceRules")).isEmpty();
        JsonNode status = rulesOf(outer, who("alice"));
        assertThat(status.path("incomplete").asBoolean()).isTrue();
        assertThat(status.path("evaluationError").asText())
                .as("the plug-in of the remote decider")
                .isEqualTo("Webhook: " + inner.at("/authorize") + ": Moody: it cannot enumerate rules");
        assertThat(rulesOf(stranger, who("alice")).path("evaluationError").asText())
                .startsWith("Webhook: " + inner.at("/authorize")
                        + ": the webhook cannot enumerate rules: HTTP 403: client \"caller\" may not");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"spec":{"user":"alice"}}                                               | 400
            {"spec":{"user":["alice"],"namespace":"a"}}                             | 400
            {"spec":{"user":"alice","user":"bob","namespace":"a"}}                  | 400
            {"kind":"SelfSubjectRulesReview","spec":{"user":"x","namespace":"a"}}   | 400
            {"apiVersion":"authorization.k8s.io/v1","spec":{"namespace":"a"}}       | 400
            {"spec":                                                                | 400
            []                                                                      | 400
            {"spec":{"namespace":"a"}}                                              | 422
            {"spec":{"user":"","groups":[],"namespace":"a"}}                        | 422
            """)
    void rulesRequireAUser(String body, int code) throws IOException {
        assertThat(rules(inner, admin, body).statusCode()).isEqualTo(code);
        assertThat(rules(inner, unprivileged, body).statusCode())
                .as("a client without explanations")
                .isEqualTo(403);
    }

    @Test
    void unexplainingUpstreamDeciderIsNamed() throws IOException {
        JsonNode allowed = explain(stranger, who("alice") + what("get", "pods", "web"));
        assertThat(allowed.path("allowed").asBoolean()).isTrue();
        assertThat(texts(allowed.path("grants"), "source"))
                .containsExactly(inner.at("/authorize").toString());
        assertThat(texts(allowed.path("unexplained"), "reason"))
                .singleElement()
                .asString()
                .contains("HTTP 403: client \"caller\" may not request explanations from this decider");
        JsonNode denied = explain(stranger, who("alice") + what("watch", "pods", "web"));
        assertThat(denied.path("allowed").asBoolean(true)).isFalse();
        assertThat(denied.path("nearMisses")).isEmpty();
        HttpResponse<String> listing = send(stranger, admin, "subjectlistings", what("get", "pods", ""));
        assertThat(JSON.readTree(listing.body()).path("status").path("subjects"))
                .isEmpty();
        assertThat(listing.body()).contains("HTTP 403");
    }

    @Test
    void hiddenReasonsAreShownToNamedClientsOnly() throws IOException {
        String review = who("alice") + what("get", "pods", "web");
        assertThat(send(inner, unprivileged, "subjectaccessreviews", review).body())
                .contains("\"allowed\":true")
                .doesNotContain("reason");
        assertThat(send(inner, admin, "subjectaccessreviews", review).body()).contains("reason", "readers/team-a");
        for (String type : List.of("accessexplanations", "subjectlistings")) {
            HttpResponse<String> rejected = send(inner, unprivileged, type, review);
            assertThat(rejected.statusCode()).isEqualTo(403);
            assertThat(rejected.body()).doesNotContain("readers", "roles.yaml", "RBAC", "Moody");
        }
    }

    @Test
    void explanationsAreNotLoggedAsDecisions() throws IOException {
        HttpResponse<String> explained =
                send(inner, admin, "accessexplanations", who("erin") + what("get", "pods", "web"));
        HttpResponse<String> decided =
                send(inner, admin, "subjectaccessreviews", who("erin") + what("get", "pods", "web"));
        await().until(() -> Files.readString(directory.resolve("decisions.log")).contains(id(decided)));
        assertThat(Files.readString(directory.resolve("decisions.log"))).doesNotContain(id(explained));
        assertThat(explained.headers().firstValue("Policy-Revision"))
                .isEqualTo(decided.headers().firstValue("Policy-Revision"));
    }

    private static String id(HttpResponse<String> answer) {
        return answer.headers().firstValue("Decision-Id").orElseThrow();
    }

    @Test
    void failedMemberIsReportedUnknown() throws IOException {
        HttpResponse<String> failed =
                send(inner, admin, "accessexplanations", who("thrower") + what("watch", "pods", "web"));
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.body()).contains("Moody: the plug-in threw IOException");
        JsonNode allowed = explain(inner, who("thrower", "readers") + what("get", "pods", "web"));
        assertThat(allowed.path("allowed").asBoolean()).isTrue();
        assertThat(texts(allowed.path("unexplained"), "reason")).containsExactly("the plug-in threw IOException");
    }
}
