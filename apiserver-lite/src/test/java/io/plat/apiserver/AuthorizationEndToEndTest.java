package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.TestingClient.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthorizationEndToEndTest {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final String ENABLED = "--runtime-config=rbac.authorization.plat.io/v1alpha1";

    private final Path directory;

    AuthorizationEndToEndTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static void created(Answer answer) {
        assertThat(answer.code()).as(answer.body()).isEqualTo(201);
    }

    private static void grant(TestingClient admin, String name, String subject) throws IOException {
        created(admin.post(
                RBAC + "/clusterrolebindings",
                "{\"metadata\":{\"name\":\"" + name + "\"},\"subjects\":[" + subject
                        + "],\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\","
                        + "\"name\":\"reader\"}}"));
    }

    private static void makeReader(TestingClient admin) throws IOException {
        created(admin.post(
                RBAC + "/clusterroles",
                "{\"metadata\":{\"name\":\"reader\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],"
                        + "\"verbs\":[\"get\",\"list\"]},{\"nonResourceURLs\":[\"/version\"],\"verbs\":[\"get\"]}]}"));
    }

    @Test
    void roleObjectsTakeEffectOnceWritten() throws Exception {
        try (TestingApiServer server = TestingApiServer.start(
                directory, "--authorization-mode=RBAC", ENABLED, "--authorization-rbac-default-roles=false")) {
            TestingClient alice = server.user("alice");
            Answer before = alice.get("/api/v1/pods");
            assertThat(before.code()).isEqualTo(403);
            assertThat(before.message())
                    .startsWith(
                            "pods is forbidden: User \"alice\" cannot list resource \"pods\" in API group \"\" at the"
                                    + " cluster scope");
            makeReader(server.admin());
            grant(server.admin(), "alice-reads", "{\"kind\":\"User\",\"name\":\"alice\"}");
            assertThat(alice.get("/api/v1/pods").code()).isEqualTo(200);
            assertThat(alice.get("/version").code()).isEqualTo(200);
            assertThat(alice.get("/api/v1/secrets").code()).isEqualTo(403);
            assertThat(alice.get("/apis").code()).isEqualTo(403);
            assertThat(server.user("bob").get("/api/v1/pods").code()).isEqualTo(403);

            assertThat(server.admin()
                            .delete(RBAC + "/clusterrolebindings/alice-reads")
                            .code())
                    .isEqualTo(200);
            assertThat(alice.get("/api/v1/pods").code()).isEqualTo(403);
        }
    }

    @Test
    void bothVocabulariesWriteTheSameRoles() throws Exception {
        try (TestingApiServer server = TestingApiServer.start(directory, "--authorization-mode=RBAC", ENABLED)) {
            TestingClient admin = server.admin();
            String plat = "/apis/rbac.authorization.plat.io/v1alpha1";
            created(admin.post(
                    plat + "/clusterroles",
                    "{\"kind\":\"ClusterRole\",\"apiVersion\":\"rbac.authorization.plat.io/v1alpha1\","
                            + "\"metadata\":{\"name\":\"reader\"},\"rules\":[{\"apiGroups\":[\"\"],"
                            + "\"resources\":[\"pods\"],\"verbs\":[\"list\"]}]}"));
            grant(admin, "devs-read", "{\"kind\":\"Group\",\"name\":\"dev\"}");
            assertThat(server.user("alice", "dev").get("/api/v1/pods").code()).isEqualTo(200);
            assertThat(admin.get(RBAC + "/clusterroles/reader")
                            .json()
                            .path("apiVersion")
                            .asText())
                    .isEqualTo("rbac.authorization.k8s.io/v1");
            assertThat(admin.get(plat + "/clusterrolebindings/devs-read")
                            .json()
                            .path("apiVersion")
                            .asText())
                    .isEqualTo("rbac.authorization.plat.io/v1alpha1");
        }
    }

    @Test
    void gatedGroupsAreNotServed() throws Exception {
        try (TestingApiServer server = TestingApiServer.start(directory, "--authorization-mode=AlwaysAllow")) {
            assertThat(server.admin()
                            .get("/apis/rbac.authorization.plat.io/v1alpha1/clusterroles")
                            .code())
                    .isEqualTo(404);
            assertThat(server.admin().get(RBAC + "/clusterroles").code()).isEqualTo(200);
        }
    }

    @Test
    void writersOfRolesCannotEscalate() throws Exception {
        String role = "{\"metadata\":{\"name\":\"x\"},"
                + "\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"list\"]}]}";
        try (TestingApiServer server = TestingApiServer.start(
                directory, "--authorization-mode=AlwaysAllow,RBAC", ENABLED, "--authorization-rbac-super-user=root")) {
            Answer refused = server.user("alice").post(RBAC + "/clusterroles", role);
            assertThat(refused.code()).isEqualTo(403);
            assertThat(refused.message())
                    .contains("user \"alice\" (groups=[")
                    .endsWith(" is attempting to grant RBAC permissions not currently held:\n"
                            + "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"list\"]}");
            created(server.user("root").post(RBAC + "/clusterroles", role));
            assertThat(server.user("alice").delete(RBAC + "/clusterroles/x").code())
                    .isEqualTo(200);
        }
    }

    @Test
    void alwaysDenyAloneDeniesEveryone() throws Exception {
        try (TestingApiServer server = TestingApiServer.start(
                directory, "--authorization-mode=AlwaysDeny", "--authorization-always-allow-paths=/livez")) {
            assertThat(server.admin().get("/api/v1/pods").code()).isEqualTo(403);
            assertThat(server.admin().get("/readyz").code()).isEqualTo(403);
            assertThat(server.anonymous().get("/livez").code()).isEqualTo(200);
        }
    }

    @Test
    void unionAllowsIfOneMemberAllows() throws Exception {
        try (TestingApiServer server =
                TestingApiServer.start(directory, "--authorization-mode=AlwaysDeny,AlwaysAllow")) {
            assertThat(server.anonymous().get("/api/v1/pods").code()).isEqualTo(200);
        }
    }

    @Test
    void abacAppliesItsFileAndMastersBypassIt() throws Exception {
        Path policy = Files.writeString(
                directory.resolve("policy.jsonl"),
                "{\"apiVersion\":\"abac.authorization.platform.io/v1beta1\",\"kind\":\"Policy\",\"spec\":"
                        + "{\"user\":\"alice\",\"namespace\":\"team-a\",\"resource\":\"pods\",\"readonly\":true}}\n");
        try (TestingApiServer server = TestingApiServer.start(
                directory, "--authorization-mode=ABAC", "--authorization-policy-file=" + policy)) {
            assertThat(server.user("alice")
                            .get("/api/v1/namespaces/team-a/pods")
                            .code())
                    .isEqualTo(200);
            assertThat(server.user("alice")
                            .post("/api/v1/namespaces/team-a/pods", "{}")
                            .code())
                    .isEqualTo(403);
            assertThat(server.user("alice").get("/api/v1/pods").code()).isEqualTo(403);
            assertThat(server.admin().get("/api/v1/pods").code()).isEqualTo(200);
        }
    }

    @Test
    void changedPolicyFileTakesEffectWithTheNextStart(@TempDir Path files) throws Exception {
        String line = "{\"apiVersion\":\"abac.authorization.platform.io/v1beta1\",\"kind\":\"Policy\",\"spec\":"
                + "{\"user\":\"alice\",\"namespace\":\"%s\",\"resource\":\"pods\"}}\n";
        Path policy = Files.writeString(files.resolve("policy.jsonl"), line.formatted("a"));
        String[] flags = {"--authorization-mode=ABAC", "--authorization-policy-file=" + policy};
        try (TestingApiServer server = TestingApiServer.start(directory, flags)) {
            Files.writeString(policy, line.formatted("b"));
            assertThat(server.user("alice").get("/api/v1/namespaces/a/pods").code())
                    .isEqualTo(200);
            assertThat(server.user("alice").get("/api/v1/namespaces/b/pods").code())
                    .isEqualTo(403);
        }
        try (TestingApiServer server = TestingApiServer.start(directory, flags)) {
            assertThat(server.user("alice").get("/api/v1/namespaces/a/pods").code())
                    .isEqualTo(403);
            assertThat(server.user("alice").get("/api/v1/namespaces/b/pods").code())
                    .isEqualTo(200);
        }
    }

    @Test
    void failureOfTheRemoteDeciderIsNeverAnAllow() throws Exception {
        TestingPki pki = new TestingPki(directory);
        Path config = Files.writeString(directory.resolve("webhook.conf"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: decider, cluster: {certificate-authority: %s, server: 'https://127.0.0.1:1/authorize'}}]
                users: [{name: server, user: {client-certificate: %s, client-key: %s}}]
                contexts: [{name: webhook, context: {cluster: decider, user: server}}]
                current-context: webhook
                """.formatted(
                        pki.authorityFile(), pki.certificateFile(), pki.keyFile()));
        try (TestingApiServer server = TestingApiServer.start(
                directory,
                "--authorization-mode=Webhook",
                "--runtime-config=authorization.plat.io/v1beta1=true",
                "--authorization-webhook-timeout=1s",
                "--authorization-webhook-config-file=" + config)) {
            Instant begin = Instant.now();
            Answer answer = server.user("alice").get("/api/v1/pods");
            assertThat(answer.code()).isEqualTo(500);
            assertThat(answer.message())
                    .startsWith("could not decide whether User \"alice\" can list resource \"pods\"");
            assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(10));
            assertThat(server.admin().get("/api/v1/pods").code()).isEqualTo(200);

            Answer review = server.admin()
                    .post(
                            "/apis/authorization.plat.io/v1beta1/subjectaccessreviews",
                            "{\"spec\":{\"user\":\"alice\",\"resourceAttributes\":{\"verb\":\"get\","
                                    + "\"resource\":\"pods\"}}}");
            assertThat(review.code()).isEqualTo(500);
        }
    }

    @Test
    void reviewsAgreeWithRequests() throws Exception {
        try (TestingApiServer server =
                TestingApiServer.start(directory, "--authorization-mode=RBAC", "--runtime-config=api/all=true")) {
            makeReader(server.admin());
            grant(server.admin(), "alice-reads", "{\"kind\":\"User\",\"name\":\"alice\"}");
            for (String path : new String[] {
                "/apis/authorization.plat.io/v1beta1/subjectaccessreviews",
                "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                "/apis/authorization.k8s.io/v1beta1/subjectaccessreviews"
            }) {
                String spec = "{\"spec\":{\"user\":\"%s\",\"resourceAttributes\":{\"verb\":\"list\","
                        + "\"resource\":\"pods\"}}}";
                Answer allowed = server.admin().post(path, spec.formatted("alice"));
                assertThat(allowed.code()).as(allowed.body()).isEqualTo(201);
                assertThat(allowed.json().path("status").path("allowed").asBoolean())
                        .isTrue();
                assertThat(allowed.json().path("status").path("reason").asText())
                        .contains("alice-reads");
                Answer denied = server.admin().post(path, spec.formatted("bob"));
                assertThat(denied.code()).isEqualTo(201);
                assertThat(denied.json().path("status").path("allowed").asBoolean(true))
                        .isFalse();
                assertThat(server.user("alice")
                                .post(path, spec.formatted("alice"))
                                .code())
                        .isEqualTo(403);
            }
        }
    }
}
