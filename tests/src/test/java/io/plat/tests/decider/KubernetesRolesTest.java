package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Kubernetes' default roles in a decider: requests of system components, aggregation, replacement by objects of files, and sources. */
class KubernetesRolesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FLAG = "--authorization-rbac-default-roles";
    private static final String POLICY = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: crontabs, labels: {rbac.authorization.k8s.io/aggregate-to-edit: "true"}}
        rules:
        - {apiGroups: [stable.example.com], resources: [crontabs], verbs: [create]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: editors, namespace: team-a}
        subjects: [{kind: User, name: eve, apiGroup: rbac.authorization.k8s.io}]
        roleRef: {kind: ClusterRole, name: edit, apiGroup: rbac.authorization.k8s.io}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: administrators, namespace: team-a}
        subjects: [{kind: User, name: adam, apiGroup: rbac.authorization.k8s.io}]
        roleRef: {kind: ClusterRole, name: admin, apiGroup: rbac.authorization.k8s.io}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: viewers, namespace: team-a}
        subjects: [{kind: User, name: vera, apiGroup: rbac.authorization.k8s.io}]
        roleRef: {kind: ClusterRole, name: view, apiGroup: rbac.authorization.k8s.io}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: "system:monitoring"}
        rules:
        - {nonResourceURLs: [/only-this], verbs: [get]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: "system:node"}
        subjects: [{kind: Group, name: "system:nodes", apiGroup: rbac.authorization.k8s.io}]
        roleRef: {kind: ClusterRole, name: "system:node", apiGroup: rbac.authorization.k8s.io}
        """;

    private static TestPki pki;
    private static Path policy;
    private static RunningServer decider;
    private static HttpsClient client;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("caller");
        policy = Files.createTempDirectory("plat-roles");
        Files.writeString(policy.resolve("own.yaml"), POLICY);
        client = HttpsClient.of(pki, "caller");
        decider = launch(FLAG + "=kubernetes", "--authorization-rbac-path=" + policy);
    }

    @AfterAll
    static void stop() {
        client.close();
        decider.close();
        Directories.delete(policy);
        pki.close();
    }

    private static List<String> flags(String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.add("--secure-port=0");
        flags.addAll(Arrays.asList(more));
        return flags;
    }

    private static RunningServer launch(String... more) {
        List<String> flags = flags("--authorization-mode=RBAC");
        flags.addAll(Arrays.asList(more));
        return RunningServer.startReused(Program.DECIDER, flags);
    }

    private static JsonNode post(RunningServer server, String type, ObjectNode spec) throws IOException {
        String body = JSON.createObjectNode().set("spec", spec).toString();
        HttpResponse<String> answer = client.post(server.at("/apis/authorization.k8s.io/v1/" + type), body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return JSON.readTree(answer.body()).path("status");
    }

    private static ObjectNode spec(String user, @Nullable String groups, String verb, String target) {
        ObjectNode spec = JSON.createObjectNode().put("user", user);
        if (groups != null) {
            Arrays.stream(groups.split(" ", -1)).forEach(spec.withArray("groups")::add);
        }
        if (target.startsWith("/")) {
            spec.putObject("nonResourceAttributes").put("path", target).put("verb", verb);
            return spec;
        }
        // [NAMESPACE ]RESOURCE[/SUBRESOURCE][.GROUP][=NAME]
        String[] parts = target.split(" ", -1);
        String[] name = parts[parts.length - 1].split("=", -1);
        int dot = name[0].indexOf('.');
        String[] resource = (dot < 0 ? name[0] : name[0].substring(0, dot)).split("/", -1);
        ObjectNode attributes = spec.putObject("resourceAttributes")
                .put("verb", verb)
                .put("group", dot < 0 ? "" : name[0].substring(dot + 1))
                .put("resource", resource[0]);
        if (parts.length > 1) {
            attributes.put("namespace", parts[0]);
        }
        if (resource.length > 1) {
            attributes.put("subresource", resource[1]);
        }
        if (name.length > 1) {
            attributes.put("name", name[1]);
        }
        return spec;
    }

    @ParameterizedTest(name = "{0} [{1}] {2} {3}: {4}")
    @CsvFileSource(resources = "system-requests.csv", delimiter = '|')
    void systemComponentsHaveTheirKubernetesPermissions(
            String user, @Nullable String groups, String verb, String target, boolean allowed) throws IOException {
        JsonNode status = post(decider, "subjectaccessreviews", spec(user, groups, verb, target));
        assertThat(status.path("allowed").asBoolean()).as(status.toString()).isEqualTo(allowed);
    }

    @Test
    void reasonsAndExplanationsNameTheDefaultRoles() throws IOException {
        ObjectNode requested = spec("alice", "system:authenticated", "get", "/api");
        assertThat(post(decider, "subjectaccessreviews", requested)
                        .path("reason")
                        .asText())
                .contains("ClusterRoleBinding \"system:discovery\"")
                .endsWith("of default roles (kubernetes 1.36)");
        assertThat(post(decider, "accessexplanations", requested)
                        .at("/grants/0/source")
                        .asText())
                .isEqualTo("ClusterRoleBinding/system:discovery (default roles (kubernetes 1.36)) -> "
                        + "ClusterRole/system:discovery (default roles (kubernetes 1.36))");
        assertThat(post(
                                decider,
                                "accessexplanations",
                                spec("eve", null, "create", "team-a crontabs.stable.example.com"))
                        .at("/grants/0/source")
                        .asText())
                .contains("own.yaml:")
                .doesNotContain("default roles");
        CompletedProcess explained = Command.reused(
                        Program.PLAT,
                        "why",
                        "get",
                        "/api",
                        "--as=alice",
                        "--authorization-rbac-path=" + policy,
                        FLAG + "=kubernetes",
                        "-o",
                        "json")
                .run();
        assertThat(explained.exitStatus()).as(explained.err()).isZero();
        assertThat(JSON.readTree(explained.out()).at("/status/grants/0/source").toString())
                .as(explained.out())
                .contains("\"name\":\"system:discovery\"", "default roles (kubernetes 1.36)");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        kubernetes | yes
        true       | yes
        none       | no
        false      | no
        """)
    void deciderAndPlatAcceptTheSameValues(String word, String answer) {
        CompletedProcess can = Command.reused(
                        Program.PLAT,
                        "can-i",
                        "create",
                        "crontabs.stable.example.com",
                        "-n",
                        "team-a",
                        "--as=adam",
                        "--authorization-rbac-path=" + policy,
                        FLAG + "=" + word)
                .run();
        assertThat(can.out()).as(can.err()).startsWith(answer);
        try (RunningServer server = launch("--authorization-rbac-path=" + policy, FLAG, word)) {
            assertThat(server.err()).contains("roles=" + (answer.equals("yes") ? 77 : 2));
        }
    }

    @Test
    void defaultRolesNeedNoFiles() throws IOException {
        try (RunningServer server = launch(FLAG + "=kubernetes")) {
            assertThat(post(
                                    server,
                                    "subjectaccessreviews",
                                    spec("system:kube-scheduler", "system:authenticated", "list", "nodes"))
                            .path("allowed")
                            .asBoolean())
                    .isTrue();
            Metrics metrics = Metrics.of(client, server.at("/metrics"));
            assertThat(metrics.value("policy_objects{kind=\"role\"}")).isEqualTo(76);
            assertThat(metrics.value("policy_objects{kind=\"binding\"}")).isEqualTo(57);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        --authorization-mode=AlwaysDeny --authorization-rbac-default-roles=kubernetes | requires mode "RBAC"
        --authorization-mode=RBAC --authorization-rbac-default-roles=kubernetes --authorization-rbac-kubeconfig=/x | cannot be combined with --authorization-rbac-kubeconfig
        --authorization-mode=RBAC --authorization-rbac-path=/x --authorization-rbac-default-roles=openshift | expected kubernetes or none
        """)
    void contradictionsAreUsageErrors(String flags, String problem) {
        CompletedProcess finished = Command.reused(
                        Program.DECIDER, flags(flags.split(" ", -1)).toArray(String[]::new))
                .run();
        assertThat(finished.exitStatus()).isEqualTo(2);
        assertThat(finished.problems())
                .singleElement()
                .asString()
                .startsWith(FLAG + ": ")
                .contains(problem);
    }
}
