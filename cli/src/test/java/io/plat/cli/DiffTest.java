package io.plat.cli;

import static io.plat.cli.CommandRun.plat;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tls.pem.PemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plat diff}: output and exit status. */
final class DiffTest {
    private static final String READER = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: reader, namespace: a}
            rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
            ---
            """;
    private static final String READERS = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: readers, namespace: a}
            subjects: [{kind: User, name: jane}, {kind: ServiceAccount, name: bot}]
            roleRef: {kind: Role, name: reader}
            """;
    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"jane\","
                    + "\"namespace\":\"a\",\"resource\":\"pods\",\"readonly\":true}}\n";

    @TempDir
    private Path directory = Path.of("");

    private String none = "";
    private String unbound = "";
    private String some = "";
    private String more = "";
    private String lines = "";

    @BeforeEach
    void writePolicies() throws IOException {
        none = write("none.yaml", READER + READERS.replaceAll("subjects: .*", "subjects: []"));
        unbound = write("unbound.yaml", READER);
        some = write("some.yaml", READER + READERS);
        more = write("more.yaml", READER.replace("get, list", "get, list, delete") + READERS);
        lines = write("lines.jsonl", LINE);
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    @Test
    void changesAreGroupedBySubject() {
        assertThat(plat("diff", some, more)).isEqualTo(new CommandRun(1, """
                granted:
                  User jane, ServiceAccount a/bot
                    + delete pods in a
                """, ""));
    }

    @Test
    void grantedAndRevokedAreSeparate() {
        assertThat(plat("diff", lines, some)).isEqualTo(new CommandRun(1, """
                granted:
                  ServiceAccount a/bot
                    + get, list pods in a
                revoked:
                  User jane
                    - watch pods in a
                    - get, list, watch pods/* in a
                """, ""));
    }

    @Test
    void jsonHasEveryRow() {
        assertThat(plat("diff", more, none, "-o", "json").out()).isEqualTo("""
                {
                  "granted" : [ ],
                  "revoked" : [
                    {
                      "subject" : {
                        "kind" : "User",
                        "name" : "jane"
                      },
                      "verbs" : [
                        "delete",
                        "get",
                        "list"
                      ],
                      "apiGroups" : [
                        ""
                      ],
                      "resources" : [
                        "pods"
                      ],
                      "resourceNames" : [ ],
                      "nonResourceURLs" : [ ],
                      "namespace" : "a"
                    },
                    {
                      "subject" : {
                        "kind" : "ServiceAccount",
                        "name" : "bot",
                        "namespace" : "a"
                      },
                      "verbs" : [
                        "delete",
                        "get",
                        "list"
                      ],
                      "apiGroups" : [
                        ""
                      ],
                      "resources" : [
                        "pods"
                      ],
                      "resourceNames" : [ ],
                      "nonResourceURLs" : [ ],
                      "namespace" : "a"
                    }
                  ]
                }
                """);
    }

    @Test
    void unboundRolesAreComparedAndMarked() throws IOException {
        String other = write("other.yaml", READER.replace("get, list", "get, watch"));

        CommandRun run = plat("diff", unbound, other);

        assertThat(run.status()).isEqualTo(3);
        assertThat(run.out()).isEqualTo("""
                no access is granted or revoked
                roles:
                  Role/a/reader
                    + {"verbs":["get","watch"],"apiGroups":[""],"resources":["pods"]}
                    - {"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]}
                """);
        assertThat(run.err().lines())
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).contains("has roles but no bindings").contains("--roles-only"));
        assertThat(plat("diff", unbound, other, "-o", "json").out()).contains("\"roles\" : [");
    }

    @Test
    void bindingsWithoutTheirRolesAreUndetermined() throws IOException {
        String binding = """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: b, namespace: a}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: elsewhere}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ann}]
            """;
        String before = write("bindings-before.yaml", binding);
        String after = write("bindings-after.yaml", binding.replace("ann", "bob"));

        CommandRun alone = plat("diff", before, after);

        assertThat(alone.status()).isEqualTo(3);
        assertThat(alone.err().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("has bindings but no roles"));
        String unrelated = write("unrelated.yaml", READER + binding);
        assertThat(plat("diff", unrelated, some).status()).isEqualTo(3);
        assertThat(plat("diff", write("one-is-bound.yaml", READER + READERS + binding), some))
                .isEqualTo(new CommandRun(0, "no access is granted or revoked\n", ""));
    }

    @ParameterizedTest
    @CsvSource({"any, 1", "widen, 1", "none, 0"})
    void rolesOnlyComparesRoles(String failOn, int status) throws IOException {
        String other = write("other.yaml", READER.replace("get, list", "get, watch"));
        assertThat(plat("diff", "--roles-only", "--fail-on", failOn, none, other)
                        .status())
                .isEqualTo(status);
        assertThat(plat("diff", "--roles-only", "--fail-on", failOn, none, some))
                .isEqualTo(new CommandRun(0, "no rule of a role is added or removed\n", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "some, more, any, 1", "more, some, any, 1", "some, some, any, 0",
        "some, more, widen, 1", "more, some, widen, 0", "some, some, widen, 0",
        "some, more, none, 0", "more, some, none, 0"
    })
    void exitStatusFollowsFailOn(String before, String after, String failOn, int status) {
        CommandRun run = plat("diff", "--fail-on", failOn, file(before), file(after));

        assertThat(run.status()).isEqualTo(status);
        assertThat(run.err()).isEmpty();
    }

    private String file(String name) {
        return name.equals("some") ? some : more;
    }

    @Test
    void equalPoliciesAreReported() {
        assertThat(plat("diff", some, some)).isEqualTo(new CommandRun(0, "no access is granted or revoked\n", ""));
    }

    @Test
    void directoriesMayMixFormats() throws IOException {
        Path both = Files.createDirectory(directory.resolve("both"));
        Files.writeString(both.resolve("roles.yaml"), READER + READERS);
        Files.writeString(both.resolve("lines.jsonl"), LINE);

        assertThat(plat("diff", some, both.toString()).out()).isEqualTo("""
                granted:
                  User jane
                    + watch pods in a
                    + get, list, watch pods/* in a
                """);
    }

    @Test
    void largeFilesAreCompared() throws IOException {
        String filler = IntStream.range(0, 6000)
                .mapToObj(i -> "---\n"
                        + READERS.replace("name: readers", "name: readers" + i).replace("jane", "joe" + i))
                .collect(Collectors.joining());
        String old = write("large-old.yaml", READER + READERS + filler);
        String now = write("large-new.yaml", READER + filler + "---\n" + READERS.replace("jane", "jo"));

        assertThat(plat("diff", old, now).out()).isEqualTo("""
                granted:
                  User jo
                    + get, list pods in a
                revoked:
                  User jane
                    - get, list pods in a
                """);
        String twice = write("large-twice.yaml", READER + READERS + filler + "---\n" + READERS);
        assertThat(plat("diff", old, twice).err())
                .startsWith("plat: " + twice + ":")
                .contains("duplicate \"RoleBinding/a/readers\"");
    }

    @Test
    void unreadableFileIsAnError() {
        CommandRun run = plat("diff", some, directory.resolve("gone.yaml").toString());

        assertThat(run.status()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("plat: " + directory.resolve("gone.yaml") + ": cannot read: no such file\n");
    }

    @Test
    void rolesAreReadFromAServer() throws IOException, PemException {
        String list =
                "{\"kind\":\"%sList\",\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"1\"},"
                        + "\"items\":[]}";
        try (AnsweringServer server = new AnsweringServer(directory.resolve("pki"))) {
            // The server returns the first type's list for every type, so that the second list is invalid.
            CommandRun run = server.answering(200, list.formatted("Role"), "diff", "server:", none);

            assertThat(run.status()).isEqualTo(3);
            assertThat(run.err()).contains("did not respond with RBAC objects");
            assertThat(server.answering(403, "{}", "diff", "server:", none).err())
                    .contains("error from server " + server.url() + ": 403");
        }
    }

    @ParameterizedTest
    @CsvSource({"diff", "diff a", "diff a b c", "diff a b --fail-on sometimes"})
    void wrongCommandLineIsRefused(String arguments) {
        assertThat(plat(arguments.split(" ")).status()).isEqualTo(2);
    }
}
