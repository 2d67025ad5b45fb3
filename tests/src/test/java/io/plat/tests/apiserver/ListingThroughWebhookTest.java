package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings of an API server that delegates to a decider: the same as from the decider's own files. */
class ListingThroughWebhookTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RULES = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";

    private static DelegatingSystem system;

    @BeforeAll
    static void start() {
        system = DelegatingSystem.start();
    }

    @AfterAll
    static void stop() {
        system.close();
    }

    private static JsonNode plat(String source, String... words) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(words));
        arguments.addAll(List.of(source, "-o", "json"));
        CompletedProcess finished =
                Command.reused(Program.PLAT, arguments.toArray(String[]::new)).run();
        assertThat(finished.exitStatus()).as(finished.err()).isZero();
        assertThat(finished.err()).isEmpty();
        return JSON.readTree(finished.out());
    }

    private static Set<String> texts(JsonNode list, String... fields) {
        Set<String> texts = new TreeSet<>();
        for (JsonNode one : list) {
            List<String> text = new ArrayList<>();
            for (String field : fields) {
                text.add(one.path(field).toString());
            }
            texts.add(String.join(" ", text));
        }
        return texts;
    }

    private static String server() {
        return "--kubeconfig=" + system.clientFile("admin");
    }

    private static String files() {
        return "--authorization-rbac-path=" + Checkout.path("conf/samples/rbac");
    }

    @ParameterizedTest
    @ValueSource(strings = {"list pods", "delete deployments.apps", "get /api"})
    void whoCanEqualsThatOfTheFiles(String access) throws IOException {
        String[] words = ("who-can " + access + (access.contains("/") ? "" : " -n team-a")).split(" ", -1);
        Set<String> subjects = texts(plat(server(), words).at("/status/subjects"), "kind", "name", "namespace");
        assertThat(subjects)
                .isNotEmpty()
                .isEqualTo(texts(plat(files(), words).at("/status/subjects"), "kind", "name", "namespace"));
    }

    @Test
    void matrixEqualsThatOfTheFiles() throws IOException {
        String[] words = "matrix pods secrets deployments.apps -n team-a --verbs get,create,delete".split(" ", -1);
        Set<String> cells = texts(plat(server(), words).path("cells"), "subject", "resource", "verbs");
        assertThat(cells)
                .hasSizeGreaterThan(3)
                .isEqualTo(texts(plat(files(), words).path("cells"), "subject", "resource", "verbs"));
    }

    @Test
    void matrixOfAnyNamespaceNamesGaps() throws IOException {
        String spec = "{\"spec\":{\"resources\":[{\"resource\":\"pods\"}],\"verbs\":[\"get\"],%s}}";
        String path = "/apis/authorization.k8s.io/v1/accessmatrices";
        try (HttpsClient admin = system.client("admin")) {
            assertThat(admin.post(system.at(path), spec.formatted("\"namespace\":\"team-a\""))
                            .body())
                    .contains("\"team-a-developers\"")
                    .doesNotContain("unexplained");
            assertThat(admin.post(system.at(path), spec.formatted("\"anyNamespace\":true"))
                            .body())
                    .contains("\"operators\"", "access in individual namespaces that another server grants");
        }
    }

    @Test
    void rulesAreIncompleteDuringAnOutageAndCompleteAfterwards() throws IOException {
        try (DelegatingSystem own = DelegatingSystem.start();
                HttpsClient alice = own.client("alice")) {
            String requested = "{\"spec\":{\"namespace\":\"team-a\"}}";
            assertThat(status(alice, own, requested).path("incomplete").asBoolean())
                    .isFalse();
            own.restartDecider();
            assertThat(status(alice, own, requested).path("incomplete").asBoolean())
                    .isFalse();
            own.decider().close();
            // The decision to create reviews is cached.
            JsonNode away = status(alice, own, requested);
            assertThat(away.path("incomplete").asBoolean()).isTrue();
            assertThat(away.path("evaluationError").asText())
                    .startsWith(
                            "Webhook: " + own.decider().at("/authorize") + ": the webhook cannot enumerate rules: ");
        }
    }

    private static JsonNode status(HttpsClient client, DelegatingSystem on, String requested) throws IOException {
        return JSON.readTree(client.post(on.at(RULES), requested).body()).path("status");
    }
}
