package io.plat.cli.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.CommandRun;
import io.plat.cli.EngineServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code plat why} and {@code plat who-can}: from files, from a server that explains, and from one that only shows its role objects. */
final class WhyTest {
    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"bob\",\"namespace\":\"team-a\",\"resource\":\"pods\",\"readonly\":true}}\n";

    @TempDir
    private static Path directory = Path.of("");

    private static EngineServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new EngineServer(directory)
                .with(
                        "Role",
                        "\"metadata\":{\"name\":\"reader\",\"namespace\":\"team-a\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"get\",\"list\"]}]")
                .with(
                        "RoleBinding",
                        "\"metadata\":{\"name\":\"readers\",\"namespace\":\"team-a\"},\"subjects\":[{\"kind\":\"User\",\"apiGroup\":\"rbac.authorization.k8s.io\",\"name\":\"alice\"},{\"kind\":\"ServiceAccount\",\"name\":\"ci\"}],\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"Role\",\"name\":\"reader\"}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void reset() {
        server.reset();
    }

    private static CommandRun online(String arguments) {
        return server.server().plat(arguments.split(" "));
    }

    /** Returns the text without locations, which only files have. */
    private static String withoutLocations(String text) {
        return text.replaceAll(" \\([^()]*served-roles.json:[0-9]+\\)", "");
    }

    @Test
    void grantIsShownWithItsBindingAndRole() {
        CommandRun run = server.offline("why get pods -n team-a --as alice");
        assertThat(run.status()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines().toList().getFirst()).startsWith("yes - RBAC: ");
        assertThat(withoutLocations(run.out())).endsWith("""
                granted by:
                  RBAC: RoleBinding/team-a/readers -> Role/team-a/reader
                    {"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]}
                """);
        assertThat(run.out()).contains("served-roles.json:1");
    }

    @Test
    void nearMissesNameWhatIsLacking() {
        CommandRun run = server.offline("why delete pods -n team-a --as alice");
        assertThat(run.status()).isEqualTo(1);
        assertThat(withoutLocations(run.out())).isEqualTo("""
                no - no RBAC policy matched
                request: alice (groups: system:authenticated): delete pods in namespace team-a
                nearest:
                  alice has get, list on pods in namespace team-a; this request is to delete
                    RBAC: RoleBinding/team-a/readers -> Role/team-a/reader
                to allow it, let alice delete pods in namespace team-a; --suggest prints the smallest grant (RBAC)
                """);
    }

    @Test
    void jsonIsTheExplanation() {
        String json = server.offline("why delete pods -n team-a --as alice -o json")
                .out()
                .replaceAll("[ \n]", "");
        assertThat(json)
                .contains("\"kind\":\"AccessExplanation\"", "\"user\":\"alice\"", "\"allowed\":false", "\"grants\":[]")
                .contains("\"nearMisses\":[{\"authorizer\":\"RBAC\",", "\"lacks\":[\"verb\"]", "\"suggestion\":{");
        assertThat(server.offline("why get pods -n team-a --as alice -o yaml").out())
                .contains("\n  grants:\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delete pods -n team-a --as alice",
                "get nodes/n1 --as bob",
                "create deployments.apps -n new --as system:serviceaccount:team-a:ci",
                "get /metrics --as bob",
                "list secrets -A --as bob",
            })
    void suggestionAllowsTheRequest(String request) throws IOException {
        CommandRun suggested = server.offline("why " + request + " --suggest");
        assertThat(suggested.status()).as(suggested.err()).isEqualTo(1);
        assertThat(suggested.out()).startsWith("apiVersion: rbac.authorization.k8s.io/v1\n");
        Path manifest = Files.writeString(directory.resolve("suggested.yaml"), suggested.out());
        assertThat(server.offline("can-i " + request + " --authorization-rbac-path=" + manifest)
                        .out())
                .isEqualTo("yes\n");
        assertThat(server.offline("can-i -q " + request).status()).isEqualTo(1);
    }

    @Test
    void lineIsSuggestedForAPolicyFile() throws IOException {
        Path policy = Files.writeString(directory.resolve("policy.jsonl"), LINE);
        String flag = "--authorization-policy-file=" + policy;
        CommandRun explained = CommandRun.plat("why", "get", "pods", "-n", "team-a", "--as", "bob", flag);
        assertThat(explained.out()).contains("ABAC: " + policy + ":1\n");
        CommandRun suggested =
                CommandRun.plat("why", "delete", "pods", "-n", "team-a", "--as", "bob", "--suggest", flag);
        assertThat(suggested.out()).startsWith("{").hasLineCount(1);
        Files.writeString(policy, LINE + suggested.out());
        assertThat(CommandRun.plat("can-i", "delete", "pods", "-n", "team-a", "--as", "bob", flag)
                        .status())
                .isZero();
    }

