package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small requests that are expensive, or would store values that some clients cannot read: each is refused, and the server continues. */
class ExpensiveRequestsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NAMESPACE = "/api/v1/namespaces/default/";
    private static final String MAPS = NAMESPACE + "configmaps";

    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void assertServerContinues() throws IOException {
        assertThat(server.client().get(server.at("/livez")).statusCode()).isEqualTo(200);
    }

    private static HttpResponse<String> send(String method, String path, String type, String body) throws IOException {
        return server.client().send(method, server.at(path), type, body);
    }

    private static String message(HttpResponse<String> answer) throws IOException {
        return JSON.readTree(answer.body()).path("message").asText();
    }

    /** Each level refers to the one below ten times; all values are empty, or a long name. */
    @ParameterizedTest
    @CsvSource({"'[]', 1000, 1", "'{}', 1000, 1", "'1', 20, 60000"})
    void aliasExpansionIsBounded(String value, int length, int copies) throws IOException {
        StringBuilder yaml = new StringBuilder("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
        String leaf = IntStream.range(0, Math.min(copies, 100))
                .mapToObj(i -> "k".repeat(length) + i + ": " + value)
                .collect(Collectors.joining(", ", "{", "}"));
        yaml.append("x0: &x0 ").append(leaf).append('\n');
        for (int level = 1; level <= 6; level++) {
            String below = "*x" + (level - 1);
            yaml.append("x").append(level).append(": &x").append(level).append(" [");
            yaml.append(IntStream.range(0, 10).mapToObj(i -> below).collect(Collectors.joining(", ")));
            yaml.append("]\n");
        }
        assertThat(send("POST", MAPS + "?dryRun=All", "application/yaml", yaml.toString())
                        .statusCode())
                .isIn(400, 413);
    }

    @Test
    void errorResponsesAreBounded() throws IOException {
        String labels = IntStream.range(0, 200_000)
                .mapToObj(i -> "\"!" + i + "\":\"!\"")
                .collect(Collectors.joining(","));
        HttpResponse<String> answer = send(
                "POST",
                MAPS + "?dryRun=All",
                "application/json",
                "{\"metadata\":{\"name\":\"a\",\"labels\":{" + labels + "}}}");
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body().length()).isLessThan(200_000);
        assertThat(JSON.readTree(answer.body()).path("details").path("causes")).hasSize(100);
    }

    @Test
    void longNamesAreValidated() throws IOException {
        HttpResponse<String> answer = send(
                "POST",
                MAPS + "?dryRun=All",
                "application/json",
                "{\"metadata\":{\"name\":\"" + "a.".repeat(300_000) + "a\"}}");
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body().length()).isLessThan(10_000);
    }

    @Test
    void expensivePatchIsRefused() throws IOException {
        String items =
                IntStream.range(0, 40_000).mapToObj(i -> "\"k" + i + "\":\"v\"").collect(Collectors.joining(","));
        assertThat(send(
                                "POST",
                                MAPS,
                                "application/json",
                                "{\"metadata\":{\"name\":\"large\"},\"data\":{" + items + "}}")
                        .statusCode())
                .isEqualTo(201);
        String elsewhere = "{\"op\":\"move\",\"from\":\"/data\",\"path\":\"/d\"}";
        String back = "{\"op\":\"move\",\"from\":\"/d\",\"path\":\"/data\"}";
        String patch = IntStream.range(0, 2000)
                .mapToObj(i -> elsewhere + "," + back)
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(send("PATCH", MAPS + "/large?dryRun=All", "application/json-patch+json", patch)
                        .statusCode())
                .isEqualTo(422);
    }

    /** Times, numbers and bytes without a binary form would break every list that contains them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /apis/coordination.k8s.io/v1/namespaces/default/leases | {"metadata":{"name":"a"},"spec":{"renewTime":"garbage"}} | parsing time "garbage"
            /apis/coordination.k8s.io/v1/namespaces/default/leases | {"metadata":{"name":"a"},"spec":{"renewTime":"2026-13-01T00:00:00Z"}} | parsing time "2026-13-01T00:00:00Z"
            /apis/coordination.k8s.io/v1/namespaces/default/leases | {"metadata":{"name":"a"},"spec":{"renewTime":"2026-11-21T10:00:00,5Z"}} | parsing time "2026-11-21T10:00:00,5Z"
            /apis/coordination.k8s.io/v1/namespaces/default/leases | {"metadata":{"name":"a"},"spec":{"renewTime":"0000-01-01T00:00:00Z"}} | parsing time "0000-01-01T00:00:00Z"
            /apis/coordination.k8s.io/v1/namespaces/default/leases | {"metadata":{"name":"a"},"spec":{"leaseDurationSeconds":5000000000}} | of type int32
            /api/v1/namespaces/default/secrets                     | {"metadata":{"name":"a"},"data":{"k":"YWI"}} | illegal base64 data
            /api/v1/namespaces/default/services                    | {"metadata":{"name":"a"},"spec":{"ports":[{"port":4294967376}]}} | of type int32
            /api/v1/namespaces/default/pods                        | {"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":"abc"}}}]}} | quantities must match
            """)
    void nonInteroperableNumbersAreRefused(String path, String body, String cause) throws IOException {
        HttpResponse<String> answer = send("POST", path + "?dryRun=All", "application/json", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(message(answer)).contains(cause);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T10:00:00.000000Z",
        "2026-11-21T10:00:00.123456Z",
        "2026-11-21T10:00:00.123456+01:00",
        "2026-11-21T10:00:00.100000-07:30"
    })
    void kubernetesTimesAreAccepted(String time) throws IOException {
        HttpResponse<String> answer = send(
                "POST",
                "/apis/coordination.k8s.io/v1/namespaces/default/leases?dryRun=All",
                "application/json",
                "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"renewTime\":\"" + time + "\"}}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    /** The size limit applies to patched objects too. The first part is small enough for etcd. */
    @Test
    void objectSizeIsLimitedToTheBodyLimit() throws IOException {
        String sent = "x".repeat(1_400_000);
        String added = "x".repeat(2_000_000);
        String pod =
                "{\"metadata\":{\"name\":\"grown\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"args\":[\""
                        + sent + "\"]}]}}";
        assertThat(send("POST", NAMESPACE + "pods", "application/json", pod).statusCode())
                .isEqualTo(201);
        String patch = "{\"status\":{\"message\":\"" + added + "\"}}";
        HttpResponse<String> answer =
                send("PATCH", NAMESPACE + "pods/grown/status", "application/merge-patch+json", patch);
        assertThat(answer.statusCode())
                .as(answer.body().substring(0, Math.min(300, answer.body().length())))
                .isEqualTo(413);
        assertThat(message(answer)).matches("the object is too large: 3[0-9]{6} bytes, limit is 3145728");
        JsonNode stored = JSON.readTree(
                server.client().get(server.at(NAMESPACE + "pods/grown")).body());
        assertThat(stored.toString().getBytes(StandardCharsets.UTF_8).length).isLessThan(3 << 20);
    }
}
