package io.plat.cli;

import static io.plat.cli.CommandRun.plat;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plat replay}: supported logs, and output. */
final class ReplayTest {
    private static final String DECISION = """
            {"id":"1","time":"t","client":"c","spec":{"resourceAttributes":{"namespace":"a","verb":"get","resource":"pods"},\
            "user":"jane","groups":["dev"]},"allowed":%s,"reason":"","authorizer":"RBAC","policyRevision":"r","durationMicros":3,"error":""}
            """;
    private static final String AUDIT_EVENT = """
            {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%s","stage":"%s","requestURI":"/x?y=1","verb":"get",\
            "user":{"username":"jane","groups":["dev"]},"objectRef":{"resource":"pods","namespace":"a","name":"x","apiVersion":"v1"},\
            "responseStatus":{"metadata":{},"code":%d},"annotations":{%s}}
            """;

    @TempDir
    private Path directory = Path.of("");

    private String roles = "";

    @BeforeEach
    void writePolicy() throws IOException {
        roles = Files.writeString(directory.resolve("roles.yaml"), """
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: Role
                        metadata: {name: reader, namespace: a}
                        rules:
                        - {apiGroups: [""], resources: [pods], verbs: [get]}
                        - {apiGroups: [""], resources: [secrets], verbs: [get]}
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: RoleBinding
                        metadata: {name: readers, namespace: a}
                        subjects: [{kind: Group, name: dev}]
                        roleRef: {kind: Role, name: reader}
                        """).toString();
    }