    @Test
    void allowedOrUngrantableRequestsHaveNoSuggestion() {
        assertThat(server.offline("why get pods -n team-a --as alice --suggest"))
                .isEqualTo(new CommandRun(0, "", "warning: it is already allowed, so no grant is suggested\n"));
        CommandRun none = server.offline("why get pods -n No_Namespace --as alice --suggest");
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.out()).isEmpty();
        assertThat(none.err()).contains("no namespace can be called");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "why get pods -n team-a --as alice",
                "why delete pods -n team-a --as alice",
                "why get pods -n team-b --as bob",
                "who-can get pods -n team-a",
                "who-can delete pods -n team-a",
            })
    void explainingServerAgreesWithTheFiles(String arguments) {
        assertThat(online(arguments).out()).isEqualTo(server.offline(arguments).out());
        assertThat(online(arguments + " -o json").out())
                .isEqualTo(server.offline(arguments + " -o json").out());
    }

    @Test
    void subjectDefaultsToTheCaller() {
        assertThat(online("why get pods -n team-a").out())
                .isEqualTo(server.offline("why get pods -n team-a --as alice").out());
        assertThat(server.offline("why get pods").status()).isEqualTo(2);
    }

    @Test
    void roleObjectsOfKubeApiserverAreReadAndGapsReported() {
        server.actAsKubeApiserver();
        CommandRun yes = online("why get pods -n team-a");
        assertThat(yes.status()).isZero();
        assertThat(yes.out()).isEqualTo("""
                yes - decided by the server
                request: alice (groups: system:authenticated): get pods in namespace team-a
                granted by:
                  RBAC: RoleBinding/team-a/readers -> Role/team-a/reader
                    {"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]}
                """);
        assertThat(yes.err())
                .startsWith("warning: the server cannot be fully explained: it does not explain its decisions, so")
                .hasLineCount(1);
        CommandRun no = online("why delete pods -n team-a");
        assertThat(no.status()).isEqualTo(1);
        assertThat(no.out()).contains("this request is to delete", "--suggest");
        assertThat(online("why delete pods -n team-a --suggest").out()).startsWith("apiVersion: rbac");
        CommandRun who = online("who-can get pods -n team-a");
        assertThat(who.out())
                .isEqualTo(withoutLocations(
                                server.offline("who-can get pods -n team-a").out())
                        .replaceAll(" +\n", "\n"));
        assertThat(who.err()).contains("is unknown");
    }

    @Test
    void unexplainedDecisionIsAttributedToTheServer() {
        server.actAsKubeApiserver();
        server.overrule();
        CommandRun allowed = online("why delete pods -n team-a");
        assertThat(allowed.status()).isZero();
        assertThat(allowed.out())
                .contains(
                        "yes - decided by the server\n",
                        "  unknown: " + server.server().url());
        CommandRun rejected = online("why get pods -n team-a");
        assertThat(rejected.status()).isEqualTo(1);
        assertThat(rejected.out()).startsWith("no - decided by the server\n");
        assertThat(rejected.err()).contains("its role objects grant this, but another authorizer denies it");
    }

    @Test
    void roleObjectsAreUsedWithoutADecisionOfTheServer() {
        server.actAsKubeApiserver();
        server.refuseReviews();
        CommandRun run = online("why get pods -n team-a --as bob");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("only role objects are considered", "403 Forbidden");
    }

    @Test
    void callersAreShownTheServersDecision() {
        server.actAsKubeApiserver();
        server.refuseReviews();
        server.overrule();
        for (String resource : new String[] {"roles", "clusterroles", "rolebindings", "clusterrolebindings"}) {
            server.forbid(resource);
        }
        CommandRun no = online("why get pods -n team-a");
        assertThat(no.out()).isEqualTo("""
                no - decided by the server
                request: alice (groups: system:authenticated): get pods in namespace team-a
                no known rule almost matches
                """);
        assertThat(no.err())
                .contains("it shows you neither explanations nor role objects: requires create on accessexplanations")
                .hasLineCount(1);
        assertThat(no.status()).isEqualTo(1);
        CommandRun yes = online("why delete pods -n team-a -o json");
        assertThat(yes.out()).contains("\"allowed\" : true", "\"text\" : \"decided by the server\"");
        assertThat(yes.status()).isZero();
        CommandRun other = online("why delete pods -n team-a --as bob");
        assertThat(other.status()).isEqualTo(3);
        assertThat(other.err()).contains("nor can its role objects be read");
    }

    @Test
    void unreadableRolesAreReported() {
        server.actAsKubeApiserver();
        server.forbid("clusterroles");
        assertThat(online("who-can get pods -n team-a").err())
                .contains("RBAC cannot be fully explained: clusterroles cannot be read");
        for (String resource : new String[] {"roles", "rolebindings", "clusterrolebindings"}) {
            server.forbid(resource);
        }
        CommandRun nothing = online("who-can get pods -n team-a");
        assertThat(nothing.status()).isEqualTo(3);
        assertThat(nothing.out()).isEmpty();
        assertThat(nothing.err()).contains("404", "nor can its role objects be read", "403 Forbidden");
    }

    @Test
    void whoCanPrintsATable() {
        assertThat(withoutLocations(server.offline("who-can get pods -n team-a").out()))
                .isEqualTo(withoutLocations("""
                KIND             NAMESPACE   NAME             THROUGH
                Group                        system:masters   RBAC: group system:masters
                User                         alice            RBAC: RoleBinding/team-a/readers -> Role/team-a/reader
                ServiceAccount   team-a      ci               RBAC: RoleBinding/team-a/readers -> Role/team-a/reader
                """));
        assertThat(server.offline("who-can get pods -n team-a --authorization-rbac-super-user root")
                        .out())
                .contains("User                         root             RBAC: --authorization-rbac-super-user\n");
    }

    @Test
    void whoCanMayBeEmpty() throws IOException {
        Path policy = Files.writeString(directory.resolve("one.jsonl"), LINE);
        assertThat(CommandRun.plat("who-can", "get", "secrets", "-n", "x", "--authorization-policy-file=" + policy))
                .isEqualTo(new CommandRun(1, "nobody\n", ""));
    }
}
