package io.plat.tests.apiserver.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.type.Column;
import io.plat.apiserver.type.ResourceType;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Life cycle of an object: create, read in each representation, change by every verb, watch, delete. */
final class ObjectLifecycle {
    /** Namespace of namespaced objects. */
    static final String NAMESPACE = "every";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PLAIN = "application/json";
    private static final String BINARY = "application/vnd.kubernetes.protobuf";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final String MERGE = "application/merge-patch+json";
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private final StandaloneServer server;
    private final ResourceType type;
    private final MinimalObject least;
    private final String collection;

    ObjectLifecycle(StandaloneServer server, ResourceType type, MinimalObject least) {
        this.server = server;
        this.type = type;
        this.least = least;
        this.collection = (type.group().isEmpty() ? "/api/" : "/apis/") + type.apiVersion()
                + (type.namespaced() ? "/namespaces/" + NAMESPACE : "") + "/" + type.resource();
    }

    void run() throws Exception {
        String version = tree(expect(200, get(collection, PLAIN)))
                .at("/metadata/resourceVersion")
                .asText();
        URI watched = server.at(
                collection + "?watch=1&resourceVersion=" + version + "&fieldSelector=metadata.name%3D" + least.name());
        try (OpenWatch watch = OpenWatch.open(server.client(), watched)) {
            JsonNode created = tree(expect(201, send("POST", collection, PLAIN, bytes(least.object()))));
            contains(created, least.object());
            seen(watch, "ADDED", created);
            if (type.resource().equals("apiservices")) {
                // The server adds a condition, as the service does not exist; a write before that would be a conflict.
                watch.until(event -> !event.at("/object/status/conditions").isEmpty());
            }
            contains(tree(expect(200, get(object(), PLAIN))), least.object());
            binaryFormIsEquivalent();
            changes(watch);
            table();
            expect(200, send("DELETE", object(), PLAIN, new byte[0]));
            watch.until(event -> event.path("type").asText().equals("DELETED"));
            expect(404, get(object(), PLAIN));
        }
    }

    /** Sending back an object that was read in the binary form changes nothing. */
    private void binaryFormIsEquivalent() throws Exception {
        HttpResponse<byte[]> read = expect(200, get(object(), BINARY));
        assertThat(read.headers().firstValue("Content-Type")).hasValue(BINARY);
        assertThat(read.body()).startsWith(MAGIC);
        JsonNode before = tree(expect(200, get(object(), PLAIN)));
        assertThat(tree(expect(200, send("PUT", object(), BINARY, read.body()))))
                .isEqualTo(before);
    }

    private void changes(OpenWatch watch) throws Exception {
        change(watch, "application/json-patch+json", """
                [{"op": "add", "path": "/metadata/labels", "value": {"json": "1"}}]""", """
                {"metadata": {"labels": {"json": "1"}}}""");
        change(
                watch,
                "application/strategic-merge-patch+json",
                least.change().toString(),
                least.change().toString());
        String merged = "{\"metadata\":{\"labels\":{\"merge\":\"1\"}}}";
        change(watch, MERGE, merged, merged);
        applied(watch);
        ObjectNode read = (ObjectNode) tree(expect(200, get(object(), PLAIN)));
        ((ObjectNode) read.at("/metadata/labels")).put("put", "1");
        JsonNode put = tree(expect(200, send("PUT", object(), PLAIN, bytes(read))));
        contains(put, JSON.readTree("{\"metadata\":{\"labels\":{\"put\":\"1\",\"applied\":\"1\",\"merge\":\"1\"}}}"));
        seen(watch, "MODIFIED", put);
    }

    private void change(OpenWatch watch, String mediaType, String patch, String expected) throws Exception {
        JsonNode patched =
                tree(expect(200, send("PATCH", object(), mediaType, patch.getBytes(StandardCharsets.UTF_8))));
        contains(patched, JSON.readTree(expected));
        seen(watch, "MODIFIED", patched);
    }

