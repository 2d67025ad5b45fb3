package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.GoProgram;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Helm with a chart of a custom type, its objects, workloads, a service account and roles. In the full run only, as compiling Helm takes
 * minutes; skipped if Helm and Go are missing.
 */
class HelmTest {
    private static final String MODULE = "helm.sh/helm/v3/cmd/helm@v3.22.0";
    private static final String CHART =
            Checkout.path("tests/src/test/resources/charts/shop").toString();

    /** Collections of a chart's release, besides Helm's own objects. */
    private static final List<String> COLLECTIONS = List.of(
            "/api/v1/namespaces/shop/configmaps/spring",
            "/api/v1/namespaces/shop/secrets/spring",
            "/api/v1/namespaces/shop/serviceaccounts/spring",
            "/api/v1/namespaces/shop/services/spring",
            "/apis/apps/v1/namespaces/shop/deployments/spring",
            "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/spring",
            "/apis/batch/v1/namespaces/shop/cronjobs/spring-night",
            "/apis/networking.k8s.io/v1/namespaces/shop/ingresses/spring",
            "/apis/policy/v1/namespaces/shop/poddisruptionbudgets/spring",
            "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles/spring",
            "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings/spring",
            "/apis/shop.example.com/v1/namespaces/shop/orders/spring");

    private static final ObjectMapper JSON = new ObjectMapper();

    private static String helm = "";
    private static StandaloneServer server;

    @TempDir
    private static Path home = Path.of("");

    @BeforeAll
    static void start() {
        assumeThat(Boolean.getBoolean("plat.full"))
                .as("helm is compiled in the full run only")
                .isTrue();
        Optional<String> program = GoProgram.find("helm", MODULE);
        assumeThat(program).as("helm is not installed and cannot be compiled").isPresent();
        helm = program.orElseThrow();
        server = StandaloneServer.startWithRoles();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static String helm(String line) {
        CompletedProcess result = Command.of(
                        helm, "--kubeconfig", server.clientFile().toString(), "--namespace", "shop")
                .with(line.split(" "))
                .withEnvironment("HOME", home.toString())
                .run();
        assertThat(result.exitStatus())
                .as(line + ": " + result.out() + result.err())
                .isZero();
        return result.out();
    }

    private static Map<String, Integer> present() throws IOException {
        var codes = new TreeMap<String, Integer>();
        for (String path : COLLECTIONS) {
            codes.put(path, server.client().get(server.at(path)).statusCode());
        }
        return codes;
    }

    private static JsonNode deployment() throws IOException {
        HttpResponse<String> read = server.client().get(server.at("/apis/apps/v1/namespaces/shop/deployments/spring"));
        return JSON.readTree(read.body());
    }

    private static String image() throws IOException {
        return deployment().at("/spec/template/spec/containers/0/image").asText();
    }

    @Test
    void releaseLifecycle() throws IOException {
        assertThat(helm("install spring " + CHART + " --create-namespace")).contains("STATUS: deployed", "REVISION: 1");
        assertThat(present().values()).containsOnly(200);
        assertThat(image()).isEqualTo("registry.example/shop:1");

        assertThat(helm("upgrade spring " + CHART
                        + " --set image=registry.example/shop:2,replicas=3,greeting=servus,night=false"))
                .contains("STATUS: deployed", "REVISION: 2");
        assertThat(present()).containsEntry("/apis/batch/v1/namespaces/shop/cronjobs/spring-night", 404);
        assertThat(image()).isEqualTo("registry.example/shop:2");
        assertThat(deployment().at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(helm("upgrade spring " + CHART + " --reuse-values --dry-run=server"))
                .contains("registry.example/shop:2");

        assertThat(helm("rollback spring 1")).contains("Rollback was a success");
        assertThat(present().values()).containsOnly(200);
        assertThat(image()).isEqualTo("registry.example/shop:1");
        assertThat(deployment().at("/spec/replicas").asInt()).isEqualTo(2);
        assertThat(helm("history spring -o json")).contains("\"Rollback to 1\"");
        assertThat(helm("list -o json")).contains("\"revision\":\"3\"");

        assertThat(helm("uninstall spring")).contains("release \"spring\" uninstalled");
        assertThat(present().values()).containsOnly(404);
        assertThat(helm("list -o json").strip()).isEqualTo("[]");
    }
}
