package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subresources of namespaces, and what blocks a deletion. */
class NamespacesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ALL = "/api/v1/namespaces";

    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private record Answer(int code, JsonNode body) {
        String message() {
            return body.path("message").asText();
        }

        String finalizers() {
            return body.path("spec").path("finalizers").toString();
        }
    }

    private static Answer send(String method, String path, @Nullable String body) throws IOException {
        HttpResponse<String> answer = server.client().send(method, server.at(path), body);
        return new Answer(answer.statusCode(), JSON.readTree(answer.body()));
    }

    private static Answer get(String path) throws IOException {
        return send("GET", path, null);
    }

    private static Answer patch(String path, String patch) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(server.at(path))
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(patch))
                .build();
        try {
            HttpResponse<String> answer = server.client().http().send(request, HttpResponse.BodyHandlers.ofString());
            return new Answer(answer.statusCode(), JSON.readTree(answer.body()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static Answer make(String name, String spec) throws IOException {
        Answer created = send("POST", ALL, "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":" + spec + "}");
        assertThat(created.code()).as(created.message()).isEqualTo(201);
        return created;
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await().alias(what).atMost(Duration.ofMinutes(1));
    }

    @Test
    void anotherFinalizerHoldsAnEmptiedNamespace() throws IOException {
        assertThat(make("held", "{\"finalizers\":[\"example.com/mine\"]}").finalizers())
                .isEqualTo("[\"example.com/mine\",\"kubernetes\"]");
        send("POST", ALL + "/held/configmaps", "{\"metadata\":{\"name\":\"inside\"}}");
        assertThat(send("DELETE", ALL + "/held", null)
                        .body()
                        .at("/status/phase")
                        .asText())
                .isEqualTo("Terminating");
        await("the server's finalizer is removed")
                .until(() -> get(ALL + "/held").finalizers().equals("[\"example.com/mine\"]"));
        assertThat(get(ALL + "/held/configmaps").body().path("items")).isEmpty();
        assertThat(send("POST", ALL + "/held/configmaps", "{\"metadata\":{\"name\":\"late\"}}")
                        .code())
                .isEqualTo(403);
        ObjectNode stored = (ObjectNode) get(ALL + "/held").body();
        ((ObjectNode) stored.path("spec")).putArray("finalizers");
        assertThat(send("PUT", ALL + "/held", stored.toString()).finalizers()).isEqualTo("[\"example.com/mine\"]");
        stored = (ObjectNode) get(ALL + "/held").body();
        ((ObjectNode) stored.path("spec")).putArray("finalizers");
        assertThat(send("PUT", ALL + "/held/finalize", stored.toString()).code())
                .isEqualTo(200);
        assertThat(get(ALL + "/held").code()).isEqualTo(404);
    }

    @Test
    void protectedClaimsDoNotHoldANamespace() throws IOException {
        make("with-claims", "{}");
        assertThat(send("POST", ALL + "/with-claims/persistentvolumeclaims", """
                {"metadata": {"name": "a"}, "spec": {"accessModes": ["ReadWriteOnce"],
                 "resources": {"requests": {"storage": "1Gi"}}}}""")
                        .code())
                .isEqualTo(201);
        send("DELETE", ALL + "/with-claims", null);
        await("the namespace is deleted").until(() -> get(ALL + "/with-claims").code() == 404);
    }

    @Test
    void finalizersChangeThroughTheirSubresourceOnly() throws IOException {
        make("own-path", "{}");
        String more = "{\"metadata\":{\"name\":\"own-path\"},\"spec\":{\"finalizers\":[\"kubernetes\",\"a.b/c\"]},"
                + "\"status\":{\"phase\":\"Terminating\"}}";
        Answer finalized = send("PUT", ALL + "/own-path/finalize", more);
        assertThat(finalized.code()).as(finalized.message()).isEqualTo(200);
        assertThat(finalized.finalizers()).isEqualTo("[\"kubernetes\",\"a.b/c\"]");
        assertThat(finalized.body().at("/status/phase").asText()).isEqualTo("Active");
        Answer rejected = send(
                "PUT",
                ALL + "/own-path/finalize",
                "{\"metadata\":{\"name\":\"own-path\"},\"spec\":{\"finalizers\":[\"kubernetes\",\"mine\",\"!/x\"]}}");
        assertThat(rejected.code()).isEqualTo(422);
        assertThat(rejected.body().at("/details/causes/0/field").asText()).isEqualTo("spec.finalizers[1]");
        assertThat(rejected.body().at("/details/causes/0/message").asText())
                .isEqualTo(
                        "Invalid value: \"mine\": name is neither a standard finalizer name nor is it fully qualified");
        assertThat(rejected.body().at("/details/causes/1/field").asText()).isEqualTo("spec.finalizers[2]");
        assertThat(get(ALL + "/own-path").finalizers()).isEqualTo("[\"kubernetes\",\"a.b/c\"]");
    }

    @Test
    void statusChangesThroughItsSubresourceOnly() throws IOException {
        make("with-status", "{}");
        String condition = "{\"status\":{\"conditions\":[{\"type\":\"Seen\",\"status\":\"True\"}]},"
                + "\"spec\":{\"finalizers\":[]}}";
        Answer changed = patch(ALL + "/with-status/status", condition);
        assertThat(changed.code()).as(changed.message()).isEqualTo(200);
        assertThat(changed.body().at("/status/conditions/0/type").asText()).isEqualTo("Seen");
        assertThat(changed.finalizers()).isEqualTo("[\"kubernetes\"]");
        assertThat(get(ALL + "/with-status/status").body()).isEqualTo(changed.body());
        String none = "{\"metadata\":{\"name\":\"with-status\"},\"status\":{}}";
        assertThat(send("PUT", ALL + "/with-status", none).body()).isEqualTo(changed.body());
        Answer rejected = patch(ALL + "/with-status/status", "{\"status\":{\"phase\":\"Terminating\"}}");
        assertThat(rejected.code()).isEqualTo(422);
        assertThat(rejected.message())
                .isEqualTo(
                        "Namespace \"with-status\" is invalid: status.Phase: Invalid value: \"Terminating\": may only be"
                                + " 'Active' if `deletionTimestamp` is empty");
        assertThat(send("PUT", ALL + "/with-status/status", none).body().at("/status"))
                .isEqualTo(JSON.readTree("{\"phase\":\"Active\"}"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, finalize, 405",
        "PATCH, finalize, 405",
        "DELETE, finalize, 405",
        "POST, finalize, 405",
        "DELETE, status, 405",
        "POST, status, 405",
        "GET, nothing, 404"
    })
    void otherRequestsOnSubresources(String method, String part, int code) throws IOException {
        assertThat(send(method, ALL + "/default/" + part, null).code()).isEqualTo(code);
    }

    @Test
    void subresourceOfAMissingNamespaceIsNotFound() throws IOException {
        String body = "{\"metadata\":{\"name\":\"none\"}}";
        assertThat(get(ALL + "/none/status").code()).isEqualTo(404);
        assertThat(send("PUT", ALL + "/none/status", body).message()).isEqualTo("namespaces \"none\" not found");
        assertThat(send("PUT", ALL + "/none/finalize", body).code()).isEqualTo(404);
    }

    @Test
    void discoveryListsSubresources() throws IOException {
        JsonNode resources = get("/api/v1").body().path("resources");
        assertThat(resources)
                .anySatisfy(resource -> assertThat(resource)
                        .isEqualTo(JSON.readTree("{\"name\":\"namespaces/finalize\",\"singularName\":\"\","
                                + "\"namespaced\":false,\"kind\":\"Namespace\",\"verbs\":[\"update\"]}")))
                .anySatisfy(
                        resource -> assertThat(resource)
                                .isEqualTo(
                                        JSON.readTree(
                                                "{\"name\":\"namespaces/status\",\"singularName\":\"\","
                                                        + "\"namespaced\":false,\"kind\":\"Namespace\",\"verbs\":[\"get\",\"patch\",\"update\"]}")));
    }

    /** A namespace without finalizers is emptied too before it is deleted. */
    @Test
    void deletedNamespaceLeavesNothing() throws IOException {
        make("bare", "{}");
        send("PUT", ALL + "/bare/finalize", "{\"metadata\":{\"name\":\"bare\"}}");
        send("POST", ALL + "/bare/configmaps", "{\"metadata\":{\"name\":\"inside\"}}");
        assertThat(send("DELETE", ALL + "/bare", null).code()).isEqualTo(200);
        await("its end").until(() -> get(ALL + "/bare").code() == 404);
        assertThat(get(ALL + "/bare/configmaps").body().path("items")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            foreground | {"propagationPolicy":"Foreground"} | 200 | ["foregroundDeletion"]
            orphans    | {"propagationPolicy":"Orphan"}     | 200 | ["orphan"]
            background | {"propagationPolicy":"Background"} | 200 | ``
            older      | {"orphanDependents":false}         | 202 | ["foregroundDeletion"]
            """)
    void namespaceIsDeletedUnderEveryPropagationPolicy(String name, String options, int code, String finalizers)
            throws IOException {
        make(name, "{}");
        Answer started = send("DELETE", ALL + "/" + name, options);
        assertThat(started.code()).isEqualTo(code);
        assertThat(started.body().at("/metadata/finalizers").toString()).isEqualTo(finalizers);
        await("its end").until(() -> get(ALL + "/" + name).code() == 404);
    }

    @Test
    void preconditionFailuresMatchThoseOfUpdates() throws IOException {
        JsonNode metadata = make("meant", "{}").body().path("metadata");
        assertThat(send("DELETE", ALL + "/meant", "{\"preconditions\":{\"uid\":\"other\"}}")
                        .message())
                .isEqualTo("Operation cannot be fulfilled on namespaces \"meant\": Precondition failed: UID in"
                        + " precondition: other, UID in object meta: "
                        + metadata.path("uid").asText());
        assertThat(send("DELETE", ALL + "/meant", "{\"preconditions\":{\"resourceVersion\":\"1\"}}")
                        .message())
                .isEqualTo(
                        "Operation cannot be fulfilled on namespaces \"meant\": Precondition failed: ResourceVersion in"
                                + " precondition: 1, ResourceVersion in object meta: "
                                + metadata.path("resourceVersion").asText());
    }
}
