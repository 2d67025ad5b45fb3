package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.ForeignServer;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stock kube-apiserver whose authorizer is a decider with Kubernetes' default roles, alone and after Node and RBAC, as described in
 * docs/kube-apiserver-webhook.md. In the full run only, as compiling it takes long.
 */
class StockWebhookTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final String ALONE = "";
    private static final String BEHIND = "- {type: Node, name: node}\n- {type: RBAC, name: rbac}\n";
    private static final String ROLES = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: reader}
            rules: [{apiGroups: [""], resources: [pods, configmaps], verbs: [get, list, watch]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: readers}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
            subjects: [{kind: Group, name: team-a, apiGroup: rbac.authorization.k8s.io}]
            """;

    private static TestPki pki;

    @BeforeAll
    static void build() {
        assumeThat(Boolean.getBoolean("plat.full"))
                .as("compiled in the full run only")
                .isTrue();
        StockApiServer.build();
        pki = TestPki.create()
                .client("admin", "system:masters")
                .client("kube-apiserver")
                .client("alice", "team-a");
    }

    @AfterAll
    static void deletePki() {
        TestPki created = pki;
        if (created != null) {
            created.close();
        }
    }

    /** A kube-apiserver and its decider, which can be restarted at its address. */
    private static final class Cluster implements AutoCloseable {
        private final Path home;
        private final int port;
        private final StockApiServer server;
        private RunningServer decider;

        Cluster(Path home, String before) throws IOException {
            this.home = home;
            this.port = ForeignServer.freePort();
            Files.writeString(home.resolve("roles.yaml"), ROLES);
            this.decider = runDecider();
            Path webhook = ClientFiles.write(pki, "webhook.conf", decider.at("/authorize"), "kube-apiserver");
            Path config = Files.writeString(home.resolve("authorization.yaml"), """
                    apiVersion: apiserver.config.k8s.io/v1
                    kind: AuthorizationConfiguration
                    authorizers:
                    %s- type: Webhook
                      name: decider
                      webhook:
                        authorizedTTL: %ss
                        unauthorizedTTL: %ss
                        timeout: 3s
                        subjectAccessReviewVersion: v1
                        failurePolicy: Deny
                        connectionInfo: {type: KubeConfigFile, kubeConfigFile: %s}
                    """.formatted(
                            before, TTL.toSeconds(), TTL.toSeconds(), webhook));
            this.server = StockApiServer.startWith(pki, "--authorization-config=" + config);
        }

        private RunningServer runDecider() {
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=" + port,
                    "--authorization-mode=RBAC",
                    "--authorization-rbac-default-roles=kubernetes",
                    "--authorization-rbac-path=" + home.resolve("roles.yaml")));
            return RunningServer.start(Program.DECIDER, flags);
        }

        CompletedProcess kubectl(String user, String... arguments) {
            Path file = ClientFiles.write(pki, user + ".conf", server.address(), user);
            return Command.of("kubectl", "--kubeconfig", file.toString())
                    .with(arguments)
                    .withEnvironment("HOME", home.toString())
                    .run();
        }

        boolean may(String user, String verb, String resource) {
            return kubectl("admin", "auth", "can-i", verb, resource, "--as=" + user, "-n", "kube-system")
                    .out()
                    .startsWith("yes");
        }

        double evaluations() throws IOException {
            try (HttpsClient admin = HttpsClient.of(pki, "admin")) {
                return Metrics.of(admin, server.address().resolve("/metrics"))
                        .sum(series -> series.startsWith("apiserver_authorization_webhook_evaluations_total{")
                                && series.contains("result=\"success\""));
            }
        }

        double decisions() throws IOException {
            try (HttpsClient apiServer = HttpsClient.of(pki, "kube-apiserver")) {
                return Metrics.of(apiServer, decider.at("/metrics"))
                        .sum(series -> series.startsWith("apiserver_authorization_decisions_total{"));
            }
        }

        void stopDecider() {
            decider.close();
        }

        void startDecider() {
            decider = runDecider();
        }

        @Override
        public void close() {
            server.close();
            decider.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {ALONE, BEHIND})
    void usersAndSystemComponentsAreAuthorized(String before, @TempDir Path home) throws IOException {
        try (Cluster cluster = new Cluster(home, before)) {
            assertThat(cluster.kubectl("alice", "get", "--raw", "/version").exitStatus())
                    .isZero();
            assertThat(cluster.kubectl("alice", "api-resources").exitStatus()).isZero();
            assertThat(cluster.kubectl("alice", "auth", "whoami").out()).contains("team-a");
            assertThat(cluster.kubectl("alice", "get", "pods").exitStatus()).isZero();
            assertThat(cluster.kubectl("alice", "get", "secrets").err()).contains("no RBAC policy matched");
            for (String[] usual : USUAL) {
                assertThat(cluster.may(usual[0], usual[1], usual[2]))
                        .as(String.join(" ", usual))
                        .isTrue();
            }
            assertThat(cluster.may("system:kube-scheduler", "delete", "secrets"))
                    .isFalse();
            assertThat(cluster.may("nobody", "list", "pods")).isFalse();
            assertThat(cluster.evaluations()).isPositive().isEqualTo(cluster.decisions());
        }
    }

    private static final String[][] USUAL = {
        {"system:kube-scheduler", "watch", "pods"},
        {"system:kube-scheduler", "list", "nodes"},
        {"system:kube-controller-manager", "list", "secrets"},
        {"system:kube-controller-manager", "create", "serviceaccounts"},
        {"system:kube-proxy", "watch", "services"},
        {"system:serviceaccount:kube-system:deployment-controller", "create", "replicasets.apps"},
        {"system:serviceaccount:kube-system:namespace-controller", "delete", "pods"},
        {"system:serviceaccount:kube-system:generic-garbage-collector", "delete", "configmaps"},
    };

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void deciderOutageDeniesAndRecoveryIsImmediate(boolean alone, @TempDir Path home) throws IOException {
        try (Cluster cluster = new Cluster(home, alone ? ALONE : BEHIND)) {
            assertThat(cluster.kubectl("alice", "get", "pods").exitStatus()).isZero();
            cluster.stopDecider();
            assertThat(cluster.kubectl("alice", "get", "configmaps").exitStatus())
                    .isEqualTo(1);
            assertThat(cluster.kubectl("admin", "get", "configmaps").exitStatus())
                    .isZero();
            cluster.startDecider();
            try (HttpsClient alice = HttpsClient.of(pki, "alice")) {
                await().atMost(Duration.ofSeconds(1))
                        .pollInterval(Duration.ofMillis(20))
                        .until(() ->
                                alice.get(cluster.server.address().resolve("/api/v1/namespaces/default/configmaps"))
                                                .statusCode()
                                        == 200);
            }
            double remote = cluster.evaluations();
            double own = cluster.decisions();
            for (int i = 0; i < 10; i++) {
                cluster.kubectl("alice", "get", "pod", "p" + i);
            }
            assertThat(cluster.evaluations() - remote)
                    .isEqualTo(cluster.decisions() - own)
                    .isGreaterThanOrEqualTo(10);
            AtomicFile.put(home.resolve("roles.yaml"), ROLES.replace("team-a", "nobody"));
            await().atMost(TTL.plusSeconds(2))
                    .until(() ->
                            cluster.kubectl("alice", "get", "configmaps").err().contains("no RBAC policy matched"));
        }
    }
}
