package io.plat.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Command;
import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.Finished;
import io.plat.tests.process.Folders;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code plat}'s questions about a policy as processes: asked of a decider, of an API server that delegates to it, and of the same files;
 * and drills of both programs.
 */
@Order(1)
class AskingTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ALICE = " --as alice --as-group team-a-developers";

    private static DelegatingSystem system;
    private static String files;
    private static String decider;
    private static String server;

    @BeforeAll
    static void start() {
        system = DelegatingSystem.start();
        files = "--authorization-rbac-path=" + Checkout.path("conf/samples/rbac");
        decider = "--kubeconfig="
                + ClientFiles.write(
                        system.pki(), "decider.conf", system.decider().at(""), "apiserver-lite");
        server = "--kubeconfig=" + system.clientFile("admin");
    }

    @AfterAll
    static void stop() {
        system.close();
    }

    private static Command plat(String words) {
        return Command.of(Program.PLAT, words.split(" "));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', textBlock = """
        why get pods -n team-a      | 0
        why get secrets -n team-a   | 1
        """)
    void aDeciderExplainsWhatTheFilesDo(String question, int status) throws IOException {
        Finished offline = plat(question + ALICE + " " + files).run();
        assertThat(offline.exitStatus()).as(offline.toString()).isEqualTo(status);
        assertThat(plat(question + ALICE + " " + decider).run()).isEqualTo(offline);
        JsonNode told = json(question + ALICE + " -o json " + server, status);
        JsonNode filed = json(question + ALICE + " -o json " + files, status);
        assertThat(told.path("kind").asText()).isEqualTo("AccessExplanation");
        assertThat(told.path("status").path("allowed"))
                .isEqualTo(filed.path("status").path("allowed"));
        assertThat(told.path("status").path("suggestion").path("text"))
                .isEqualTo(filed.path("status").path("suggestion").path("text"));
        for (String member : List.of("grants", "nearMisses")) {
            assertThat(sources(told, member)).as(member).isEqualTo(sources(filed, member));
        }
    }

    /** Where grants stand, whoever has told of them. */
    private static List<String> sources(JsonNode explanation, String member) {
        List<String> sources = new ArrayList<>();
        explanation
                .path("status")
                .path(member)
                .forEach(grant -> sources.add(grant.path("source").asText().replaceFirst("^https://[^ ]+ RBAC ", "")));
        return sources;
    }

    private static JsonNode json(String words, int status) throws IOException {
        Finished run = plat(words).run();
        assertThat(run.exitStatus()).as(run.toString()).isEqualTo(status);
        return JSON.readTree(run.out());
    }

    @Test
    void everybodyWhoCanAndTheMatrixAreTheSameEverywhere() {
        Finished who = plat("who-can create pods -n team-a " + files).run();
        assertThat(who.out()).contains("system:masters", "team-a-developers");
        assertThat(plat("who-can create pods -n team-a " + decider).run()).isEqualTo(who);
        assertThat(plat("who-can create pods -n team-a " + server).run().out()).contains("team-a-developers");
        Finished matrix = plat("matrix pods secrets nodes --verbs get,delete -n team-a -o csv " + files)
                .run();
        assertThat(matrix.out()).contains("group:team-a-developers,get delete,,");
        assertThat(plat("matrix pods secrets nodes --verbs get,delete -n team-a -o csv " + decider)
                        .run())
                .isEqualTo(matrix);
        assertThat(plat("matrix pods secrets nodes --verbs get,delete -n team-a -o csv " + server)
                        .run()
                        .out())
                .isEqualTo(matrix.out());
    }

    @Test
    void whatIsSuggestedIsAManifest() {
        Finished suggested = plat("why get secrets -n team-a --suggest" + ALICE + " " + server)
                .run();
        assertThat(suggested.exitStatus()).isEqualTo(1);
        assertThat(suggested.out())
                .startsWith("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n")
                .contains("\"secrets\"");
    }

    @Test
    void aDeciderListsWhatItsClientMayDo() {
        Finished list = plat("can-i --list " + decider).run();
        assertThat(list.exitStatus()).as(list.toString()).isZero();
        assertThat(list.out()).startsWith("Resources ").contains("/version");
        Finished other = plat("can-i --list --as alice " + decider).run();
        assertThat(other.exitStatus()).isEqualTo(3);
        assertThat(other.err()).contains("lists what \"apiserver-lite\" may do and nobody else");
        Finished impersonated =
                plat("can-i --list -n team-a" + ALICE + " " + server).run();
        assertThat(impersonated.exitStatus()).as(impersonated.toString()).isZero();
    }

    @Test
    void manyQuestionsAreAnsweredOverOneConnection() {
        Finished run = plat("can-i -f - -n team-a " + server)
                .withInput("get pods" + ALICE + "\nget secrets" + ALICE + "\n")
                .run();
        assertThat(run.exitStatus()).isEqualTo(1);
        assertThat(run.out()).startsWith("yes  get pods").contains("\nno   get secrets");
    }

    @Test
    void aDeciderStandsItsDrill() throws IOException {
        Finished drill = plat("drill " + system.decider().at("") + " --wait 500ms -o json " + decider)
                .run();
        assertThat(drill.exitStatus()).as(drill.toString()).isZero();
        JsonNode outcomes = JSON.readTree(drill.out());
        assertThat(outcomes.size()).isGreaterThan(25);
        outcomes.forEach(outcome -> assertThat(outcome.path("outcome").asText())
                .as(outcome.toString())
                .isEqualTo("closed"));
    }

    /** Each fault that is slow or retried takes the server's whole deadline. */
    @Test
    void anApiServerStandsItsWebhooksFaults() throws IOException {
        assumeTrue(Boolean.getBoolean("plat.full"), "in the full run, as it takes ten seconds");
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        ClientFiles.write(
                system.pki(), "drill.conf", URI.create("https://localhost:" + port + "/authorize"), "apiserver-lite");
        Path data = Files.createTempDirectory("plat-data");
        List<String> flags = new ArrayList<>(system.pki().serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--data-dir=" + data,
                "--authorization-mode=Webhook",
                "--authorization-webhook-config-file=" + system.pki().file("drill.conf"),
                "--authorization-webhook-timeout=300ms",
                "--runtime-config=authorization.plat.io/v1beta1=true"));
        try (RunningServer probed = RunningServer.start(Program.APISERVER_LITE, flags)) {
            Finished drill = plat("drill --listen 127.0.0.1:" + port + " --dir "
                            + system.pki().folder() + " --probe " + probed.at("") + " --kubeconfig="
                            + system.clientFile("mallory"))
                    .run();
            assertThat(drill.out())
                    .as(drill.toString())
                    .endsWith("all closed\n")
                    .contains("allowed-with-denied", "expired-certificate");
            assertThat(drill.exitStatus()).isZero();
        } finally {
            Folders.delete(data);
        }
    }

    @Test
    void kubectlFindsItAsAPlugIn() {
        String plugin = Checkout.path("cli/bin/kubectl-access").toString();
        assertThat(Command.of(plugin, "why", "--help").run().out()).startsWith("Usage: kubectl access why ");
        Finished completed = Command.of(
                        Checkout.path("cli/bin/kubectl_complete-access").toString(), "who")
                .run();
        assertThat(completed.out()).isEqualTo("who-can\nwhoami\n:4\n");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "plat can-i get pods/lo, pods/log",
        "plat matrix --output=h, html",
    })
    void bashCompletesWithIt(String line, String expected) {
        String words = line.replace("=", " = ");
        String script =
                "source <(plat completion bash); COMP_LINE='" + line + "'; COMP_POINT=${#COMP_LINE}; COMP_WORDS=("
                        + words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _plat_complete; echo \"${COMPREPLY[@]}\"";
        Finished bash = Command.of("bash", "-c", script)
                .withEnvironment("PATH", Checkout.path("cli/bin") + ":" + System.getenv("PATH"))
                .run();
        assertThat(bash.out()).as(bash.err()).isEqualTo(expected + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "why",
                "who-can get",
                "matrix --limit x",
                "drill",
                "why get pods --suggest=x",
                "can-i get podz --strict --as a"
            })
    void aWrongCommandLineIsStatusTwo(String words) {
        Finished refused =
                plat(words + " " + (words.equals("drill") ? "" : files)).run();
        assertThat(refused.exitStatus()).as(refused.toString()).isEqualTo(2);
        assertThat(refused.out()).isEmpty();
    }
}
