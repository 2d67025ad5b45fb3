package io.plat.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plat} outside a prompt: as a faulty webhook, as a kubectl plug-in, and for shell completion. */
class PlatIntegrationTest {
    /** Each slow or retried fault takes the server's full timeout. */
    @Test
    void apiServerFailsClosedOnWebhookFaults() throws IOException {
        assumeTrue(Boolean.getBoolean("plat.full"), "in the full run, as it takes ten seconds");
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path data = Files.createTempDirectory("plat-data");
        try (TestPki pki = TestPki.create().client("apiserver-lite").client("mallory")) {
            Path webhook = ClientFiles.write(
                    pki, "drill.conf", URI.create("https://localhost:" + port + "/authorize"), "apiserver-lite");
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--data-dir=" + data,
                    "--authorization-mode=Webhook",
                    "--authorization-webhook-config-file=" + webhook,
                    "--authorization-webhook-timeout=300ms",
                    "--runtime-config=authorization.plat.io/v1beta1=true"));
            try (RunningServer probed = RunningServer.start(Program.APISERVER_LITE, flags)) {
                Path mallory = ClientFiles.write(pki, "mallory.conf", probed.at(""), "mallory");
                CompletedProcess drill = Command.of(Program.PLAT, "drill", "--listen", "127.0.0.1:" + port)
                        .with("--dir", pki.directory().toString())
                        .with("--probe", probed.at("").toString(), "--kubeconfig", mallory.toString())
                        .run();
                assertThat(drill.out())
                        .as(drill.toString())
                        .endsWith("all closed\n")
                        .contains("allowed-with-denied", "expired-certificate");
                assertThat(drill.exitStatus()).isZero();
            }
        } finally {
            Directories.delete(data);
        }
    }

    @Test
    void kubectlPluginIsFound() {
        String plugin = Checkout.path("cli/bin/kubectl-access").toString();
        assertThat(Command.of(plugin, "why", "--help").run().out()).startsWith("Usage: kubectl access why ");
        CompletedProcess completed = Command.of(
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
        assertThat(completed(line, "")).isEqualTo(expected + "\n");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "plat can-i wa, watch",
        "plat --context x can-i -n y -A d, delete deletecollection",
        "plat why create po, asked",
        "plat can-i --na, --namespace",
    })
    void bashCompletesVerbsWithoutIt(String line, String expected) {
        assertThat(completed(line, "plat() { echo asked; echo :4; };")).isEqualTo(expected + "\n");
    }

    /** Returns the completions of a line, after commands that follow the script. */
    private static String completed(String line, String commands) {
        String words = line.replace("=", " = ");
        String script = "source <(plat completion bash); " + commands + " COMP_LINE='" + line
                + "'; COMP_POINT=${#COMP_LINE}; COMP_WORDS=(" + words
                + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _plat_complete; echo \"${COMPREPLY[@]}\"";
        CompletedProcess bash = Command.of("bash", "-c", script)
                .withEnvironment("PATH", Program.PLAT.reused().getParent() + ":" + System.getenv("PATH"))
                .run();
        assertThat(bash.err()).isEmpty();
        return bash.out();
    }
}
