package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server with an authorization configuration file: two deciders for different requests, an unreachable one, and a policy file. */
class AuthorizationConfigTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEAD =
            "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n";
    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.platform.io/v1beta1\",\"kind\":\"Policy\",\"spec\":"
                    + "{\"user\":\"alice\",\"namespace\":\"%s\",\"resource\":\"configmaps\"}}\n";

    private static TestPki pki;
    private static Path config;
    private static RunningServer decider;
    private static RunningServer server;
    private static HttpsClient admin;
    private static HttpsClient alice;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create()
                .client("apiserver-lite")
                .client("admin", "system:masters")
                .client("alice");
        config = pki.directory().resolve("authorization.yaml");
        Files.writeString(pki.directory().resolve("remote.jsonl"), LINE.formatted("remote"));
        Files.writeString(pki.directory().resolve("local.jsonl"), LINE.formatted("local"));
        decider = start(
                Program.DECIDER,
                "--authorization-mode=ABAC",
                "--authorization-policy-file=" + pki.file("remote.jsonl"),
                "--decision-log-path=" + pki.directory().resolve("decisions.log"));
        ClientFiles.write(pki, "webhook.conf", decider.at("/authorize"), "apiserver-lite");
        ClientFiles.write(pki, "away.conf", URI.create("https://localhost:1/authorize"), "apiserver-lite");
        Files.writeString(config, initial());
        server = start(
                Program.APISERVER_LITE,
                "--data-dir=" + pki.directory().resolve("data"),
                "--authorization-config=" + config,
                "--authorization-policy-file=" + pki.file("local.jsonl"));
        admin = HttpsClient.of(pki, "admin");
        alice = HttpsClient.of(pki, "alice");
    }

    private static RunningServer start(Program program, String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.add("--secure-port=0");
        flags.addAll(List.of(more));
        return RunningServer.startReused(program, flags);
    }

    @AfterAll
    static void stop() {
        alice.close();
        admin.close();
        server.close();
        decider.close();
        Directories.delete(pki.directory());
    }

    private static String initial() {
        return HEAD + webhook("remote", "webhook.conf", "NoOpinion", "request.user == 'alice'") + lines();
    }

    private static String webhook(String name, String connection, String failurePolicy, String condition) {
        return """
                - type: Webhook
                  name: %s
                  webhook:
                    timeout: 2s
                    cacheAuthorizedRequests: false
                    cacheUnauthorizedRequests: false
                    subjectAccessReviewVersion: v1
                    matchConditionSubjectAccessReviewVersion: v1
                    failurePolicy: %s
                    connectionInfo: {type: KubeConfigFile, kubeConfigFile: %s}
                    matchConditions: [{expression: "%s"}]
                """.formatted(name, failurePolicy, pki.file(connection), condition);
    }

    private static String lines() {
        return "- {type: ABAC, name: lines}\n";
    }

    private static double metric(String start) throws IOException {
        return Metrics.of(admin, server.at("/metrics")).sum(series -> series.startsWith(start));
    }

    private static double reloads(String status) throws IOException {
        return Metrics.of(admin, server.at("/metrics"))
                .sum(series -> series.startsWith("apiserver_authorization_config_controller_automatic_reloads_total{")
                        && series.contains("status=\"" + status + "\""));
    }

    private static void write(String text, String outcome) throws IOException {
        if (Files.readString(config).equals(text)) {
            return;
        }
        double before = reloads(outcome);
        AtomicFile.put(config, text);
        await().until(() -> reloads(outcome) > before);
    }

    @BeforeEach
    void begin() throws IOException {
        write(initial(), "success");
    }

    private static int code(String namespace) throws IOException {
        return list(namespace).statusCode();
    }

    private static HttpResponse<String> list(String namespace) throws IOException {
        return alice.get(server.at("/api/v1/namespaces/" + namespace + "/configmaps"));
    }

    @Test
    void authorizersDecideInOrder() throws IOException {
        assertThat(code("remote")).isEqualTo(200);
        assertThat(code("local")).isEqualTo(200);
        assertThat(code("other")).isEqualTo(403);
        assertThat(metric("apiserver_authorization_webhook_evaluations_total{name=\"remote\",result=\"success\""))
                .isGreaterThanOrEqualTo(3);
        assertThat(JSON.readTree(admin.post(
                                        server.at("/apis/authorization.k8s.io/v1/subjectaccessreviews"),
                                        "{\"spec\":{\"user\":\"alice\",\"resourceAttributes\":{\"verb\":\"list\","
                                                + "\"resource\":\"configmaps\",\"namespace\":\"remote\"}}}")
                                .body())
                        .at("/status/allowed")
                        .asBoolean())
                .isTrue();
    }

    private static double decisions(String authorizer) throws IOException {
        return metric("apiserver_authorization_decisions_total{decision=\"allowed\"," + authorizer + "}");
    }

    @Test
    void decisionsAreCountedByAuthorizerName() throws IOException {
        double remote = decisions("name=\"remote\",type=\"Webhook\"");
        double lines = decisions("name=\"lines\",type=\"ABAC\"");
        double masters = decisions("name=\"system:masters\",type=\"system:masters\"");
        assertThat(code("remote")).isEqualTo(200);
        assertThat(code("remote")).isEqualTo(200);
        assertThat(code("local")).isEqualTo(200);
        assertThat(decisions("name=\"remote\",type=\"Webhook\"")).isEqualTo(remote + 2);
        assertThat(decisions("name=\"lines\",type=\"ABAC\"")).isEqualTo(lines + 1);
        assertThat(decisions("name=\"system:masters\",type=\"system:masters\"")).isGreaterThan(masters);
        assertThat(decisions("name=\"default\",type=\"Webhook\"")).isZero();
    }

    @Test
    void webhookIsCalledOnlyIfItsConditionsMatch() throws IOException {
        double excluded = metric("apiserver_authorization_match_condition_exclusions_total");
        write(
                HEAD + webhook("remote", "webhook.conf", "Deny", "has(request.nonResourceAttributes)") + lines(),
                "success");
        assertThat(code("remote")).isEqualTo(403);
        assertThat(code("local")).isEqualTo(200);
        assertThat(metric("apiserver_authorization_match_condition_exclusions_total"))
                .isEqualTo(excluded + 2);
    }

    @Test
    void listSelectorsReachConditionsAndWebhook() throws IOException {
        String selected = "request.resourceAttributes.?labelSelector.?requirements.orValue([]).exists(r, r.key == 'app'"
                + " && r.operator == 'In' && r.values == ['web'])";
        write(HEAD + webhook("remote", "webhook.conf", "Deny", selected) + lines(), "success");
        String path = "/api/v1/namespaces/remote/configmaps";
        assertThat(alice.get(server.at(path)).statusCode()).isEqualTo(403);
        assertThat(alice.get(server.at(path + "?labelSelector=app%3Ddb")).statusCode())
                .isEqualTo(403);
        assertThat(alice.get(server.at(path + "?labelSelector=app%3Dweb")).statusCode())
                .isEqualTo(200);
        assertThat(alice.get(server.at(path + "/x?labelSelector=app%3Dweb")).statusCode())
                .isEqualTo(403);
        await().until(
                        () -> Files.readString(pki.directory().resolve("decisions.log"))
                                .contains(
                                        "\"labelSelector\":{\"requirements\":[{\"key\":\"app\",\"operator\":\"In\",\"values\":[\"web\"]}]}"));
    }

    @Test
    void failurePolicyDecidesFailures() throws IOException {
        write(HEAD + webhook("away", "away.conf", "NoOpinion", "true") + lines(), "success");
        assertThat(code("local")).isEqualTo(200);
        assertThat(code("other")).isEqualTo(500);
        assertThat(metric("apiserver_authorization_webhook_evaluations_fail_open_total{name=\"away\",result=\"error\""))
                .isGreaterThanOrEqualTo(2);
        write(HEAD + webhook("away", "away.conf", "Deny", "true") + lines(), "success");
        HttpResponse<String> rejected = list("local");
        assertThat(rejected.statusCode()).isEqualTo(500);
        assertThat(rejected.body()).contains("away: webhook https://localhost:1/authorize");
        assertThat(admin.get(server.at("/api/v1/namespaces/local/configmaps")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void failurePolicyDecidesFailedConditions() throws IOException {
        String fails = "request.resourceAttributes.namespace == 'remote'";
        write(HEAD + webhook("remote", "webhook.conf", "NoOpinion", fails) + lines(), "success");
        assertThat(code("remote")).isEqualTo(200);
        HttpResponse<String> path = alice.get(server.at("/version"));
        assertThat(path.statusCode()).isEqualTo(500);
        assertThat(path.body()).contains("remote: match condition").contains("ATTRIBUTE_NOT_FOUND");
    }

    @Test
    void brokenFileKeepsTheLastValidConfiguration() throws IOException {
        write(HEAD + "- {type: Nope, name: nope}\n", "failure");
        assertThat(code("remote")).isEqualTo(200);
        assertThat(code("other")).isEqualTo(403);
        assertThat(metric("apiserver_authorization_config_controller_last_config_info{"))
                .isEqualTo(1);
        assertThat(server.err()).contains("authorization.yaml:4: authorizers[0].type: invalid value \"Nope\"");
        write(HEAD + lines(), "success");
        assertThat(code("remote")).isEqualTo(403);
        assertThat(code("local")).isEqualTo(200);
    }
}
