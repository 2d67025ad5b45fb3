package io.plat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.ScriptedServer.RecordedRequest;
import io.plat.cli.ScriptedServer.Reply;
import io.plat.cli.process.Environment;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results that are easily misunderstood: missing information and assumptions are part of the output. */
final class MisleadingAnswersTest {
    private static final String POLICY = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: view}
        rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: operators}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: ops}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: readers, namespace: team-a}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
        subjects:
        - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: a-devs}
        - {apiGroup: rbac.authorization.k8s.io, kind: User, name: bob}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: readers, namespace: team-b}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: bob}]
        """;

    @TempDir
    private static Path directory = Path.of("");

    private static Path policy = Path.of("");

    @BeforeAll
    static void write() throws Exception {
        policy = Files.writeString(directory.resolve("roles.yaml"), POLICY);
    }

    private static CommandRun offline(String arguments) {
        return CommandRun.plat(with(arguments));
    }

    private static String[] with(String arguments) {
        return Stream.concat(Stream.of(arguments.split(" ")), Stream.of("--authorization-rbac-path=" + policy))
                .toArray(String[]::new);
    }

    @Test
    void whoCanInAllNamespacesListsTheNamespaces() {
        CommandRun run = offline("who-can get pods -A");
        assertThat(run.out().replaceAll(" *RBAC:.*", "").replaceAll("  +", "|")).isEqualTo("""
            KIND|NAMESPACE|NAME|ALLOWED IN|THROUGH
            Group|ops|all namespaces
            Group|system:masters|all namespaces
            Group|a-devs|team-a
            User|bob|team-a,team-b
            """);
        assertThat(run.err()).isEmpty();
        assertThat(offline("who-can get pods --every-namespace").out())
                .contains("ops")
                .doesNotContain("bob");
        assertThat(offline("who-can get pods -A -o json").out().replaceAll("[ \n]", ""))
                .contains("\"namespaces\":[{\"kind\":\"SubjectListing\"", "\"namespace\":\"team-b\"");
    }

    @Test
    void whoCanQueriesEachNamespaceOfAServer() throws Exception {
        try (var server = new EngineServer(Files.createDirectories(directory.resolve("served")))
                .with(
                        "RoleBinding",
                        "\"metadata\":{\"name\":\"r\",\"namespace\":\"team-a\"},\"subjects\":[{\"kind\":\"User\",\"apiGroup\":\"rbac.authorization.k8s.io\",\"name\":\"alice\"}],\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\",\"name\":\"view\"}")
                .with(
                        "ClusterRole",
                        "\"metadata\":{\"name\":\"view\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"get\"]}]")) {
            CommandRun unlisted = server.server().plat("who-can", "get", "pods", "-A");
            assertThat(unlisted.out()).containsPattern("User +alice +team-a +RBAC");
            assertThat(unlisted.err()).isEmpty();
            server.actAsKubeApiserver();
            assertThat(server.server().plat("who-can", "get", "pods", "-A").out())
                    .containsPattern("User +alice +team-a +RBAC");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-n team-b can-i get pods --as bob", "--as bob can-i get pods -n team-b"})
    void flagsOfACommandMayPrecedeItsName(String arguments) {
        assertThat(offline(arguments)).isEqualTo(new CommandRun(0, "yes\n", ""));
    }

    @Test
    void verbosityFlagConsumesNoArgument() {
        assertThat(offline("can-i -v get pods --as bob -n team-a").out()).isEqualTo("yes\n");
        assertThat(offline("can-i get -v=1 pods --as bob -n team-a").err()).hasLineCount(2);
    }

    @Test
    void helpAndVersionAreCommandsToo() {
        assertThat(CommandRun.plat("help", "can-i")).isEqualTo(CommandRun.plat("can-i", "--help"));
        assertThat(CommandRun.plat("-h", "can-i")).isEqualTo(CommandRun.plat("can-i", "--help"));
        assertThat(CommandRun.plat("--help", "pki", "issue")).isEqualTo(CommandRun.plat("pki", "--help"));
        assertThat(CommandRun.plat("help", "pki", "issue")).isEqualTo(CommandRun.plat("pki", "issue", "--help"));
        assertThat(CommandRun.plat()).isEqualTo(CommandRun.plat("--help"));
        assertThat(CommandRun.plat("help")).isEqualTo(CommandRun.plat("--help"));
        assertThat(CommandRun.plat("version")).isEqualTo(CommandRun.plat("--version"));
        assertThat(CommandRun.plat("--help").out().lines())
                .hasSizeLessThanOrEqualTo(46)
                .contains("Ask:", "Connection:");
    }

    @Test
    void denialNamesTheDefaultNamespace() throws Exception {
        Path config = Files.writeString(directory.resolve("config"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "https://localhost:1"}}]
            users: [{name: u, user: {}}]
            contexts: [{name: x, context: {cluster: c, user: u, namespace: team-z}}]
            current-context: x
            """);
        CommandRun run = CommandRun.plat(Map.of("KUBECONFIG", config.toString()), with("can-i get pods --as bob"));
        assertThat(run.out()).isEqualTo("no - no RBAC policy matched\n");
        assertThat(run.err()).startsWith("note: checked in namespace \"team-z\"; -n names another one\n");
        assertThat(offline("can-i get pods --as bob").err()).startsWith("note: checked in namespace \"default\"");
        assertThat(offline("who-can list pods").err()).startsWith("note: checked in namespace \"default\"");
        assertThat(offline("can-i get nodes --as bob --as-group x").err()).isEmpty();
        assertThat(offline("can-i get pods --as bob -n team-x --as-group x").err())
                .isEmpty();
    }

    @Test
    void missingGroupsAreNamed() {
        assertThat(offline("why get pods -n team-c --as carol").err()).isEqualTo("""
                        warning: the policy does not mention "carol"
                        warning: checked without groups; each of these would allow it (--as-group): ops
                        """);
        assertThat(offline("matrix pods --subject carol -n team-a").err())
                .isEqualTo("warning: checked without groups: carol; give them with --as-group\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        can-i get pods -n tema-a --as bob --as-group x   | the policy does not mention the namespace "tema-a", did you mean "team-a"?
        why get pods -n team-aa --as bob --as-group x    | the policy does not mention the namespace "team-aa", did you mean "team-a"?
        who-can get pods -n teamb                        | the policy does not mention the namespace "teamb", did you mean "team-b"?
        who-can get pods -n team-c                       |
        matrix nodes pods -n taem-a --subject group:ops        | the policy does not mention the namespace "taem-a", did you mean "team-a"?
        matrix pods -n team-a --subject group:a-dev      | the policy does not mention "group:a-dev", did you mean "a-devs"?
        matrix pods -n team-a --subject group:everybody  | the policy does not mention "group:everybody"
        matrix pods -n team-a --subject group:a-devs     |
        matrix pods -n team-a --subject system:serviceaccount:ci:bot | the policy does not mention "system:serviceaccount:ci:bot"
        matrix pods -n team-a --subject bbo --as-group x | the policy does not mention "bbo" or any of the groups, did you mean "bob"?
        can-i get pods/logs -n team-a --as bob           | "logs" is checked as the name of an object; did you mean the subresource "log"?
        can-i get pods/web-1 -n team-a --as bob          |
        """)
    void misspelledNameIsAWarning(String arguments, @Nullable String warning) {
        assertThat(offline(arguments).err()).isEqualTo(warning == null ? "" : "warning: " + warning + "\n");
    }

    /** A POST of anything else would create it. */
    @Test
    void onlyReviewsArePosted() throws Exception {
        Path binding = Files.writeString(directory.resolve("binding.yaml"), """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: admins}
            """);
        List<RecordedRequest> requests = new CopyOnWriteArrayList<>();
        try (var server = new ScriptedServer(Files.createDirectories(directory.resolve("posted")), requested -> {
            requests.add(requested);
            return Reply.refusal(404, "NotFound", "not found");
        })) {
            assertThat(server.plat("review", "-f", binding.toString()))
                    .isEqualTo(
                            new CommandRun(
                                    3,
                                    "",
                                    "plat: " + binding
                                            + ":1: expected a review, such as a SubjectAccessReview, found kind \"ClusterRoleBinding\"\n"));
            assertThat(requests).isEmpty();
            assertThat(server.plat("lint", "server:").err()).contains("serves no RBAC objects, like a decider");
        }
    }

    @Test
    void unknownUserIsUndeterminedUnderStrict() {
        CommandRun explained = offline("why get pods -n team-a --as bbo --strict");
        assertThat(explained.status()).isEqualTo(3);
        assertThat(explained.err())
                .isEqualTo("plat: --strict: the policy does not mention \"bbo\", did you mean \"bob\"?\n");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
        group:a-devs | Group | a-devs
        user:carl    | User  | carl
        """)
    void grantIsSuggestedForAnotherSubject(String subject, String kind, String name) throws Exception {
        CommandRun run = offline("why delete pods -n team-a --as carol --suggest --for " + subject);
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(run.out()).contains("  - kind: " + kind + "\n").endsWith("    name: " + name + "\n");
        Path grant = Files.writeString(directory.resolve(kind + ".yaml"), run.out());
        assertThat(offline("can-i delete pods -n team-a --as carl --as-group a-devs --authorization-rbac-path=" + grant)
                        .out())
                .isEqualTo("yes\n");
    }

    @Test
    void existingRolesAreSuggested() {
        CommandRun choices = offline("why delete pods -n team-a --as bob --as-group g --suggest");
        assertThat(choices.err()).isEqualTo("""
            note: or --for group:g grants it to that group
            note: or --extend ClusterRole/view adds the rule, for everybody who has that role
            """);
        assertThat(offline("why delete pods/x -n team-a --as bob --suggest --extend view")
                        .out())
                .isEqualTo(
                        "kubectl patch clusterrole 'view' --type=json -p"
                                + " '[{\"op\":\"add\",\"path\":\"/rules/-\",\"value\":{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"resourceNames\":[\"x\"],\"verbs\":[\"delete\"]}}]'\n");
        assertThat(offline("why get pods -n team-a --as system:serviceaccount:ci:d --suggest --extend readers")
                        .out())
                .isEqualTo(
                        "kubectl patch rolebinding 'readers' -n team-a --type=json -p"
                                + " '[{\"op\":\"add\",\"path\":\"/subjects/-\",\"value\":{\"kind\":\"ServiceAccount\",\"name\":\"d\",\"namespace\":\"ci\"}}]'\n");
        CommandRun none = offline("why delete nodes -n team-a --as carol --suggest --extend readers");
        assertThat(none).extracting(CommandRun::status, CommandRun::out).containsExactly(3, "");
    }

    @Test
    void refusalToAnswerAboutOthersIsOneLine() throws Exception {
        String message =
                "%s.authorization.k8s.io is forbidden: User \\\"me\\\" cannot create resource \\\"%s\\\" in API group"
                        + " \\\"authorization.k8s.io\\\" at the cluster scope";
        try (var server = new ScriptedServer(Files.createDirectories(directory.resolve("refusing")), requested -> {
            String type = requested.target().replaceAll(".*/|[?].*", "");
            return Reply.refusal(403, "Forbidden", message.formatted(type, type));
        })) {
            assertThat(server.plat("can-i", "get", "pods", "--as", "bob"))
                    .isEqualTo(new CommandRun(
                            3,
                            "",
                            "plat: you may not check other users: requires create on"
                                    + " subjectaccessreviews.authorization.k8s.io\n"));
            assertThat(server.plat("who-can", "get", "pods").err())
                    .isEqualTo("plat: you may not check other users: requires create on"
                            + " subjectlistings.authorization.k8s.io, or list on its role objects\n");
            assertThat(server.plat("why", "get", "pods", "--as", "bob").err())
                    .isEqualTo("plat: you may not request explanations: requires create on"
                            + " accessexplanations.authorization.k8s.io, or list on its role objects\n");
            assertThat(server.plat("can-i", "get", "pods", "--as", "bob", "-v").err())
                    .contains("cannot create resource");
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"authorization.plat.io/v1beta1", "authorization.k8s.io/v1", "authorization.k8s.io/v1beta1"})
    void theServedVersionIsUsed(String served) throws Exception {
        try (var server = new ScriptedServer(
                Files.createDirectories(directory.resolve(served.replace('/', '-'))),
                requested -> only(served, requested))) {
            assertThat(server.plat("can-i", "get", "pods", "-n", "a")).isEqualTo(new CommandRun(0, "yes\n", ""));
            assertThat(server.plat("can-i", "get", "pods", "-n", "a", "--as", "x")
                            .out())
                    .isEqualTo("yes\n");
            assertThat(server.plat("can-i", "--list").out()).contains("Resources");
            assertThat(server.plat("why", "get", "pods", "-n", "a", "--as", "x").out())
                    .startsWith("yes");
            assertThat(server.plat("who-can", "get", "pods", "-n", "a").out()).isEqualTo("nobody\n");
            assertThat(server.plat("matrix", "pods", "--subject", "x", "-n", "a")
                            .status())
                    .isZero();
        }
    }

    private static Reply only(String served, RecordedRequest requested) {
        String group = served.replaceFirst("/.*", "");
        if (requested.target().equals("GET /apis")) {
            return new Reply(
                    200,
                    "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"" + group
                            + "\",\"versions\":[{\"groupVersion\":\"" + served + "\"}]}]}");
        }
        if (!requested.target().startsWith("POST /apis/" + served + "/")) {
            return Reply.refusal(404, "NotFound", "the server could not find the requested resource");
        }
        String kind = requested.body().replaceAll("(?s).*\"kind\":\"([A-Za-z]+)\".*", "$1");
        String status = switch (kind) {
            case "SelfSubjectRulesReview" -> "\"resourceRules\":[],\"nonResourceRules\":[]";
            case "SubjectListing" -> "\"subjects\":[]";
            case "AccessExplanation" ->
                "\"allowed\":true,\"grants\":[{\"authorizer\":\"A\",\"source\":\"s\",\"rule\":\"r\"}]";
            default -> "\"allowed\":true";
        };
        return Reply.created(
                "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + served + "\",\"status\":{" + status + "}}");
    }

    @Test
    void expiredClientCertificateIsReportedBeforeConnecting() {
        String pki = directory.resolve("pki").toString();
        CommandRun.plat("pki", "init", "--dir", pki);
        CommandRun.plat("pki", "issue", "me", "--dir", pki, "--client", "--days", "2");
        for (Duration shift : List.of(Duration.ofDays(3), Duration.ofDays(-1))) {
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            Environment environment = new Environment(
                    Map.of(),
                    Path.of("/nonexistent"),
                    InputStream.nullInputStream(),
                    false,
                    Clock.offset(Clock.systemUTC(), shift));
            int status = Plat.run(
                    environment,
                    OutputStream.nullOutputStream(),
                    err,
                    "whoami",
                    "--server=https://localhost:1",
                    "--certificate-authority=" + pki + "/ca.crt",
                    "--client-certificate=" + pki + "/me.crt",
                    "--client-key=" + pki + "/me.key");
            assertThat(status).isEqualTo(3);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("plat: the client certificate (")
                    .contains("me.crt", shift.isNegative() ? " is not valid before " : " expired at ")
                    .hasLineCount(1);
        }
    }

    @Test
    void defaultRolesOfAServerAreLeftOutOfFindings() throws Exception {
        try (var server = new EngineServer(Files.createDirectories(directory.resolve("linted")))
                .with(
                        "ClusterRole",
                        "\"metadata\":{\"name\":\"system:all\"},\"rules\":[{\"apiGroups\":[\"*\"],\"resources\":[\"*\"],\"verbs\":[\"*\"]}]")) {
            assertThat(server.server().plat("lint", "server:").out()).isEqualTo("nothing found\n");
            assertThat(server.server()
                            .plat("lint", "server:", "--include-defaults")
                            .out())
                    .contains("ClusterRole/system:all");
        }
    }

    @Test
    void testsAreFoundInDirectories() throws Exception {
        Path tests = Files.createDirectories(directory.resolve("tests/below"));
        Files.writeString(directory.resolve("tests/roles.yaml"), POLICY);
        Files.writeString(tests.resolve("t.yaml"), """
            kind: PolicyTest
            policies: [../roles.yaml]
            cases: [{name: reads, user: bob, verb: get, resource: pods, namespace: team-a, expect: allow}]
            """);
        CommandRun run = CommandRun.plat("test", directory.resolve("tests").toString(), "--verbose");
        assertThat(run).extracting(CommandRun::status, CommandRun::err).containsExactly(0, "");
        assertThat(run.out()).isEqualTo("PASS " + tests + "/t.yaml:3: reads\n1 passed, 0 failed\n");
        CommandRun none = CommandRun.plat(
                "test", Files.createDirectories(directory.resolve("none")).toString());
        assertThat(none.status()).isEqualTo(3);
    }
}
