package io.plat.cli.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.CommandRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plat can-i} with policy files. */
final class PolicyFilesTest {
    private static final String ROLES = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: reader}
            rules:
            - {apiGroups: [""], resources: [pods, pods/log], verbs: [get, list]}
            - {apiGroups: [apps], resources: [deployments/scale], resourceNames: [web], verbs: [update]}
            - {nonResourceURLs: [/metrics], verbs: [get]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: readers, namespace: team-b}
            subjects: [{kind: User, name: alice, apiGroup: rbac.authorization.k8s.io}]
            roleRef: {kind: ClusterRole, name: reader, apiGroup: rbac.authorization.k8s.io}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: readers, namespace: team-a}
            subjects: [{kind: User, name: alice, apiGroup: rbac.authorization.k8s.io}, {kind: ServiceAccount, name: ci}]
            roleRef: {kind: ClusterRole, name: reader, apiGroup: rbac.authorization.k8s.io}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: watchers}
            subjects: [{kind: Group, name: watchers, apiGroup: rbac.authorization.k8s.io}]
            roleRef: {kind: ClusterRole, name: reader, apiGroup: rbac.authorization.k8s.io}
            """;

    private static final String LINES =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"bob\",\"namespace\":\"team-c\",\"resource\":\"pods\",\"readonly\":true}}";

    @TempDir
    private static Path directory = Path.of("");

    @BeforeAll
    static void write() throws IOException {
        Files.writeString(directory.resolve("roles.yaml"), ROLES);
        Files.writeString(directory.resolve("policy.jsonl"), LINES);
    }

    private static CommandRun plat(String commandLine) {
        return CommandRun.plat(arguments(commandLine));
    }

    private static String[] arguments(String commandLine) {
        List<String> arguments = new ArrayList<>(List.of(commandLine.split(" ")));
        arguments.add("--authorization-rbac-path=" + directory.resolve("roles.yaml"));
        arguments.add("--authorization-policy-file=" + directory.resolve("policy.jsonl"));
        return arguments.toArray(String[]::new);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            can-i get pods -A --as alice                       | 1 | no - No policy matched.; no RBAC policy matched; yes in team-a, team-b | ''
            can-i get pods -A --as bob                         | 1 | no - No policy matched.; no RBAC policy matched; yes in team-c | ''
            can-i get pods -A --as x --as-group watchers       | 0 | yes                                     | ''
            can-i get nodes -A --as alice                      | 1 | no - No policy matched.; no RBAC policy matched | ''
            can-i get pods -n team-b --as alice                | 0 | yes                                     | ''
            can-i get pods/log -n team-b --as alice            | 0 | yes | warning: "log" is a subresource of pods and is checked as such; for an object of that name add --subresource=''
            can-i get pods -n team-b --as alicf                | 1 | no - No policy matched.; no RBAC policy matched | warning: the policy does not mention "alicf", did you mean "alice"?
            can-i list pods -n team-b --as zoe                 | 1 | no - No policy matched.; no RBAC policy matched | warning: the policy does not mention "zoe"\\nwarning: checked without groups; each of these would allow it (--as-group): watchers
            can-i get pods -n team-a --as system:serviceaccount:ci | 1 | no - No policy matched.; no RBAC policy matched | warning: "system:serviceaccount:ci" is not the user name of a service account; expected system:serviceaccount:NAMESPACE:NAME
            can-i get pods --as system:serviceaccount:team-a:ci -n team-a | 0 | yes                          | ''
            can-i gett pods -n team-b --as alice               | 1 | no - No policy matched.; no RBAC policy matched | warning: unknown verb "gett", did you mean "get"?
            """)
    void printsOneLine(String commandLine, int status, String out, String err) {
        assertThat(plat(commandLine))
                .isEqualTo(new CommandRun(status, out + "\n", err.isEmpty() ? "" : err.replace("\\n", "\n") + "\n"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            can-i gett pods --as alice --strict      | --strict: unknown verb "gett"
            can-i get podz --as alice --strict       | --strict: unknown resource type "podz"
            can-i get pods --as nobody --strict      | --strict: the policy does not mention "nobody"
            can-i get pods                           | --as: required with policy files
            can-i --list                             | --as: required with policy files
            can-i --list -f x                        | --list: cannot be combined with --filename
            can-i get pods -f x                      | --filename: cannot be combined with VERB "get"
            can-i get pods --timeout 1s              | --timeout: requires --wait-for
            can-i --list --wait-for allow            | --wait-for: requires exactly one VERB and RESOURCE
            can-i --list -A --as alice               | --list: cannot be combined with --all-namespaces
            can-i get pods --as a --wait-for allow --timeout soon | --timeout: expected a duration such as 30s, found "soon"
            can-i get pods --as a --wait-for perhaps | perhaps
            """)
    void refusesContradictoryArguments(String commandLine, String message) {
        CommandRun run = plat(commandLine);
        assertThat(run.status()).as(run.err()).isEqualTo(commandLine.contains("--strict") ? 3 : 2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(message);
    }

    @Test
    void strictAcceptsKnownNames() {
        assertThat(plat("can-i get pods -n team-a --as alice --strict")).isEqualTo(new CommandRun(0, "yes\n", ""));
        assertThat(plat("can-i get pods -n team-a --as x --as-group watchers --strict")
                        .status())
                .isZero();
    }

    @Test
    void listsAllowedActions() {
        assertThat(plat("can-i --list --as alice -n team-a")).isEqualTo(new CommandRun(0, """
                        Resources                Non-Resource URLs   Resource Names   Verbs
                        pods                     []                  []               [get list]
                        pods/log                 []                  []               [get list]
                        deployments.apps/scale   []                  [web]            [update]
                        """, ""));
        assertThat(plat("can-i --list --as x --as-group watchers").out())
                .endsWith("                         [/metrics]          []               [get]\n");
        CommandRun json = plat("can-i --list --as alice -n team-a -o json");
        assertThat(json.out())
                .contains("\"kind\" : \"SelfSubjectRulesReview\"", "\"incomplete\" : false", "\"deployments/scale\"");
    }

    @Test
    void jsonReviewListsNamespaces() {
        String json = plat("can-i get pods -A --as alice -o json").out().replaceAll("[ \n]", "");
        assertThat(json).contains("\"allowed\":false").endsWith(",\"namespaces\":[\"team-a\",\"team-b\"]}");
        assertThat(plat("can-i get pods -n team-a --as alice -o json").out()).doesNotContain("namespaces\"");
    }

    @Test
    void answersEveryLineOfStandardInput() {
        String lines = """
                # the pods
                get pods -n team-a

                get pods/log -n team-a --as=x --as-group=watchers
                list secrets -A
                get /metrics
                """;
        CommandRun run =
                CommandRun.plat(new ByteArrayInputStream(lines.getBytes(UTF_8)), arguments("can-i -f - --as alice"));
        assertThat(run)
                .isEqualTo(new CommandRun(
                        1,
                        """
                        yes  get pods -n team-a
                        yes  get pods/log -n team-a --as=x --as-group=watchers
                        no   list secrets -A - No policy matched.; no RBAC policy matched
                        no   get /metrics - No policy matched.; no RBAC policy matched
                        """,
                        "warning: standard input:4: \"log\" is a subresource of pods and is checked as such; for an object"
                                + " of that name add --subresource=''\n"));
    }

    @Test
    void invalidLinesAreReportedTogetherBeforeAnyRequest() throws IOException {
        Path file = Files.writeString(
                directory.resolve("questions"),
                "get\nget pods\nget pods extra\nget pods -A -n a\nget pods --nonsense\n");
        CommandRun run = plat("can-i --as alice -f " + file);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines().toList())
                .hasSize(4)
                .allMatch(line -> line.startsWith("plat: " + file + ":"))
                .element(1)
                .asString()
                .contains(":3: ");
    }

    @Test
    void unknownSubjectIsReportedForBatchesToo() {
        byte[] lines =
                "get pods --as alise\nget pods --as system:serviceaccount:ci\nget podz --as alise\n".getBytes(UTF_8);
        CommandRun run = CommandRun.plat(new ByteArrayInputStream(lines), arguments("can-i -f -"));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "warning: standard input:1: the policy does not mention \"alise\", did you mean \"alice\"?",
                        "warning: standard input:2: \"system:serviceaccount:ci\" is not the user name of a service account");
        CommandRun strict = CommandRun.plat(new ByteArrayInputStream(lines), arguments("can-i --strict -f -"));
        assertThat(strict.status()).isEqualTo(3);
        assertThat(strict.err().lines().toList())
                .hasSize(3)
                .allMatch(line -> line.startsWith("plat: standard input:"))
                .allMatch(line -> line.contains("--strict: "));
    }

    @Test
    void batchResultsAreOneDocument() throws IOException {
        Path file = Files.writeString(directory.resolve("two"), "get pods -n team-a\nget pods -n team-b\n");
        CommandRun json = plat("can-i --as alice -o json -f " + file);
        assertThat(json.status()).isZero();
        assertThat(json.out()).startsWith("{\n  \"kind\" : \"List\"");
        assertThat(json.out().split("\"kind\" : \"SubjectAccessReview\"", -1)).hasSize(3);
        assertThat(plat("can-i --as alice -o yaml -f " + file).out())
                .startsWith("kind: List\n")
                .contains("\n- kind: SubjectAccessReview\n");
        assertThat(plat("can-i --as alice -q -f " + file)).isEqualTo(new CommandRun(0, "", ""));
    }

    @Test
    void missingFileIsReported() {
        assertThat(plat("can-i --as alice -f " + directory.resolve("absent")).status())
                .isEqualTo(3);
    }

    @Test
    void waitRereadsTheFiles() throws IOException {
        assertThat(plat("can-i get pods -n team-a --as alice --wait-for allow").out())
                .isEqualTo("yes\n");
        assertThat(plat("can-i get secrets -n team-a --as alice --wait-for deny")
                        .status())
                .isZero();
        CommandRun vain = plat("can-i get secrets -n team-a --as alice --wait-for allow --timeout 300ms");
        assertThat(vain.status()).isEqualTo(1);
        assertThat(vain.err()).isEqualTo("warning: timed out after 300ms waiting for \"allow\"\n");
        Path later = Files.writeString(directory.resolve("later.yaml"), ROLES.replace("name: alice", "name: zoe"));
        Thread change = Thread.ofVirtual().start(() -> {
            try {
                Path next = Files.writeString(directory.resolve("next"), ROLES);
                Files.move(next, later, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(CommandRun.plat(
                                "can-i",
                                "get",
                                "pods",
                                "-n",
                                "team-b",
                                "--as",
                                "alice",
                                "--wait-for=allow",
                                "--timeout=30s",
                                "--authorization-rbac-path=" + later)
                        .status())
                .isZero();
        assertThat(change.isAlive()).isFalse();
    }
}
