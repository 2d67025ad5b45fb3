package io.plat.tests.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads from a real server, in every representation and in chunks. */
class ReadsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MAPS = "/api/v1/namespaces/reads/configmaps";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    private static final String BINARY = "application/vnd.kubernetes.protobuf";
    private static final byte[] PREFIX = {0x6b, 0x38, 0x73, 0x00};
    private static final int OBJECTS = 30;

    /** Large enough that the whole list is compressed, but no single object. */
    private static final String FILLER = "x".repeat(8000);

    private static TestPki pki;
    private static Path data;
    private static RunningServer server;
    private static HttpsClient client;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("admin", "system:masters").client("mallory");
        data = Files.createTempDirectory("plat-data");
        server = start(List.of());
        client = HttpsClient.of(pki, "admin");
        create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"reads\"}}");
        for (int i = 0; i < OBJECTS; i++) {
            create(
                    MAPS,
                    "{\"metadata\":{\"name\":\"m%02d\",\"labels\":{\"even\":\"%s\"}},\"data\":{\"k\":\"%s\"}}"
                            .formatted(i, i % 2 == 0, FILLER));
        }
    }

    private static RunningServer start(List<String> more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=RBAC", "--data-dir=" + data));
        flags.add("--runtime-config=rbac.authorization.plat.io/v1alpha1=true");
        flags.addAll(more);
        return RunningServer.startReused(Program.APISERVER_LITE, flags);
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
        Directories.delete(data);
        pki.close();
    }

    private static void create(String path, String body) throws IOException {
        HttpResponse<String> created = client.post(server.at(path), body);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    }

    private static HttpResponse<byte[]> read(String path, String... headers) throws IOException {
        HttpsClient with = client;
        for (int i = 0; i < headers.length; i += 2) {
            with = with.withHeader(headers[i], headers[i + 1]);
        }
        return with.getBytes(server.at(path));
    }

    private static JsonNode json(HttpResponse<byte[]> answer) throws IOException {
        assertThat(answer.statusCode()).as(new String(answer.body(), UTF_8)).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    private static String type(HttpResponse<byte[]> answer) {
        return answer.headers().firstValue("Content-Type").orElse("");
    }

    private static List<String> names(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.path("items")
                .forEach(item -> names.add(item.path("metadata").path("name").asText()));
        return names;
    }

    @Test
    void chunksShowOneSnapshot() throws IOException {
        List<String> names = new ArrayList<>();
        JsonNode first = json(read(MAPS + "?limit=7"));
        String version = first.path("metadata").path("resourceVersion").asText();
        assertThat(first.path("metadata").path("remainingItemCount").asInt()).isEqualTo(OBJECTS - 7);
        create(MAPS, "{\"metadata\":{\"name\":\"later\"}}");
        JsonNode chunk = first;
        names.addAll(names(chunk));
        while (!chunk.path("metadata").path("continue").asText().isEmpty()) {
            String token = chunk.path("metadata").path("continue").asText();
            chunk = json(read(MAPS + "?limit=7&continue=" + token));
            assertThat(chunk.path("metadata").path("resourceVersion").asText()).isEqualTo(version);
            names.addAll(names(chunk));
        }
        assertThat(chunk.path("metadata").has("continue")).isTrue();
        assertThat(names).hasSize(OBJECTS).isSorted().doesNotContain("later");
        assertThat(client.send("DELETE", server.at(MAPS + "/later"), null).statusCode())
                .isEqualTo(200);
    }

    @Test
    void tokenIsBoundToItsListAndExpiresWithAContinuation() throws IOException {
        String token =
                json(read(MAPS + "?limit=7")).path("metadata").path("continue").asText();
        assertThat(read("/api/v1/configmaps?limit=7&continue=" + token).statusCode())
                .isEqualTo(400);
        assertThat(read(MAPS + "?resourceVersion=1&continue=" + token).statusCode())
                .isEqualTo(400);
        server.close();
        server = start(List.of("--continue-token-ttl=1ms"));
        HttpResponse<byte[]> expired = read(MAPS + "?limit=7&continue=" + token);
        assertThat(expired.statusCode()).isEqualTo(410);
        JsonNode status = JSON.readTree(expired.body());
        assertThat(status.path("reason").asText()).isEqualTo("Expired");
        String offered = status.path("metadata").path("continue").asText();
        assertThat(names(json(read(MAPS + "?continue=" + offered)))).hasSize(OBJECTS - 7);
        server.close();
        server = start(List.of());
        assertThat(names(json(read(MAPS + "?limit=7&continue=" + token))))
                .as("a token outlives the process that made it")
                .hasSize(7);
    }

    @Test
    void sendInitialEventsRequiresAWatch() throws IOException {
        HttpResponse<byte[]> rejected =
                read(MAPS + "?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=0");
        assertThat(rejected.statusCode()).isEqualTo(422);
        assertThat(new String(rejected.body(), UTF_8)).contains("sendInitialEvents is forbidden for list");
    }

    @Test
    void futureResourceVersionHasRetryAfter() throws IOException {
        HttpResponse<byte[]> future = read(MAPS + "?resourceVersion=99999999");
        assertThat(future.statusCode()).isEqualTo(504);
        assertThat(future.headers().firstValue("Retry-After")).contains("1");
        assertThat(JSON.readTree(future.body())
                        .path("details")
                        .path("causes")
                        .path(0)
                        .path("reason")
                        .asText())
                .isEqualTo("ResourceVersionTooLarge");
    }

    @Test
    void tableHasARowForEachObject() throws IOException {
        JsonNode table = json(read(MAPS + "?limit=2", "Accept", TABLE));
        assertThat(table.path("kind").asText()).isEqualTo("Table");
        assertThat(table.path("apiVersion").asText()).isEqualTo("meta.k8s.io/v1");
        assertThat(table.path("metadata").path("remainingItemCount").asInt()).isEqualTo(OBJECTS - 2);
        assertThat(table.path("columnDefinitions").findValuesAsText("name")).containsExactly("Name", "Data", "Age");
        JsonNode row = table.path("rows").path(0);
        assertThat(row.path("cells").path(0).asText()).isEqualTo("m00");
        assertThat(row.path("cells").path(1).isInt()).isTrue();
        assertThat(row.path("cells").path(2).asText()).matches("[0-9]+[sm].*");
        assertThat(row.path("object").path("kind").asText()).isEqualTo("PartialObjectMetadata");
        assertThat(row.path("object").has("data")).isFalse();
        JsonNode one = json(read(MAPS + "/m00?includeObject=Object", "Accept", TABLE));
        assertThat(one.path("rows")).hasSize(1);
        assertThat(one.path("rows")
                        .path(0)
                        .path("object")
                        .path("data")
                        .path("k")
                        .asText())
                .isEqualTo(FILLER);
        JsonNode none = json(read(MAPS + "/m00?includeObject=None", "Accept", TABLE));
        assertThat(none.path("rows").path(0).path("object").isNull()).isTrue();
    }

    @Test
    void partialObjectMetadataIsServed() throws IOException {
        JsonNode one =
                json(read(MAPS + "/m00", "Accept", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"));
        assertThat(one.path("kind").asText()).isEqualTo("PartialObjectMetadata");
        assertThat(one.path("metadata").path("labels").path("even").asText()).isEqualTo("true");
        assertThat(one.has("data")).isFalse();
        JsonNode many = json(read(MAPS, "Accept", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"));
        assertThat(names(many)).hasSize(OBJECTS);
        assertThat(many.path("items").path(3).path("kind").asText()).isEqualTo("PartialObjectMetadata");
        HttpResponse<byte[]> wrong =
                read(MAPS, "Accept", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io");
        assertThat(wrong.statusCode()).isEqualTo(406);
    }

    @ParameterizedTest
    @CsvSource({
        MAPS + "/m00, 200",
        MAPS + ", 200",
        MAPS + "/none, 404",
        "/api/v1, 200",
        "/apis, 200",
        "/apis/rbac.authorization.plat.io/v1alpha1/clusterroles, 200"
    })
    void answersAndFailuresHaveABinaryForm(String path, int code) throws IOException {
        for (String accept : List.of(BINARY, "application/vnd.platform.protobuf")) {
            HttpResponse<byte[]> answer = read(path, "Accept", accept);
            assertThat(answer.statusCode()).isEqualTo(code);
            assertThat(type(answer)).isEqualTo(accept);
            assertThat(answer.body()).startsWith(PREFIX);
            assertThat(new String(answer.body(), UTF_8)).contains(code == 404 ? "NotFound" : "v1");
        }
    }

    @Test
    void denialUsesTheNegotiatedForm() throws IOException {
        try (HttpsClient mallory = HttpsClient.of(pki, "mallory").withHeader("Accept", BINARY)) {
            HttpResponse<byte[]> denied = mallory.getBytes(server.at(MAPS));
            assertThat(denied.statusCode()).isEqualTo(403);
            assertThat(type(denied)).isEqualTo(BINARY);
            assertThat(denied.body()).startsWith(PREFIX);
        }
    }

    @Test
    void typesWithoutBinaryFormFallBackToJson() throws IOException {
        HttpResponse<byte[]> answer = read("/version", "Accept", BINARY + ",application/json");
        assertThat(type(answer)).isEqualTo("application/json");
        assertThat(read("/version", "Accept", BINARY).statusCode()).isEqualTo(406);
        HttpResponse<byte[]> table = read(
                MAPS + "/m00",
                "Accept",
                BINARY + ";as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io");
        assertThat(json(table).path("kind").asText()).isEqualTo("Table");
    }

    /** As in Kubernetes; the authorizer allows everything, and the form is chosen before the object is read. */
    @Test
    void someSubresourcesHaveNoTables() throws IOException {
        String pod = "/api/v1/namespaces/default/pods/none/";
        String table = "application/json;as=Table;v=v1;g=meta.k8s.io";
        assertThat(read(pod + "resize", "Accept", table).statusCode()).isEqualTo(406);
        assertThat(read(pod + "resize", "Accept", "application/json").statusCode())
                .isEqualTo(404);
        assertThat(read(pod + "status", "Accept", table).statusCode()).isEqualTo(404);
    }

    @Test
    void objectsAndListsAreServedAsYaml() throws IOException {
        HttpResponse<byte[]> one = read(MAPS + "/m00", "Accept", "application/yaml");
        assertThat(type(one)).isEqualTo("application/yaml");
        assertThat(new String(one.body(), UTF_8))
                .startsWith("apiVersion: v1\ndata:\n  k: xxx")
                .contains("kind: ConfigMap\nmetadata:\n  creationTimestamp: \"20", "    even: 'true'\n");
        HttpResponse<byte[]> list = read(MAPS + "?limit=2", "Accept", "application/yaml");
        assertThat(new String(list.body(), UTF_8))
                .startsWith("apiVersion: v1\nitems:\n- data:\n")
                .contains("\nkind: ConfigMapList\nmetadata:\n  continue: ");
    }

    @Test
    void browsersGetIndentedJson() throws IOException {
        assertThat(new String(read(MAPS + "/m00?pretty=true").body(), UTF_8))
                .startsWith("{\n  \"kind\": \"ConfigMap\",\n  \"apiVersion\": \"v1\",\n");
        assertThat(new String(read(MAPS + "/m00", "User-Agent", "curl/8.5.0").body(), UTF_8))
                .startsWith("{\n");
        assertThat(new String(
                        read(MAPS + "/m00?pretty=0", "User-Agent", "curl/8.5.0").body(), UTF_8))
                .startsWith("{\"kind\"");
    }

    @Test
    void largeResponsesAreCompressedOnRequest() throws IOException {
        byte[] plain = read(MAPS).body();
        HttpResponse<byte[]> compressed = read(MAPS, "Accept-Encoding", "br, gzip");
        assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(compressed.headers().allValues("Vary")).contains("Accept-Encoding");
        assertThat(compressed.body()).hasSizeLessThan(plain.length / 2);
        try (GZIPInputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(compressed.body()))) {
            assertThat(names(JSON.readTree(unpacked.readAllBytes()))).isEqualTo(names(JSON.readTree(plain)));
        }
        assertThat(read(MAPS + "/m00", "Accept-Encoding", "gzip").headers().firstValue("Content-Encoding"))
                .as("small")
                .isEmpty();
        assertThat(read(MAPS, "Accept-Encoding", "gzip;q=0").headers().firstValue("Content-Encoding"))
                .as("refused")
                .isEmpty();
    }

    @Test
    void headHasTheHeadersOfGet() throws IOException {
        for (String path : List.of(MAPS, MAPS + "/m00")) {
            HttpResponse<String> head = client.send("HEAD", server.at(path), null);
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            assertThat(head.headers().firstValueAsLong("Content-Length").orElse(-1))
                    .isEqualTo(read(path).body().length);
        }
        assertThat(client.send("HEAD", server.at(MAPS + "/none"), null).statusCode())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"metadata\":{\"name\":\"n\"},\"data\":{\"k\":1e999999999}}",
                "{\"metadata\":{\"name\":\"n\",\"generation\":1e-999999999999}}",
                "{\"metadata\":{\"name\":\"n\",\"generation\":123456789012345678901234567890}}",
                "{\"metadata\":{\"name\":\"n\"},\"metadata\":{\"name\":\"m\"}",
                "{\"metadata\":{\"name\":\"n\"}} {}",
            })
    void malformedParametersAreBadRequests(String body) throws IOException {
        HttpResponse<String> rejected = client.post(server.at(MAPS), body);
        assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(400);
    }

    @Test
    void nestingIsBounded() throws IOException {
        String deep = "{\"metadata\":{\"name\":\"n\"},\"x\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        assertThat(client.post(server.at(MAPS), deep).statusCode()).isEqualTo(400);
    }
}
