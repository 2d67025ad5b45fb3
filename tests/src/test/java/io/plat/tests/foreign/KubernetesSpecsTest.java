package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.GoProgram;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Kubernetes' own end-to-end specs of API machinery, authentication and authorization, networking and instrumentation, except for those of
 * {@code e2e/skipped.txt}, and the specs of other groups that {@code e2e/selected.txt} lists. In the full run only, as compiling them takes
 * long.
 */
class KubernetesSpecsTest {
    private static final String GROUPS = "\\[sig-(api-machinery|auth|network|instrumentation)\\]";
    private static final String SOURCE = Checkout.path("tests/src/test/go/e2e").toString();
    private static final Path PROGRAM = Checkout.path("tests/target/e2e.test");
    private static final Duration LIMIT = Duration.ofHours(1);
    private static final String NODE =
            "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"node-1\"}}";

    @Test
    void specsPass() throws IOException {
        assumeThat(Boolean.getBoolean("plat.full"))
                .as("compiled in the full run only")
                .isTrue();
        assumeThat(Command.installed("kubectl")).as("kubectl is not installed").isTrue();
        GoProgram.run(LIMIT, "test", "-C", SOURCE, "-vet=off", "-c", "-o", PROGRAM.toString(), ".");
        try (StandaloneServer server = StandaloneServer.startWithRoles()) {
            assertThat(server.client().post(server.at("/api/v1/nodes"), NODE).statusCode())
                    .isEqualTo(201);
            GinkgoSpecs.requirePassed(Command.of(PROGRAM.toString())
                    .with("-kubeconfig=" + server.clientFile(), "-provider=skeleton")
                    .with("-allowed-not-ready-nodes=-1", "-minStartupPods=0", "-e2e-verify-service-account=false")
                    .with("-ginkgo.no-color", "-ginkgo.timeout=1h", "-test.timeout=1h")
                    .with("-ginkgo.focus=" + focus(), "-ginkgo.skip=" + GinkgoSpecs.patterns("e2e/skipped.txt"))
                    // The framework does not resolve relative paths in a client file.
                    .in(server.pki().directory())
                    .within(LIMIT)
                    .run());
        }
    }

    private static String focus() throws IOException {
        return System.getProperty("plat.e2e.focus", GROUPS + "|" + GinkgoSpecs.patterns("e2e/selected.txt"));
    }
}
