package io.plat.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A failed run of plat is status 3 and one line: never "yes", never "no", never a stack trace. A broken pipe, as with {@code head}, is
 * silent.
 */
class FailedRunsTest {
    private static final String ALLOWED =
            "can-i get pods -n team-a --as alice --as-group team-a-developers" + " --authorization-rbac-path \"$1\"";

    @ParameterizedTest
    @ValueSource(strings = {"--version", "--help", ALLOWED, ALLOWED + " -o yaml"})
    void fullDiskIsUndetermined(String arguments) {
        assumeTrue(Files.exists(Path.of("/dev/full")), "no /dev/full");
        assertThat(shell("\"$0\" " + arguments + " > /dev/full"))
                .isEqualTo(new CompletedProcess(
                        3, "", "plat: cannot write to standard output: No space left on device\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", ALLOWED})
    void brokenPipeIsSilent(String arguments) {
        // The reader ends before the JVM has started.
        assertThat(shell("set -o pipefail; \"$0\" " + arguments + " | :")).isEqualTo(new CompletedProcess(3, "", ""));
    }

    /** Unlike a named pipe, which might never have a writer. */
    @Test
    void processSubstitutionIsRead() {
        String requests = "<(echo get pods -n team-a --as alice --as-group team-a-developers)";
        assertThat(shell("\"$0\" can-i -f " + requests + " --authorization-rbac-path \"$1\""))
                .isEqualTo(new CompletedProcess(
                        0, "yes  get pods -n team-a --as alice --as-group team-a-developers\n", ""));
    }

    @Test
    void quietModeReturnsTheExitStatus() {
        assumeTrue(Files.exists(Path.of("/dev/full")), "no /dev/full");
        assertThat(shell("\"$0\" " + ALLOWED + " -q > /dev/full")).isEqualTo(new CompletedProcess(0, "", ""));
    }

    @Test
    void outOfMemoryIsUndetermined(@TempDir Path policy) throws IOException {
        String roles = IntStream.range(0, 700)
                .mapToObj(i ->
                        "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r%%d-%d}\n"
                                        .formatted(i)
                                + "rules:\n- {apiGroups: [''], resources: [pods%d], verbs: [get]}\n".formatted(i))
                .collect(Collectors.joining());
        // Each file fits into this heap, but not all of them together.
        for (int i = 0; i < 60; i++) {
            Files.writeString(policy.resolve(i + ".yaml"), roles.replace("%d", String.valueOf(i)));
        }
        CompletedProcess run = Command.of(
                        Program.PLAT, "can-i", "get", "pods", "--as=alice", "--authorization-rbac-path=" + policy)
                .withEnvironment("_JAVA_OPTIONS", "-Xmx4m")
                .run();
        assertThat(run.exitStatus()).as(run.err()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines().filter(line -> !line.startsWith("Picked up")))
                .containsExactly("plat: out of memory: Java heap space");
    }

    private static CompletedProcess shell(String script) {
        return Command.of(
                        "bash",
                        "-c",
                        script,
                        Program.PLAT.launcher().toString(),
                        Checkout.path("conf/samples/rbac").toString())
                .run();
    }
}