    private CommandRun replay(String log, String... arguments) {
        String[] all = new String[arguments.length + 4];
        all[0] = "replay";
        all[1] = "-";
        all[2] = "--authorization-rbac-path";
        all[3] = roles;
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        return plat(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)), all);
    }

    @Test
    void decisionLogIsReplayed() {
        String log = DECISION.formatted("true")
                + DECISION.formatted("false")
                + DECISION.formatted("false")
                + DECISION.formatted("true").replace("\"get\"", "\"delete\"");

        assertThat(replay(log)).isEqualTo(new CommandRun(1, """
                4 requests, 3 decided differently
                newly allowed:
                  User jane
                    get pods in namespace a (2 times)
                newly denied:
                  User jane
                    delete pods in namespace a
                """, ""));
        assertThat(replay(DECISION.formatted("true")))
                .isEqualTo(new CommandRun(0, "1 request, 0 decided differently\n", ""));
    }

    /** Request and decision of an event: stage, code and annotation, and the number of differing requests. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', textBlock = """
            ResponseComplete, 200, , 1, 0
            ResponseComplete, 403, , 1, 1
            ResponseComplete, 409, , 1, 0
            ResponseComplete, 200, "authorization.k8s.io/decision":"allow", 1, 0
            ResponseComplete, 404, "authorization.k8s.io/decision":"forbid", 1, 1
            Panic, 500, "authorization.k8s.io/decision":"allow", 1, 0
            ResponseComplete, 401, , 0, 0
            ResponseComplete, 500, , 0, 0
            RequestReceived, 200, , 0, 0
            ResponseStarted, 200, , 0, 0
            """)
    void auditLogIsReplayed(String stage, int code, String annotation, int requested, int flips) {
        CommandRun run = replay(AUDIT_EVENT.formatted("id", stage, code, annotation == null ? "" : annotation));

        assertThat(run.out())
                .startsWith(requested == 0 ? "" : requested + " request, " + flips + " decided differently\n");
        assertThat(run.status()).isEqualTo(requested == 0 ? 3 : flips);
    }

    @Test
    void auditEventHasTheAttributesOfItsRequest() {
        String allowed = AUDIT_EVENT.formatted("id", "ResponseComplete", 200, "");
        String path = allowed.replaceAll("\"objectRef\":\\{.*?},", "");
        String impersonated =
                allowed.replace("\"objectRef\"", "\"impersonatedUser\":{\"username\":\"joe\"},\"objectRef\"");
        String created = allowed.replace("\"verb\":\"get\"", "\"verb\":\"create\"");
        String withBody = allowed.replace(
                "\"objectRef\"", "\"requestObject\":{\"spec\":{\"user\":\"x\"},\"allowed\":false},\"objectRef\"");

        assertThat(replay(path + impersonated + created + withBody).out()).isEqualTo("""
                4 requests, 3 decided differently
                newly denied:
                  User jane
                    get /x
                    create pods in namespace a
                  User joe
                    get pods "x" in namespace a
                """);
    }

    @Test
    void jsonListsEachFlipWithItsLine() {
        CommandRun run = replay("\n" + DECISION.formatted("false"), "-o", "json");

        assertThat(run.out()).isEqualTo("""
                {
                  "asked" : 1,
                  "flips" : [
                    {
                      "line" : 2,
                      "spec" : {
                        "resourceAttributes" : {
                          "namespace" : "a",
                          "verb" : "get",
                          "resource" : "pods"
                        },
                        "user" : "jane",
                        "groups" : [
                          "dev"
                        ]
                      },
                      "was" : "deny",
                      "now" : "allow"
                    }
                  ]
                }
                """);
    }

    @Test
    void unusedGrantsAreReported() {
        CommandRun run = replay(DECISION.formatted("true"), "--unused");

        assertThat(run).isEqualTo(new CommandRun(0, """
                1 request, 0 decided differently
                never used:
                  %s:8 RoleBinding/a/readers {"verbs":["get"],"apiGroups":[""],"resources":["secrets"]}
                """.formatted(roles), ""));
    }

    @Test
    void minimalRoleIsDerived() throws IOException {
        String log = AUDIT_EVENT.formatted("1", "ResponseComplete", 200, "")
                + AUDIT_EVENT.formatted("2", "ResponseComplete", 200, "").replace("\"get\"", "\"delete\"")
                + AUDIT_EVENT.formatted("3", "ResponseComplete", 403, "").replace("\"get\"", "\"patch\"")
                + AUDIT_EVENT.formatted("4", "ResponseComplete", 200, "").replace("\"jane\"", "\"joe\"")
                + AUDIT_EVENT.formatted("5", "ResponseComplete", 201, "").replace("\"get\"", "\"create\"");
        Path file = Files.writeString(directory.resolve("audit.log"), log);

        CommandRun run = plat("replay", file.toString(), "--learn", "jane");

        assertThat(run).isEqualTo(new CommandRun(0, """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata:
                  name: learned-jane
                  namespace: a
                rules:
                - apiGroups:
                  - ''
                  resources:
                  - pods
                  verbs:
                  - create
                - apiGroups:
                  - ''
                  resources:
                  - pods
                  resourceNames:
                  - x
                  verbs:
                  - delete
                  - get
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata:
                  name: learned-jane
                  namespace: a
                subjects:
                - kind: User
                  apiGroup: rbac.authorization.k8s.io
                  name: jane
                roleRef:
                  apiGroup: rbac.authorization.k8s.io
                  kind: Role
                  name: learned-jane
                """, ""));
        CommandRun nobody = plat("replay", file.toString(), "--learn", "jnae");
        assertThat(nobody.status()).isEqualTo(3);
        assertThat(nobody.err()).contains("\"jnae\" was allowed nothing in ");
        Path learned = Files.writeString(directory.resolve("learned.yaml"), run.out());
        assertThat(plat("replay", file.toString(), "--authorization-rbac-path", learned.toString())
                        .out())
                .startsWith("5 requests, 1 decided differently\nnewly denied:\n  User joe\n");
    }

    @Test
    void maskedAndFailedEntriesAreSkipped() {
        CommandRun run = replay(DECISION.formatted("false").replace("jane", "(masked)")
                + DECISION.formatted("false").replace("\"error\":\"\"", "\"error\":\"no answer\""));

        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains(": no line of the log has a decision");
    }

    @Test
    void malformedLineIsUndetermined() {
        assertThat(replay("nonsense\n" + DECISION.formatted("true")).err())
                .isEqualTo("warning: standard input: line 1 is not a log line\n");
        CommandRun run = replay("nonsense\n{\"spec\":");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("neither a decision log nor an audit log");
    }

    @Test
    void longLinesAndAMissingFinalNewlineAreRead() {
        String body = "\"requestObject\":{\"data\":\"" + "x".repeat(1_000_000) + "\"},\"objectRef\"";
        String log = AUDIT_EVENT.formatted("1", "ResponseComplete", 200, "").replace("\"objectRef\"", body)
                + DECISION.formatted("true").strip();

        assertThat(replay(log).out()).startsWith("2 requests, 0 decided differently\n");
    }

    @ParameterizedTest
    @CsvSource({"replay", "replay log", "replay log --any-name", "replay log --unused --learn jane"})
    void wrongCommandLineIsRefused(String arguments) {
        assertThat(plat(arguments.split(" ")).status()).isEqualTo(2);
    }

    @Test
    void missingLogIsUndetermined() {
        assertThat(plat("replay", directory.resolve("gone").toString(), "--authorization-rbac-path", roles))
                .isEqualTo(new CommandRun(
                        3, "", "plat: cannot read \"" + directory.resolve("gone") + "\": no such file\n"));
    }
}
