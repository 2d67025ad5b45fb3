package io.plat.tests.conf;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Client files and units of the samples are accepted by their programs. */
class SamplesTest {
    @Test
    void clientFilesAreAccepted(@TempDir Path directory) throws IOException {
        try (TestPki pki = TestPki.create().client("webhook").client("alice", "team-a-developers")) {
            assertThat(pki.directory()
                            .toFile()
                            .renameTo(directory.resolve("pki").toFile()))
                    .isTrue();
            Path user = install("user.conf", directory);
            for (String context : List.of("team-a", "ask-the-decider")) {
                // A closed port: the test only requires that the file was parsed.
                CompletedProcess requested = Command.reused(
                                Program.PLAT,
                                "--kubeconfig=" + user,
                                "--context=" + context,
                                "--server=https://localhost:1",
                                "whoami")
                        .run();
                assertThat(requested.err()).contains("cannot connect to localhost:1");
                assertThat(requested.exitStatus()).isEqualTo(3);
            }
            Path webhook = install("webhook.conf", directory);
            List<String> flags = List.of(
                    "--tls-cert-file=" + directory.resolve("pki/server.crt"),
                    "--tls-private-key-file=" + directory.resolve("pki/server.key"),
                    "--client-ca-file=" + directory.resolve("pki/ca.crt"),
                    "--secure-port=0",
                    "--authorization-mode=Webhook",
                    "--authorization-webhook-config-file=" + webhook);
            try (RunningServer decider = RunningServer.startReused(Program.DECIDER, flags)) {
                assertThat(decider.err()).doesNotContain("webhook.conf");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "samples/rbac",
                "samples/rbac-v1alpha1",
                "samples/abac/policy.jsonl",
                "samples/abac/policy-unversioned.jsonl",
                "kustomize/base/policy"
            })
    void samplePoliciesHaveNoFindings(String policy) {
        CompletedProcess lint = Command.reused(
                        Program.PLAT, "lint", Checkout.path("conf/" + policy).toString())
                .run();
        assertThat(lint.out()).isEqualTo("nothing found\n");
        assertThat(lint.exitStatus()).isZero();
    }

    /** The commands of the workflow are executed unchanged. */
    @Test
    void workflowRunsLintAndPolicyTests() throws IOException {
        String workflow = Files.readString(Checkout.path("conf/samples/policy-tests/github-workflow.yaml"));
        List<String> commands = Pattern.compile("run: plat (.*) > (\\S+)")
                .matcher(workflow)
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(commands).hasSize(2);
        for (String command : commands) {
            List<String> arguments = Stream.of(command.split(" "))
                    .map(word -> word.startsWith("conf/") ? Checkout.path(word).toString() : word)
                    .toList();
            CompletedProcess run = Command.reused(Program.PLAT, arguments.toArray(String[]::new))
                    .run();
            assertThat(run.exitStatus()).as(run.toString()).isZero();
            assertThat(run.out()).containsAnyOf("\"runs\"", "<testsuite");
        }
    }

    private static Path install(String sample, Path directory) throws IOException {
        return Files.copy(Checkout.path("conf/samples/clients/" + sample), directory.resolve(sample));
    }

    @Test
    void systemdUnitsUseExistingFlags() throws IOException {
        assertFlagsKnown("conf/systemd/decider.service", Program.DECIDER);
        assertFlagsKnown("conf/systemd/apiserver-lite.service", Program.APISERVER_LITE);
    }

    private static void assertFlagsKnown(String unit, Program program) throws IOException {
        String help = Command.reused(program, "--help").run().out();
        List<String> flags = Files.readString(Checkout.path(unit))
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("--"))
                .map(line -> line.substring(0, line.indexOf('=')))
                .toList();
        assertThat(flags)
                .hasSizeGreaterThan(5)
                .allSatisfy(flag -> assertThat(help).contains(flag));
    }
}
