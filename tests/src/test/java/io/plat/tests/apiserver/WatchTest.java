package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.StandaloneServer;
import io.plat.tests.process.TlsConnection;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches over HTTP (specification, "Watch"; semantics of Kubernetes). */
class WatchTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static OpenWatch watch(ConfigMaps maps, String query) {
        return OpenWatch.open(server.client(), maps.at("watch=1&" + query));
    }

    private static String inShort(String type, String name, long version) {
        return type + " " + name + "@" + version;
    }

    @Test
    void deliversChangesAfterAResourceVersion() {
        ConfigMaps maps = ConfigMaps.in(server, "from-a-version");
        maps.create("before");
        try (OpenWatch watch = watch(maps, "resourceVersion=" + maps.now())) {
            assertThat(watch.code()).isEqualTo(200);
            assertThat(watch.contentType()).isEqualTo("application/json");
            long created = maps.create("a");
            JsonNode added = watch.next();
            assertThat(OpenWatch.inShort(added)).isEqualTo(inShort("ADDED", "a", created));
            assertThat(added.path("object").path("kind").asText()).isEqualTo("ConfigMap");
            assertThat(added.path("object").path("apiVersion").asText()).isEqualTo("v1");
            long updated = maps.update("a", "", "1");
            assertThat(watch.nextInShort()).isEqualTo(inShort("MODIFIED", "a", updated));
            maps.update("a", "", "1");
            maps.delete("a");
            JsonNode deleted = watch.next();
            assertThat(deleted.path("type").asText())
                    .as("a write that changes nothing is no event")
                    .isEqualTo("DELETED");
            assertThat(deleted.path("object").path("data").path("value").asText())
                    .as("the last state")
                    .isEqualTo("1");
            long version = ConfigMaps.version(deleted.path("object"));
            assertThat(version).isGreaterThan(updated);
            // Because of concurrent writes, the current version may be later.
            assertThat(maps.namesAt(version - 1)).contains("a");
            assertThat(maps.namesAt(version))
                    .as("the version of the deletion")
                    .contains("before")
                    .doesNotContain("a");
        }
    }

    @ParameterizedTest(name = "resourceVersion=\"{0}\"")
    @ValueSource(strings = {"", "0"})
    void startsWithExistingObjects(String version) {
        ConfigMaps maps = ConfigMaps.in(server, "begin-" + version.length());
        long a = maps.create("a");
        long b = maps.create("b");
        try (OpenWatch watch = watch(maps, "resourceVersion=" + version)) {
            assertThat(List.of(watch.nextInShort(), watch.nextInShort()))
                    .containsExactlyInAnyOrder(inShort("ADDED", "a", a), inShort("ADDED", "b", b));
            long c = maps.create("c");
            assertThat(watch.nextInShort()).isEqualTo(inShort("ADDED", "c", c));
        }
    }

    @Test
    void streamsAListAndMarksItsEnd() {
        ConfigMaps maps = ConfigMaps.in(server, "streamed");
        maps.create("a");
        long b = maps.create("b");
        try (OpenWatch watch =
                watch(maps, "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
            watch.next();
            watch.next();
            JsonNode end = watch.next();
            assertThat(end.path("type").asText()).isEqualTo("BOOKMARK");
            JsonNode metadata = end.path("object").path("metadata");
            assertThat(metadata.path("annotations")
                            .path("k8s.io/initial-events-end")
                            .asText())
                    .isEqualTo("true");
            assertThat(metadata.path("resourceVersion").asLong()).isGreaterThanOrEqualTo(b);
            assertThat(end.path("object").path("kind").asText()).isEqualTo("ConfigMap");
            long c = maps.create("c");
            assertThat(watch.nextInShort()).isEqualTo(inShort("ADDED", "c", c));
        }
    }

    @Test
    void omitsInitialEventsOnRequest() {
        ConfigMaps maps = ConfigMaps.in(server, "unwanted");
        maps.create("a");
        try (OpenWatch watch = watch(maps, "sendInitialEvents=false&resourceVersionMatch=NotOlderThan")) {
            long b = maps.create("b");
            assertThat(watch.nextInShort()).isEqualTo(inShort("ADDED", "b", b));
        }
    }

    @Test
    void endsAtItsTimeoutAfterABookmark() {
        ConfigMaps maps = ConfigMaps.in(server, "bookmarked");
        long version = maps.create("a");
        try (OpenWatch watch = watch(maps, "allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion=" + version)) {
            maps.create("b");
            watch.next();
            long elsewhere = ConfigMaps.in(server, "bookmarked-elsewhere").create("c");
            JsonNode bookmark = watch.next();
            assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
            assertThat(ConfigMaps.version(bookmark.path("object")))
                    .as("later changes of other objects are delivered too")
                    .isGreaterThanOrEqualTo(elsewhere);
            assertThat(watch.rest()).isEmpty();
        }
    }

    /** Columns: watch path, and whether it includes {@code x} in namespace {@code forms}, and {@code y}. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            /api/v1/configmaps?watch=1                                                    | x y
            /api/v1/configmaps?watch=true                                                 | x y
            /api/v1/configmaps?watch=                                                     | x y
            /api/v1/namespaces/forms/configmaps?watch=1                                   | x y
            /api/v1/namespaces/forms/configmaps?watch=1&fieldSelector=metadata.name%3Dy   | y
            /api/v1/configmaps?watch=1&fieldSelector=metadata.name%3Dy                    | y
            /api/v1/watch/configmaps?timeoutSeconds=20                                    | x y
            /api/v1/watch/namespaces/forms/configmaps?timeoutSeconds=20                   | x y
            /api/v1/watch/namespaces/forms/configmaps/y?timeoutSeconds=20                 | y
            """)
    void paths(String target, String expected) {
        var maps = new ConfigMaps(server, "forms");
        try {
            server.client().post(server.at("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"forms\"}}");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        String from = (target.contains("?") ? "&" : "?") + "resourceVersion=" + maps.now();
        try (OpenWatch watch = OpenWatch.open(server.client(), server.at(target + from))) {
            maps.create("x");
            maps.create("y");
            maps.delete("x");
            maps.delete("y");
            List<JsonNode> events =
                    watch.until(event -> event.path("type").asText().equals("DELETED")
                            && event.path("object")
                                    .path("metadata")
                                    .path("name")
                                    .asText()
                                    .equals("y"));
            assertThat(events.stream()
                            .map(event -> event.path("object")
                                    .path("metadata")
                                    .path("name")
                                    .asText())
                            .distinct())
                    .containsExactlyInAnyOrder(expected.split(" ", -1));
        }
    }

    /** Columns: invalid watch request, the code and a part of the message. */
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', textBlock = """
            configmaps?watch=1&resourceVersion=x                     | 400 | Invalid value: "x"
            configmaps?watch=1&labelSelector=a%3Db%3Dc               | 400 | found
            configmaps?watch=1&fieldSelector=spec.x%3D1              | 400 | field
            configmaps?watch=1&timeoutSeconds=x                      | 400 | parsing "x"
            configmaps?watch=1&sendInitialEvents=true                | 422 | sendInitialEvents requires setting resourceVersionMatch to NotOlderThan
            configmaps?watch=1&resourceVersionMatch=NotOlderThan     | 422 | forbidden for watch unless sendInitialEvents is provided
            configmaps?watch=1&resourceVersionMatch=Exact&sendInitialEvents=true | 422 | supported values: "NotOlderThan"
            watch/configmaps/x                                       | 404 | could not find
            watch/namespaces/default/configmaps/x?fieldSelector=metadata.name%3Dy | 400 | doesn't match requested name
            nothing?watch=1                                          | 404 | could not find
            configmaps?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=999999999 | 504 | Too large resource version
            """)
    void refusals(String target, int code, String message) throws IOException {
        HttpResponse<String> answer = server.client().get(server.at("/api/v1/" + target));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        assertThat(JSON.readTree(answer.body()).path("message").asText()).contains(message);
    }

    @ParameterizedTest(name = "{0} of the old prefix is 405")
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH"})
    void deprecatedWatchPrefixIsReadOnly(String method) throws IOException {
        assertThat(server.client()
                        .send(method, server.at("/api/v1/watch/configmaps"), "{}")
                        .statusCode())
                .isEqualTo(405);
    }

    @Test
    void rolesAreWatchedInBothVersions() {
        try (StandaloneServer both =
                StandaloneServer.start("--runtime-config=rbac.authorization.plat.io/v1alpha1=true")) {
            String from = "/namespaces/default/rolebindings?watch=1";
            try (OpenWatch field = OpenWatch.open(both.client(), both.at("/apis/rbac.authorization.k8s.io/v1" + from));
                    OpenWatch specified = OpenWatch.open(
                            both.client(), both.at("/apis/rbac.authorization.plat.io/v1alpha1" + from))) {
                new ConfigMaps(both, "default")
                        .send(
                                "POST",
                                both.at("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings"),
                                "{\"metadata\":{\"name\":\"b\"},\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\","
                                        + "\"kind\":\"Role\",\"name\":\"r\"},\"subjects\":[{\"kind\":\"User\",\"name\":\"u\"}]}");
                JsonNode one = field.next().path("object");
                JsonNode other = specified.next().path("object");
                assertThat(one.path("apiVersion").asText()).isEqualTo("rbac.authorization.k8s.io/v1");
                assertThat(one.path("subjects").path(0).path("apiGroup").asText())
                        .isEqualTo("rbac.authorization.k8s.io");
                assertThat(other.path("apiVersion").asText()).isEqualTo("rbac.authorization.plat.io/v1alpha1");
                assertThat(other.path("subjects").path(0).path("apiVersion").asText())
                        .isEqualTo("rbac.authorization.plat.io/v1alpha1");
            }
        }
    }

    @Test
    void connectionIsReused() throws IOException {
        try (TlsConnection connection = TlsConnection.to(server)) {
            connection.get("/api/v1/configmaps?watch=1&timeoutSeconds=1&resourceVersion=" + discarded());
            assertThat(connection.head()).startsWith("HTTP/1.1 200");
            assertThat(connection.chunks()).isEmpty();
            connection.get("/api/v1/namespaces/default");
            assertThat(connection.head()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void pipelinedRequestIsAnswered() throws IOException {
        try (TlsConnection connection = TlsConnection.to(server)) {
            connection.get("/api/v1/configmaps?watch=1&timeoutSeconds=1&resourceVersion=" + discarded());
            assertThat(connection.head()).startsWith("HTTP/1.1 200");
            connection.get("/api/v1/namespaces/default");
            assertThat(connection.chunks()).isEmpty();
            assertThat(connection.head()).startsWith("HTTP/1.1 200");
        }
    }

    private static long discarded() {
        return new ConfigMaps(server, "default").now();
    }

    @Test
    void watchOfADisconnectedClientIsClosed() throws IOException {
        String quiet = "/api/v1/namespaces/default/secrets?watch=1&resourceVersion=" + discarded();
        String gauge = "apiserver_longrunning_requests{component=\"apiserver\",group=\"\",resource=\"secrets\","
                + "scope=\"namespace\",subresource=\"\",verb=\"WATCH\",version=\"v1\"}";
        try (TlsConnection connection = TlsConnection.to(server)) {
            connection.get(quiet);
            connection.head();
            assertThat(meter(gauge)).isEqualTo(1);
        }
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(meter(gauge)).isZero());
    }

    private static double meter(String name) throws IOException {
        return Metrics.of(server.client(), server.at("/metrics")).value(name);
    }
}
