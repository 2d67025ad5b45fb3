package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.Finished;
import io.plat.tests.process.LoneServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Kubernetes' own end-to-end specs of API machinery, authentication and authorization, networking and instrumentation, except for those of
 * {@code e2e/skipped.txt}. In the full run only, as compiling them takes long.
 */
class KubernetesSpecsTest {
    private static final String FOCUS =
            System.getProperty("plat.e2e.focus", "\\[sig-(api-machinery|auth|network|instrumentation)\\]");
    private static final Path PROGRAM = Checkout.path("tests/target/e2e.test");
    private static final String NODE =
            "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"node-1\"}}";

    @Test
    void specsPass() throws IOException {
        assumeThat(Boolean.getBoolean("plat.full"))
                .as("compiled in the full run only")
                .isTrue();
        assumeThat(Command.installed("kubectl")).as("kubectl is not installed").isTrue();
        assumeThat(Command.installed("go")).as("go is not installed").isTrue();
        Finished built = Command.of("go", "test", "-C", source().toString(), "-c", "-o", PROGRAM.toString(), ".")
                .within(Duration.ofHours(1))
                .run();
        assumeThat(built.err().contains("proxy.golang.org") || built.err().contains("dial tcp"))
                .as("the specs can't be fetched: %s", built.err())
                .isFalse();
        assertThat(built.exitStatus()).as(built.err()).isZero();
        try (LoneServer server = LoneServer.startWithRoles()) {
            assertThat(server.client().post(server.at("/api/v1/nodes"), NODE).statusCode())
                    .isEqualTo(201);
            Finished run = Command.of(PROGRAM.toString())
                    .with("-kubeconfig=" + server.clientFile(), "-provider=skeleton")
                    .with("-allowed-not-ready-nodes=-1", "-minStartupPods=0", "-e2e-verify-service-account=false")
                    .with("-ginkgo.no-color", "-ginkgo.timeout=1h", "-test.timeout=1h")
                    .with("-ginkgo.focus=" + FOCUS, "-ginkgo.skip=" + skipped())
                    .within(Duration.ofHours(1))
                    .run();
            int summary = run.out().lastIndexOf("Summarizing");
            System.out.println(run.out().substring(Math.max(summary, run.out().lastIndexOf("\nRan "))));
            assertThat(run.exitStatus())
                    .as(summary < 0 ? run.out() + run.err() : run.out().substring(summary))
                    .isZero();
        }
    }

    private static Path source() {
        return Checkout.path("tests/src/test/go/e2e");
    }

    /** Returns a pattern that matches every skipped spec: the indented lines. */
    private static String skipped() throws IOException {
        return Files.readAllLines(Checkout.path("tests/src/test/resources/e2e/skipped.txt")).stream()
                .filter(line -> line.startsWith(" "))
                .map(String::strip)
                .collect(Collectors.joining("|"));
    }
}
