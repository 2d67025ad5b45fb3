package io.plat.cli.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.CommandRun;
import io.plat.cli.ScriptedServer;
import io.plat.cli.ScriptedServer.RecordedRequest;
import io.plat.cli.ScriptedServer.Reply;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code plat can-i} with a server: requests, and handling of responses. */
final class ServersTest {
    private static final String REVIEW =
            "{\"kind\":\"%s\",\"apiVersion\":\"authorization.k8s.io/v1\",\"status\":{\"allowed\":%b,\"reason\":\"because\"}}";
    private static final String RULES =
            "{\"kind\":\"SelfSubjectRulesReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"spec\":{},\"status\":{"
                    + "\"resourceRules\":[{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}],"
                    + "\"nonResourceRules\":[],\"incomplete\":true,\"evaluationError\":\"a webhook cannot enumerate rules\"}}";
    private static final String DISCOVERY =
            "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[{\"metadata\":{\"name\":\"example.com\"},\"versions\":[{\"version\":"
                    + "\"v1\",\"resources\":[{\"resource\":\"widgets\",\"scope\":\"Cluster\",\"singularResource\":\"widget\","
                    + "\"shortNames\":[\"wd\"],\"responseKind\":{\"kind\":\"Widget\"},\"subresources\":[{\"subresource\":\"status\"}]}]}]}]}";

    @TempDir
    private static Path directory = Path.of("");

    private static ScriptedServer server;
    private static final AtomicInteger REQUESTS = new AtomicInteger();
    private static volatile boolean listsNamespaces;
    private static volatile boolean impersonates;
    private static volatile boolean aggregates;
    private static volatile int allowedFrom;
    private static volatile boolean endless;

