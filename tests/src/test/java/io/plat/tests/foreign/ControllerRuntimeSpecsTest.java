package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.GoProgram;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The specs of controller-runtime's packages that need a cluster, each package with its own server, except for {@code
 * controller-runtime/skipped.txt}. In the full run only, as compiling them takes long.
 */
class ControllerRuntimeSpecsTest {
    private static final String MODULE =
            Checkout.path("tests/src/test/go/controllerruntime").toString();
    private static final Path SOURCE = Checkout.path("tests/target/controller-runtime");
    private static final Duration LIMIT = Duration.ofMinutes(30);

    @BeforeAll
    static void copySource() throws IOException {
        assumeThat(Boolean.getBoolean("plat.full"))
                .as("compiled in the full run only")
                .isTrue();
        String module =
                GoProgram.run(LIMIT, "mod", "download", "-C", MODULE, "-json", "sigs.k8s.io/controller-runtime");
        // The module cache is read-only.
        CompletedProcess copied = Command.of("sh", "-c", "rm -rf \"$1\" && cp -r \"$0\" \"$1\" && chmod -R u+w \"$1\"")
                .with(new JsonMapper().readTree(module).path("Dir").asText(), SOURCE.toString())
                .run();
        assertThat(copied.exitStatus()).as(copied.err()).isZero();
        awaitDeletedNamespaces(SOURCE.resolve("pkg/client/client_test.go"));
    }

    /**
     * The specs finalize namespaces themselves, as envtest has no controllers; this would conflict with the server's namespace controller.
     */
    private static void awaitDeletedNamespaces(Path file) throws IOException {
        String source = Files.readString(file);
        String changed = source.replace("\t// finalize if necessary\n", """
                \tEventually(func() bool {
                \t\t_, err := clientset.CoreV1().Namespaces().Get(ctx, ns.Name, metav1.GetOptions{})
                \t\treturn apierrors.IsNotFound(err)
                \t}, "30s").Should(BeTrue())
                \treturn

                """);
        assertThat(changed).isNotEqualTo(source);
        Files.writeString(file, changed);
    }

    /** A spec derives a client file from the settings of its client, which keeps embedded certificates but no paths. */
    private static Path withEmbeddedCertificates(StandaloneServer server) throws IOException {
        CompletedProcess flattened = Command.of("kubectl", "config", "view", "--flatten", "--kubeconfig")
                .with(server.clientFile().toString())
                .run();
        assertThat(flattened.exitStatus()).as(flattened.err()).isZero();
        return Files.writeString(server.pki().directory().resolve("embedded.conf"), flattened.out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "builder",
                "cache",
                "client",
                "client/apiutil",
                "cluster",
                "controller",
                "controller/controllerutil",
                "envtest",
                "handler",
                "internal/controller",
                "internal/recorder",
                "manager",
                "manager/internal/integration",
                "metrics/filters",
                "reconcile",
                "source",
                "webhook"
            })
    void specsPass(String name) throws IOException {
        String skipped = GinkgoSpecs.patterns("controller-runtime/skipped.txt");
        try (StandaloneServer server = StandaloneServer.startWithRoles()) {
            GinkgoSpecs.requirePassed(Command.of("go", "test", "-C", SOURCE.toString(), "-vet=off", "-count=1", "-v")
                    .with("-skip=" + skipped, "./pkg/" + name)
                    .with("-args", "-ginkgo.no-color", "-ginkgo.skip=" + skipped)
                    .withEnvironment("USE_EXISTING_CLUSTER", "true")
                    .withEnvironment(
                            "KUBECONFIG", withEmbeddedCertificates(server).toString())
                    .within(LIMIT)
                    .run());
        }
    }
}
