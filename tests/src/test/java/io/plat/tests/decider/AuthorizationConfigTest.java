package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.ScriptedPlugin;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A decider with an authorization configuration file: another decider, a policy file, role objects and a plug-in. */
class AuthorizationConfigTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEAD = "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n";
    private static final String LINES = "- {type: ABAC, name: lines}\n";
    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\","
                    + "\"spec\":{\"user\":\"alice\",\"namespace\":\"%s\",\"resource\":\"configmaps\"}}\n";
    private static final String ROLES = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: reader}
            rules: [{apiGroups: [""], resources: [pods], verbs: [list]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: readers}
            subjects: [{kind: User, name: bob, apiGroup: rbac.authorization.k8s.io}]
            roleRef: {kind: ClusterRole, name: reader, apiGroup: rbac.authorization.k8s.io}
            """;

    @TempDir
    static Path directory = Path.of("");

    private static TestPki pki;
    private static Path config;
    private static RunningServer remote;
    private static RunningServer decider;
    private static HttpsClient client;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("caller");
        client = HttpsClient.of(pki, "caller");
        config = directory.resolve("authorization.yaml");
        Path plugins = Files.createDirectory(directory.resolve("plugins"));
        ScriptedPlugin.write(plugins);
        Files.writeString(directory.resolve("remote.jsonl"), LINE.formatted("remote"));
        Files.writeString(directory.resolve("local.jsonl"), LINE.formatted("local"));
        Files.writeString(directory.resolve("roles.yaml"), ROLES);
        remote = RunningServer.startReused(
                Program.DECIDER,
                flags("--authorization-mode=ABAC", "--authorization-policy-file=" + directory.resolve("remote.jsonl")));
        ClientFiles.write(pki, "webhook.conf", remote.at("/authorize"), "caller");
        Files.writeString(config, initial());
        decider = RunningServer.startReused(
                Program.DECIDER,
                flags(
                        "--authorization-config=" + config,
                        "--authorization-policy-file=" + directory.resolve("local.jsonl"),
                        "--authorization-rbac-path=" + directory.resolve("roles.yaml"),
                        "--authorization-plugin-dir=" + plugins));
    }

    private static List<String> flags(String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.add("--secure-port=0");
        flags.addAll(List.of(more));
        return flags;
    }

    @AfterAll
    static void stop() {
        decider.close();
        remote.close();
        client.close();
        pki.close();
    }

    private static String webhook(String condition) {
        return """
                - type: Webhook
                  name: remote
                  webhook:
                    timeout: 2s
                    cacheAuthorizedRequests: false
                    cacheUnauthorizedRequests: false
                    subjectAccessReviewVersion: v1
                    matchConditionSubjectAccessReviewVersion: v1
                    failurePolicy: Deny
                    connectionInfo: {type: KubeConfigFile, kubeConfigFile: %s}
                    matchConditions: [{expression: "%s"}]
                """.formatted(pki.file("webhook.conf"), condition);
    }

    private static String initial() {
        return HEAD + "authorizers:\n" + webhook("request.user == 'alice'") + LINES
                + "- {type: RBAC, name: roles}\n- {type: Moody, name: moody}\n";
    }

    private static double metric(String start) throws IOException {
        return Metrics.of(client, decider.at("/metrics")).sum(series -> series.startsWith(start));
    }

    private static double reloads(String status) throws IOException {
        return Metrics.of(client, decider.at("/metrics"))
                .sum(series -> series.startsWith("apiserver_authorization_config_controller_automatic_reloads_total{")
                        && series.contains("status=\"" + status + "\""));
    }

    private static void write(String text, String outcome) throws IOException {
        if (!Files.readString(config).equals(text)) {
            double before = reloads(outcome);
            AtomicFile.put(config, text);
            await().until(() -> reloads(outcome) > before);
        }
    }

    @BeforeEach
    void begin() throws IOException {
        write(initial(), "success");
    }

    private static HttpResponse<String> send(String user, String resource) throws IOException {
        HttpResponse<String> response = client.post(
                decider.at("/authorize"), """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"%s","resourceAttributes":
                 {"verb":"list","namespace":"%s","resource":"%s"}}}
                """.formatted(user, resource.split("/", -1)[0], resource.split("/", -1)[1]));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response;
    }

    private static boolean allowed(String user, String resource) throws IOException {
        JsonNode status = JSON.readTree(send(user, resource).body()).path("status");
        return status.path("allowed").asBoolean();
    }

    private static double decisions(String authorizer) throws IOException {
        return metric("apiserver_authorization_decisions_total{decision=\"allowed\"," + authorizer + "}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            alice   | remote/configmaps | name="remote",type="Webhook"
            alice   | local/configmaps  | name="lines",type="ABAC"
            bob     | any/pods          | name="roles",type="RBAC"
            allowed | any/secrets       | name="moody",type="Moody"
            bob     | any/secrets       | none
            alice   | any/pods          | none
            """)
    void authorizersDecideInOrder(String user, String resource, String by) throws IOException {
        double before = by == null ? 0 : decisions(by);
        assertThat(allowed(user, resource)).isEqualTo(by != null);
        if (by != null) {
            assertThat(decisions(by)).isEqualTo(before + 1);
        }
    }

    @Test
    void changedFileHasANewRevision() throws IOException {
        String revision =
                send("bob", "any/pods").headers().firstValue("Policy-Revision").orElseThrow();
        write(HEAD + "authorizers:\n" + LINES, "success");
        HttpResponse<String> now = send("bob", "any/pods");
        assertThat(JSON.readTree(now.body()).at("/status/allowed").asBoolean()).isFalse();
        assertThat(now.headers().firstValue("Policy-Revision")).isPresent().isNotEqualTo(revision);
        assertThat(allowed("alice", "local/configmaps")).isTrue();
        assertThat(allowed("alice", "remote/configmaps")).isFalse();
    }

    /** ABAC and RBAC ignore selectors; plug-ins and conditions receive both forms. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            selective | local/pods        |                                                                                          | false
            selective | local/pods        | ,'fieldSelector':{'rawSelector':'spec.nodeName=n1'}                                      | true
            selective | local/pods        | ,'fieldSelector':{'rawSelector':'spec.nodeName=n2'}                                      | false
            selective | local/pods        | ,'labelSelector':{'requirements':[{'key':'app','operator':'In','values':['web','db']}]}  | true
            selective | local/pods        | ,'labelSelector':{'requirements':[{'key':'app','operator':'Later','values':['db']}]}     | false
            alice     | local/configmaps  | ,'fieldSelector':{'rawSelector':'=== no selector'}                                       | true
            bob       | local/pods        | ,'fieldSelector':{'rawSelector':'spec.nodeName=n1'}                                      | true
            alice     | remote/configmaps | ,'fieldSelector':{'rawSelector':'spec.nodeName=n1'}                                      | true
            alice     | remote/configmaps | ,'labelSelector':{'requirements':[{'key':'app','operator':'Exists'}]}                    | false
            """)
    void selectorsReachPluginsAndConditions(String user, String resource, String selectors, boolean allowed)
            throws IOException {
        String selected = "!has(request.resourceAttributes.labelSelector)"
                + " && request.resourceAttributes.?fieldSelector.?rawSelector.orValue('spec.nodeName=n1') == 'spec.nodeName=n1'";
        write(initial().replace("request.user == 'alice'", "request.user == 'alice' && " + selected), "success");
        HttpResponse<String> response = client.post(decider.at("/authorize"), """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"%s","resourceAttributes":
                 {"verb":"list","namespace":"%s","resource":"%s"%s}}}""".formatted(
                        user,
                        resource.split("/", -1)[0],
                        resource.split("/", -1)[1],
                        selectors == null ? "" : selectors.replace('\'', '"')));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(JSON.readTree(response.body()).at("/status/allowed").asBoolean())
                .isEqualTo(allowed);
    }

    @Test
    void rawAndParsedSelectorIsInvalid() throws IOException {
        HttpResponse<String> response = client.post(decider.at("/authorize"), """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"bob","resourceAttributes":
                 {"verb":"list","resource":"pods","fieldSelector":{"rawSelector":"a=b","requirements":[{"key":"a","operator":"In"}]}}}}""");
        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(response.body()).contains("may not specified at the same time as requirements");
    }

    @Test
    void platSendsSelectors() throws IOException {
        ClientFiles.write(pki, "plat.conf", decider.at(""), "caller");
        String[] question = {"can-i", "list", "pods", "--as=selective", "--kubeconfig=" + pki.file("plat.conf")};
        assertThat(Command.reused(Program.PLAT, question).run().out()).startsWith("no");
        List<String> selecting = new ArrayList<>(List.of(question));
        selecting.add("--field-selector=spec.nodeName=n1");
        assertThat(Command.reused(Program.PLAT, selecting.toArray(String[]::new))
                        .run()
                        .out())
                .startsWith("yes");
    }

    @Test
    void changedPolicyFilesTakeEffect() throws IOException {
        Path roles = directory.resolve("roles.yaml");
        AtomicFile.put(roles, ROLES.replace("name: bob", "name: carol"));
        await().until(() -> allowed("carol", "any/pods") && !allowed("bob", "any/pods"));
        AtomicFile.put(roles, ROLES);
        await().until(() -> allowed("bob", "any/pods"));
    }

    @Test
    void unreachableWebhookAppliesItsFailurePolicy() throws IOException {
        write(initial().replace(pki.file("webhook.conf").toString(), away()), "success");
        HttpResponse<String> response = client.post(decider.at("/authorize"), """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"alice",
                 "resourceAttributes":{"verb":"list","namespace":"local","resource":"configmaps"}}}""");
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(allowed("bob", "any/pods")).isTrue();
    }

    private static String away() throws IOException {
        ClientFiles.write(pki, "away.conf", URI.create("https://localhost:1/authorize"), "caller");
        return pki.file("away.conf").toString();
    }

    @Test
    void brokenFileKeepsTheLastValidConfiguration() throws IOException {
        write(HEAD + "authorizers:\n- {type: Node, name: node}\n", "failure");
        assertThat(allowed("alice", "remote/configmaps")).isTrue();
        assertThat(decider.err())
                .contains("authorization.yaml:4: authorizers[0].type: \"Node\" is supported by kube-apiserver only");
        assertThat(client.get(decider.at("/readyz?verbose")).body()).contains("authorization-config");
        write(HEAD + "authorizers:\n" + LINES, "success");
    }

    @Test
    void startReportsAllProblemsWithLines() throws IOException {
        Path wrong = Files.writeString(directory.resolve("wrong.yaml"), HEAD + """
                authorizers:
                - {type: RBAC, name: roles}
                - {type: ABAC, name: lines}
                - type: Webhook
                  name: cluster
                  webhook:
                    timeout: 31s
                    subjectAccessReviewVersion: v1
                    matchConditionSubjectAccessReviewVersion: v1
                    failurePolicy: Deny
                    connectionInfo: {type: InClusterConfig}
                    matchConditions: [{expression: request.usr == 'x'}]
                """);
        CompletedProcess finished = run("--authorization-config=" + wrong);
        assertThat(finished.exitStatus()).isEqualTo(1);
        String at = "--authorization-config: " + wrong;
        assertThat(finished.problems())
                .containsExactlyInAnyOrder(
                        at
                                + ":4: authorizers[0].type: \"RBAC\" needs --authorization-rbac-path, --authorization-rbac-kubeconfig or"
                                + " --authorization-rbac-default-roles",
                        at + ":5: authorizers[1].type: \"ABAC\" needs --authorization-policy-file",
                        at + ":9: authorizers[2].webhook.timeout: must be > 0s and <= 30s",
                        at
                                + ":13: authorizers[2].webhook.connectionInfo.type: \"InClusterConfig\" names no address and no"
                                + " client certificate of a webhook; expected \"KubeConfigFile\"",
                        at
                                + ":14: authorizers[2].webhook.matchConditions[0].expression: compilation failed: at 1:8: undefined"
                                + " field 'usr'");
    }

    private static CompletedProcess run(String... more) {
        return Command.reused(Program.DECIDER, flags(more).toArray(String[]::new))
                .run();
    }

    @Test
    void modesAndConfigurationFileAreExclusive() {
        CompletedProcess both = run("--authorization-config=" + config, "--authorization-mode=AlwaysDeny");
        assertThat(both.exitStatus()).isEqualTo(2);
        assertThat(both.err()).contains("--authorization-mode: cannot be combined with --authorization-config");
        CompletedProcess none = run();
        assertThat(none.exitStatus()).isEqualTo(2);
        assertThat(none.err()).contains("--authorization-mode: required");
    }

    @Test
    void celIsLoadedOnlyWithConditions() throws IOException {
        String without = initial().replaceAll(" *matchConditions: .*\n", "");
        assertThat(loaded("without", without))
                .noneMatch(line -> line.contains("dev.cel") || line.contains("io.plat.cel"));
        assertThat(loaded("with", initial())).anyMatch(line -> line.contains("dev.cel"));
    }

    private static List<String> loaded(String name, String text) throws IOException {
        Path own = Files.createDirectory(directory.resolve(name));
        Path file = Files.writeString(own.resolve("authorization.yaml"), text);
        Path log = own.resolve("classes");
        Path launcher = Program.DECIDER.launcherAfter(
                own, "export JAVA_OPTS=\"${JAVA_OPTS:-} -Xlog:class+load=info:file=" + log + "\"");
        try (RunningServer server = RunningServer.start(
                launcher,
                flags(
                        "--authorization-config=" + file,
                        "--authorization-policy-file=" + directory.resolve("local.jsonl"),
                        "--authorization-rbac-path=" + directory.resolve("roles.yaml"),
                        "--authorization-plugin-dir=" + directory.resolve("plugins")))) {
            client.post(server.at("/authorize"), """
                    {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"alice",
                     "nonResourceAttributes":{"verb":"get","path":"/version"}}}""");
        }
        return Files.readAllLines(log);
    }
}