    @BeforeAll
    static void start() throws Exception {
        server = new ScriptedServer(directory, ServersTest::answer);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void reset() {
        server.requests();
        REQUESTS.set(0);
        listsNamespaces = true;
        endless = false;
        impersonates = true;
        aggregates = true;
        allowedFrom = Integer.MAX_VALUE;
    }

    private static Reply answer(RecordedRequest requested) {
        String target = requested.target();
        if (endless && target.contains("?limit=")) {
            String kind = target.contains("/roles?")
                    ? "\"RoleList\",\"apiVersion\":\"rbac.authorization.k8s.io/v1\""
                    : "\"List\",\"apiVersion\":\"v1\"";
            return new Reply(
                    200,
                    "{\"kind\":" + kind + ",\"metadata\":{\"continue\":\"" + REQUESTS.incrementAndGet()
                            + "\"},\"items\":[]}");
        }
        if (target.endsWith("accessreviews")) {
            boolean allowed = requested.body().contains("\"namespace\":\"b")
                    || requested.body().contains("widgets")
                    || REQUESTS.incrementAndGet() >= allowedFrom;
            return Reply.created(REVIEW.formatted(
                    target.contains("self") ? "SelfSubjectAccessReview" : "SubjectAccessReview", allowed));
        }
        if (target.endsWith("/selfsubjectrulesreviews")) {
            return Reply.created(RULES);
        }
        if (target.endsWith("/selfsubjectreviews")) {
            String user = impersonates
                    ? requested
                            .fields()
                            .getOrDefault("Impersonate-user", List.of("me"))
                            .getFirst()
                    : "me";
            return Reply.created(
                    "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\",\"status\":{"
                            + "\"userInfo\":{\"username\":\"" + user + "\"}}}");
        }
        return answerGet(target);
    }

    private static Reply answerGet(String target) {
        if (target.startsWith("GET /api/v1/namespaces?")) {
            if (!listsNamespaces) {
                return Reply.refusal(403, "Forbidden", "namespaces is forbidden");
            }
            return target.contains("continue=")
                    ? new Reply(200, "{\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"b2\"}}]}")
                    : new Reply(
                            200,
                            "{\"metadata\":{\"continue\":\"x/=\"},\"items\":[{\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":\"b1\"}}]}");
        }
        return switch (target) {
            case "GET /apis" ->
                new Reply(
                        200,
                        aggregates
                                ? DISCOVERY
                                : "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"example.com\",\"preferredVersion\":{\"groupVersion\":\"example.com/v1\"}}]}");
            case "GET /apis/example.com/v1" ->
                new Reply(
                        200,
                        "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"widgets\",\"singularName\":\"\",\"namespaced\":false,\"kind\":\"Widget\",\"shortNames\":[\"wd\"]},{\"name\":\"widgets/status\",\"namespaced\":false}]}");
            default -> Reply.refusal(404, "NotFound", "serviceaccounts \\\"ci\\\" not found");
        };
    }

    @Test
    void namespacesAreCheckedOneByOneOverOneConnection() {
        assertThat(server.plat("can-i", "get", "pods", "-A"))
                .isEqualTo(new CommandRun(1, "no - because; yes in b1, b2\n", ""));
        List<RecordedRequest> requested = server.requests();
        assertThat(requested).hasSize(6);
        assertThat(requested.stream().map(RecordedRequest::from).distinct()).hasSize(1);
        assertThat(requested.get(2).target()).isEqualTo("GET /api/v1/namespaces?limit=500&continue=x%2F%3D");
    }

    @Test
    void unlistableNamespacesAreNotAnError() {
        listsNamespaces = false;
        CommandRun run = server.plat("can-i", "get", "pods", "-A");
        assertThat(run.out()).isEqualTo("no - because\n");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("warning: only all namespaces at once were checked")
                .contains("403 Forbidden");
    }

    @Test
    void additionalRequestsAreSentOnlyWhenNeeded() {
        server.plat("can-i", "get", "pods", "-n", "b");
        server.plat("can-i", "get", "pods", "-q", "-A");
        server.plat("can-i", "get", "nodes", "-A");
        assertThat(server.requests()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void customTypesAreDiscovered(boolean aggregated) {
        aggregates = aggregated;
        assertThat(server.plat("can-i", "get", "wd/status", "-n", "b"))
                .isEqualTo(new CommandRun(
                        0,
                        "yes\n",
                        "warning: \"status\" is a subresource of wd and is checked as such; for an"
                                + " object of that name add --subresource=''\n"
                                + "warning: \"widgets\" is not namespaced; --namespace is ignored\n"));
        assertThat(server.requests().getLast().body())
                .contains("\"group\":\"example.com\"", "\"resource\":\"widgets\"", "\"subresource\":\"status\"")
                .doesNotContain("namespace");
        assertThat(server.plat("can-i", "get", "gadgets", "--strict").status()).isEqualTo(3);
    }

    @Test
    void missingServiceAccountIsReportedOnDenial() {
        CommandRun run = server.plat("can-i", "get", "pods", "--as", "system:serviceaccount:a:ci");
        assertThat(run)
                .isEqualTo(
                        new CommandRun(
                                1,
                                "no - because\n",
                                "note: checked in namespace \"default\"; -n names another one\nwarning: there is no service account \"ci\" in the namespace \"a\"\n"));
        assertThat(server.plat("can-i", "get", "pods", "--strict", "--as", "system:serviceaccount:a:ci")
                        .status())
                .isEqualTo(3);
    }

    @Test
    void listForAnotherUserImpersonates() {
        CommandRun run = server.plat("can-i", "--list", "--as", "bob", "--as-group", "g", "--as-group", "h", "-n", "x");
        assertThat(run)
                .isEqualTo(new CommandRun(
                        3, """
                        Resources   Non-Resource URLs   Resource Names   Verbs
                        pods        []                  []               [get]
                        """, "warning: the list may be incomplete: the server: a webhook cannot enumerate rules\n"));
        RecordedRequest requested = server.requests().getLast();
        assertThat(requested.body()).endsWith("\"spec\":{\"namespace\":\"x\"}}");
        assertThat(requested.fields()).containsEntry("Impersonate-user", List.of("bob"));
        assertThat(requested.fields().get("Impersonate-group")).containsExactlyInAnyOrder("g", "h");
    }

    @Test
    void serverWithoutImpersonationIsRejected() {
        impersonates = false;
        CommandRun run = server.plat("can-i", "--list", "--as", "bob");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("lists what \"me\" may do and no other user");
        assertThat(server.plat("can-i", "--list", "--as", "bob", "--exact-groups")
                        .status())
                .isEqualTo(2);
        assertThat(server.plat("can-i", "--list").status()).isEqualTo(3);
    }

    @Test
    void waitsForTheDesiredAnswer() {
        allowedFrom = 3;
        assertThat(server.plat("can-i", "get", "pods", "--wait-for", "allow", "--timeout", "30s"))
                .isEqualTo(new CommandRun(0, "yes\n", ""));
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void batchUsesOneConnection() {
        String lines = IntStream.range(0, 200)
                .mapToObj(i -> "get pods/p" + i + " -n " + (i % 2 == 0 ? "a" : "b"))
                .collect(Collectors.joining("\n"));
        CommandRun run =
                CommandRun.plat(new ByteArrayInputStream(lines.getBytes(UTF_8)), server.with("can-i", "-f", "-"));
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(run.out().lines()).hasSize(200).element(1).isEqualTo("yes  get pods/p1 -n b");
        assertThat(server.requests().stream().map(RecordedRequest::from).distinct())
                .hasSize(1);
    }

    @Test
    void batchContinuesAfterAFailureUnlessItPersists() {
        String lines = "get pods -n b\n".repeat(10);
        CommandRun run = CommandRun.plat(
                new ByteArrayInputStream(lines.getBytes(UTF_8)),
                "can-i",
                "-f",
                "-",
                "--as",
                "x",
                "--server=https://localhost:1",
                "--certificate-authority=" + directory.resolve("ca.crt"));
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .hasLineCount(4)
                .contains("standard input:3: get pods -n b", "gave up after 3 failures in a row");
    }

    @Test
    void traceShowsReviewsAndNoToken() {
        CommandRun run = server.plat("--v", "can-i", "get", "pods", "-n", "b", "--token", "s3cret");
        assertThat(run.out()).isEqualTo("yes\n");
        assertThat(run.err())
                .contains("> POST " + server.url() + "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews\n")
                .contains(">       \"resource\" : \"pods\"\n", "< 201 application/json\n", "<     \"allowed\" : true")
                .doesNotContain("s3cret");
        assertThat(server.plat("can-i", "get", "pods", "-n", "b", "-v=1").err()).hasLineCount(2);
        assertThat(server.plat("can-i", "get", "pods", "-n", "b", "--v=9").err())
                .contains("\"allowed\" : true");
        assertThat(server.plat("can-i", "get", "pods", "-n", "b", "--v").err()).contains("\"allowed\" : true");
        assertThat(server.plat("can-i", "get", "pods", "-n", "b", "--v=0").err())
                .isEmpty();
        assertThat(server.plat("can-i", "get", "pods", "-n", "b", "--v=loud").status())
                .isEqualTo(2);
    }

    @Test
    void flagsOverrideTheEnvironmentWhichOverridesTheFile() {
        Map<String, String> environment = Map.of(
                "PLAT_SERVER", server.url(),
                "PLAT_CERTIFICATE_AUTHORITY", directory.resolve("ca.crt").toString(),
                "PLAT_CLIENT_CERTIFICATE", directory.resolve("me.crt").toString(),
                "PLAT_CLIENT_KEY", directory.resolve("me.key").toString(),
                "PLAT_NAMESPACE", "b-of-the-variable",
                "PLAT_OUTPUT", "json");
        CommandRun run = CommandRun.plat(environment, "can-i", "get", "pods");
        assertThat(run.out()).startsWith("{\n").contains("\"allowed\" : true");
        assertThat(server.requests().getFirst().body()).contains("b-of-the-variable");
        CommandRun flags = CommandRun.plat(environment, "can-i", "get", "pods", "-n", "a", "-o", "text");
        assertThat(flags.out()).isEqualTo("no - because\n");
        assertThat(CommandRun.plat(environment, "can-i", "get", "pods", "--server=https://localhost:1")
                        .err())
                .contains("localhost:1");
    }

    /** Endless lists without items. */
    @ParameterizedTest
    @ValueSource(strings = {"can-i get secrets --all-namespaces", "lint server:"})
    void endlessListIsAnError(String command) {
        endless = true;
        CommandRun message = CommandRun.plat(server.with(command.split(" ")));
        assertThat(message.err()).contains("the list has more than 2000 chunks");
        assertThat(REQUESTS.get()).isBetween(2000, 10_000);
    }
}
