package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.StandaloneServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Objects with thousands of names with equal hashes: finalizers, annotations, labels and data, which are in {@code managedFields} too. They
 * affect neither other readers nor followers of role objects.
 */
class CollidingNamesTest {
    private static final String JSON = "application/json";
    private static final String NAMESPACE = "/api/v1/namespaces/default/";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

    private static StandaloneServer server;
    private static HttpsClient alice;

    @BeforeAll
    static void start() throws IOException {
        server = StandaloneServer.startProcessWithRoles();
        TestPki pki = server.pki().client("alice");
        alice = HttpsClient.of(pki, "alice");
        String data = names(8192, name -> "\"" + name + "\":\"\"");
        created(NAMESPACE + "configmaps", "{\"metadata\":{\"name\":\"data\"},\"data\":{" + data + "}}");
        String labels = names(2048, name -> "\"example.com/" + name + "\":\"\"");
        created(
                NAMESPACE + "configmaps",
                "{\"metadata\":{\"name\":\"labels\",\"labels\":{" + labels + "},\"annotations\":{" + labels + "}}}");
        String finalizers = names(1000, name -> "\"example.com/" + name + "\"");
        created(
                RBAC + "clusterroles",
                "{\"metadata\":{\"name\":\"reader\",\"labels\":{" + labels + "},\"annotations\":{" + labels
                        + "},\"finalizers\":[" + finalizers
                        + "]},\"rules\":[{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"configmaps\"]}]}");
        created(NAMESPACE + "configmaps", "{\"metadata\":{\"name\":\"plain\"},\"data\":{\"a\":\"b\"}}");
    }

    @AfterAll
    static void stop() {
        alice.close();
        server.close();
    }

    /** Names of 26 characters with equal hashes: all by {@link String#hashCode}, and many by Jackson's symbol table. */
    private static String names(int count, UnaryOperator<String> entry) {
        return IntStream.range(0, count)
                .mapToObj(i -> IntStream.range(0, 13)
                        .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining()))
                .map(entry)
                .collect(Collectors.joining(","));
    }

    private static void created(String path, String body) throws IOException {
        HttpResponse<String> answer = server.client().post(server.at(path), body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                JSON,
                "application/yaml",
                "application/vnd.kubernetes.protobuf",
                "application/json;as=Table;v=v1;g=meta.k8s.io"
            })
    void collidingNamesAreReadInEveryForm(String accept) throws IOException {
        HttpsClient client = server.client().withHeader("Accept", accept);
        for (String path : List.of(
                NAMESPACE + "configmaps/data",
                NAMESPACE + "configmaps/labels",
                RBAC + "clusterroles/reader",
                NAMESPACE + "configmaps",
                RBAC + "clusterroles",
                NAMESPACE + "configmaps/plain")) {
            for (String query : List.of("", "?pretty=true")) {
                assertThat(client.getBytes(server.at(path + query)).statusCode())
                        .as(path + query)
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void collidingNamesAreWritable() throws IOException {
        for (Map.Entry<String, String> patch : Map.of(
                        "application/merge-patch+json",
                        "{\"metadata\":{\"annotations\":{\"x\":\"y\"}}}",
                        "application/strategic-merge-patch+json",
                        "{\"data\":{\"x\":\"y\"}}",
                        "application/json-patch+json",
                        "[{\"op\":\"add\",\"path\":\"/data/y\",\"value\":\"z\"}]",
                        "application/apply-patch+yaml",
                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"data\"},\"data\":{\"z\":\"a\"}}")
                .entrySet()) {
            HttpResponse<String> answer = server.client()
                    .send(
                            "PATCH",
                            server.at(NAMESPACE + "configmaps/data?fieldManager=test"),
                            patch.getKey(),
                            patch.getValue());
            assertThat(answer.statusCode()).as(patch.getKey()).isEqualTo(200);
        }
    }

    @Test
    void tooManyAreRefused() throws IOException {
        String finalizers = names(8192, name -> "\"example.com/" + name + "\"");
        assertThat(server.client()
                        .post(
                                server.at(RBAC + "clusterroles"),
                                "{\"metadata\":{\"name\":\"a\",\"finalizers\":[" + finalizers + "]}}")
                        .statusCode())
                .isEqualTo(422);
    }

    @Test
    void roleChangesTakeEffectWithTheirResponse() throws IOException {
        String bindings = RBAC + "namespaces/default/rolebindings";
        String names = names(2048, name -> "\"example.com/" + name + "\":\"\"");
        for (int i = 0; i < 5; i++) {
            created(
                    bindings,
                    "{\"metadata\":{\"name\":\"b\",\"annotations\":{" + names
                            + "}},\"subjects\":[{\"kind\":\"User\",\"name\":\"alice\",\"apiGroup\":\"rbac.authorization.k8s.io\"}],"
                            + "\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\",\"name\":\"reader\"}}");
            assertThat(alice.get(server.at(NAMESPACE + "configmaps/plain")).statusCode())
                    .isEqualTo(200);
            assertThat(server.client()
                            .send("DELETE", server.at(bindings + "/b"), null)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(alice.get(server.at(NAMESPACE + "configmaps/plain")).statusCode())
                    .isEqualTo(403);
        }
        assertThat(server.client().get(server.at("/readyz")).statusCode()).isEqualTo(200);
        assertThat(Metrics.of(server.client(), server.at("/metrics"))
                        .sum(series -> series.startsWith("background_loop_restarts_total")))
                .isZero();
    }
}