    private void applied(OpenWatch watch) throws Exception {
        String body = """
                {"apiVersion": "%s", "kind": "%s", "metadata": {"name": "%s", "labels": {"applied": "1"}}}""".formatted(type.apiVersion(), type.kind(), least.name());
        JsonNode applied = tree(expect(
                200,
                send(
                        "PATCH",
                        object() + "?fieldManager=every",
                        "application/apply-patch+yaml",
                        body.getBytes(StandardCharsets.UTF_8))));
        contains(applied, JSON.readTree("{\"metadata\":{\"labels\":{\"applied\":\"1\"}}}"));
        assertThat(applied.at("/metadata/managedFields")).anySatisfy(entry -> {
            assertThat(entry.path("manager").asText()).isEqualTo("every");
            assertThat(entry.path("operation").asText()).isEqualTo("Apply");
            assertThat(entry.at("/fieldsV1/f:metadata").toString()).isEqualTo("{\"f:labels\":{\"f:applied\":{}}}");
        });
        seen(watch, "MODIFIED", applied);
    }

    private void table() throws Exception {
        JsonNode table = tree(expect(200, get(object(), TABLE)));
        assertThat(table.path("kind").asText()).isEqualTo("Table");
        assertThat(table.path("columnDefinitions").findValuesAsText("name"))
                .isEqualTo(type.columns().stream().map(Column::name).toList());
        assertThat(table.path("rows")).hasSize(1);
        JsonNode row = table.path("rows").path(0);
        // Kube-apiserver prints the age of an IPAddress, but declares no column for it.
        int unnamed = type.storage().equals("ipaddresses.networking.k8s.io") ? 1 : 0;
        assertThat(row.path("cells")).hasSize(type.columns().size() + unnamed);
        int name = type.columns().stream().map(Column::name).toList().indexOf("Name");
        if (name >= 0) {
            assertThat(row.path("cells").path(name).asText()).isEqualTo(least.name());
        }
        assertThat(row.at("/object/metadata/name").asText()).isEqualTo(least.name());
    }

    /** The watch receives the state of the response, possibly after a write of the server itself. */
    private static void seen(OpenWatch watch, String change, JsonNode object) {
        JsonNode version = object.at("/metadata/resourceVersion");
        JsonNode event = watch.until(
                        each -> each.at("/object/metadata/resourceVersion").equals(version))
                .getLast();
        assertThat(event.path("type").asText()).as(event.toString()).isEqualTo(change);
        assertThat(event.path("object")).isEqualTo(object);
    }

    /** Returns whether all expected members exist; lists may have additional members per element, but no additional elements. */
    private static void contains(JsonNode actual, JsonNode expected) {
        if (expected.isObject()) {
            expected.properties().forEach(field -> contains(actual.path(field.getKey()), field.getValue()));
        } else if (expected.isArray()) {
            assertThat(actual.size()).as(actual + " beside " + expected).isGreaterThanOrEqualTo(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                contains(actual.path(i), expected.path(i));
            }
        } else {
            assertThat(actual).isEqualTo(expected);
        }
    }

    private String object() {
        return collection + "/" + least.name();
    }

    private HttpResponse<byte[]> get(String path, String accept) throws Exception {
        return send(HttpRequest.newBuilder(server.at(path)).header("Accept", accept));
    }

    private HttpResponse<byte[]> send(String method, String path, String type, byte[] body) throws Exception {
        return send(HttpRequest.newBuilder(server.at(path))
                .header("Accept", PLAIN)
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofByteArray(body)));
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return server.client()
                .http()
                .send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofByteArray());
    }

    private static HttpResponse<byte[]> expect(int code, HttpResponse<byte[]> answer) {
        assertThat(answer.statusCode())
                .as(() -> answer.request().method() + " " + answer.uri() + ": "
                        + new String(answer.body(), StandardCharsets.UTF_8))
                .isEqualTo(code);
        return answer;
    }

    private static JsonNode tree(HttpResponse<byte[]> answer) throws IOException {
        return JSON.readTree(answer.body());
    }

    private static byte[] bytes(JsonNode object) {
        return object.toString().getBytes(StandardCharsets.UTF_8);
    }
}
