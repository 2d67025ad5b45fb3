package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Definitions are refused before their documents exhaust the heap, regardless of the number of requests for these. */
class PublishedDefinitionsTest {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final int VERSIONS = 100;

    private static String definition(int number) {
        // Every other one has names of maximum length.
        String group = number % 2 == 0 ? "g.io" : ("g" + "x".repeat(60) + ".").repeat(3) + "example.com";
        String kind = number % 2 == 0 ? "k" + number : "k".repeat(50) + number;
        String versions = IntStream.range(0, VERSIONS)
                .mapToObj(i -> "{\"name\":\"v" + (i + 1) + (i % 2 == 0 ? "" : "beta1")
                        + "\",\"served\":true,\"storage\":" + (i == 0)
                        + ",\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\"}}}")
                .collect(Collectors.joining(","));
        return """
                {"metadata":{"name":"%1$s.%2$s"},"spec":{"group":"%2$s","scope":"Namespaced",
                "names":{"plural":"%1$s","singular":"%1$s","kind":"%1$s","listKind":"%1$sList"},"versions":[%3$s]}}""".formatted(kind, group, versions);
    }

    @Test
    void documentsOfAllTypesFitIntoTheHeap() throws Exception {
        try (StandaloneServer server = StandaloneServer.startWithJavaOptions("-Xmx128m")) {
            int stored = 0;
            HttpResponse<String> answer = server.client().post(server.at(DEFINITIONS), definition(stored));
            while (answer.statusCode() == 201) {
                stored++;
                answer = server.client().post(server.at(DEFINITIONS), definition(stored));
            }
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
            assertThat(answer.body()).contains("MiB of memory");
            assertThat(stored).isGreaterThan(2);

            List<Callable<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                for (String path : List.of(
                        "/openapi/v2",
                        "/openapi/v3",
                        "/openapi/v3/apis/g.io/v1",
                        "/swaggerapi",
                        "/swaggerapi/apis/g.io/v1",
                        "/swaggerapi/experimental/v1",
                        "/apis",
                        "/apis/g.io")) {
                    calls.add(() -> get(server, path, "*/*"));
                }
                calls.add(
                        () -> get(server, "/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"));
                calls.add(() ->
                        get(server, "/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"));
            }
            try (ExecutorService clients = Executors.newFixedThreadPool(32)) {
                for (Future<Integer> code : clients.invokeAll(calls)) {
                    assertThat(code.get()).isIn(200, 413, 429);
                }
            }
            assertThat(get(server, "/openapi/v2", "*/*")).isEqualTo(200);
            assertThat(server.client()
                            .post(server.at("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"after\"}}")
                            .statusCode())
                    .isEqualTo(201);
        }
    }

    private static int get(StandaloneServer server, String path, String accept)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(server.at(path))
                .timeout(Duration.ofSeconds(60))
                .header("Accept", accept);
        return server.client()
                .http()
                .send(request.build(), HttpResponse.BodyHandlers.ofByteArray())
                .statusCode();
    }
}
