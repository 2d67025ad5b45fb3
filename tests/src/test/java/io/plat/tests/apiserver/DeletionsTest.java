package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deletions: options in the body and in the query, preconditions, and collections. */
class DeletionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String EVENTS = "/api/v1/namespaces/default/events";

    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> send(String method, String path, @Nullable String body) throws IOException {
        return server.client().send(method, server.at(path), body);
    }

    private static JsonNode make(String path, String body) throws IOException {
        HttpResponse<String> created = send("POST", path, body);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        return JSON.readTree(created.body());
    }

    private static JsonNode map(String name) throws IOException {
        return make(MAPS, "{\"metadata\":{\"name\":\"" + name + "\",\"labels\":{\"of\":\"" + name + "\"}}}");
    }

    private static String message(HttpResponse<String> answer) throws IOException {
        return JSON.readTree(answer.body()).path("message").asText();
    }

    /** Events have no dependents, so that a deletion never waits, regardless of its options and finalizers. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            []                       | {}
            []                       | {"propagationPolicy":"Foreground"}
            []                       | {"propagationPolicy":"Orphan"}
            []                       | {"orphanDependents":true}
            ["orphan"]               | {}
            ["foregroundDeletion"]   | {"propagationPolicy":"Foreground"}
            """)
    void eventIsDeletedImmediately(String finalizers, String options) throws IOException {
        make(
                EVENTS,
                "{\"metadata\":{\"name\":\"e\",\"finalizers\":" + finalizers
                        + "},\"involvedObject\":{\"namespace\":\"default\"}}");
        HttpResponse<String> deleted = send("DELETE", EVENTS + "/e", options);
        assertThat(deleted.statusCode()).isEqualTo(200);
        assertThat(JSON.readTree(deleted.body()).path("status").asText()).isEqualTo("Success");
        assertThat(send("GET", EVENTS + "/e", null).statusCode()).isEqualTo(404);
    }

    /** A finalizer of another controller blocks the deletion of an event like that of any object. */
    @Test
    void eventDeletionAddsNoFinalizers() throws IOException {
        make(
                EVENTS,
                "{\"metadata\":{\"name\":\"held\",\"finalizers\":[\"example.com/x\",\"orphan\"]},"
                        + "\"involvedObject\":{\"namespace\":\"default\"}}");
        HttpResponse<String> started = send("DELETE", EVENTS + "/held", "{\"propagationPolicy\":\"Foreground\"}");
        assertThat(JSON.readTree(started.body()).at("/metadata/finalizers"))
                .isEqualTo(JSON.readTree("[\"example.com/x\"]"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ?propagationPolicy=Foreground&orphanDependents=true | 422 | DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Foreground": orphanDependents and deletionPropagation cannot be both set
            ?propagationPolicy=Up&orphanDependents=0            | 422 | DeleteOptions.meta.k8s.io "" is invalid: [propagationPolicy: Invalid value: "Up": orphanDependents and deletionPropagation cannot be both set, propagationPolicy: Unsupported value: "Up": supported values: "Foreground", "Background", "Orphan", "nil"]
            ?gracePeriodSeconds=soon                            | 400 | strconv.ParseInt: parsing "soon": invalid syntax
            ?dryRun=Some                                        | 422 | DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"
            ?gracePeriodSeconds=-1&dryRun=All                   | 200 | ``
            ?propagationPolicy=Background&dryRun=All            | 200 | ``
            ?orphanDependents=false&dryRun=All                  | 200 | ``
            """)
    void optionsInTheQuery(String query, int code, String message) throws IOException {
        send("POST", MAPS, "{\"metadata\":{\"name\":\"stays\"}}");
        for (String path : new String[] {MAPS + "/stays" + query, MAPS + query}) {
            HttpResponse<String> answer = send("DELETE", path, null);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
            assertThat(message(answer)).isEqualTo(message);
        }
        assertThat(send("GET", MAPS + "/stays", null).statusCode()).isEqualTo(200);
    }

    /** A precondition is significant even if it is empty. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"uid":""}                               | the UID in the precondition () does not match the UID in record (UID). The object might have been deleted and then recreated
            {"uid":"other","resourceVersion":"1"}    | the UID in the precondition (other) does not match the UID in record (UID). The object might have been deleted and then recreated
            {"resourceVersion":""}                   | the ResourceVersion in the precondition () does not match the ResourceVersion in record (VERSION). The object might have been modified
            {"uid":"UID","resourceVersion":"1"}      | the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (VERSION). The object might have been modified
            {"uid":null,"resourceVersion":"1"}       | the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (VERSION). The object might have been modified
            """)
    void preconditionsMustHold(String preconditions, String cause) throws IOException {
        send("DELETE", MAPS + "/meant", null);
        JsonNode metadata = map("meant").path("metadata");
        String body = "{\"preconditions\":" + preconditions + "}";
        for (String path : new String[] {MAPS + "/meant", MAPS + "?labelSelector=of%3Dmeant"}) {
            HttpResponse<String> rejected = send(
                    "DELETE", path, body.replace("UID", metadata.path("uid").asText()));
            assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(409);
            assertThat(message(rejected))
                    .isEqualTo("Operation cannot be fulfilled on ConfigMap \"meant\": "
                            + cause.replace("(UID)", "(" + metadata.path("uid").asText() + ")")
                                    .replace(
                                            "VERSION",
                                            metadata.path("resourceVersion").asText()));
        }
    }

    @Test
    void deleteCollectionHonoursLimit() throws IOException {
        for (int i = 0; i < 3; i++) {
            make(MAPS, "{\"metadata\":{\"name\":\"chunk-" + i + "\",\"labels\":{\"of\":\"chunk\"}}}");
        }
        HttpResponse<String> first = send("DELETE", MAPS + "?labelSelector=of%3Dchunk&limit=2", null);
        assertThat(JSON.readTree(first.body()).path("items")).hasSize(2);
        assertThat(JSON.readTree(first.body()).at("/metadata/continue").asText())
                .isNotEmpty();
        JsonNode remaining = JSON.readTree(
                send("GET", MAPS + "?labelSelector=of%3Dchunk", null).body());
        assertThat(remaining.path("items")).hasSize(1);
        assertThat(remaining.at("/items/0/metadata/name").asText()).isEqualTo("chunk-2");
    }

    /** deletecollection treats every object like a single deletion. */
    @Test
    void deleteCollectionHonoursFinalizers() throws IOException {
        map("cascading");
        HttpResponse<String> answer = send(
                "DELETE",
                MAPS + "?labelSelector=of%3Dcascading",
                "{\"dryRun\":[\"All\"],\"propagationPolicy\":\"Orphan\"}");
        assertThat(JSON.readTree(answer.body()).path("kind").asText()).isEqualTo("ConfigMapList");
        assertThat(send("GET", MAPS + "/cascading", null).statusCode()).isEqualTo(200);
        make(
                MAPS,
                "{\"metadata\":{\"name\":\"waits\",\"labels\":{\"of\":\"waits\"},\"finalizers\":[\"example.com/x\"]}}");
        send("DELETE", MAPS + "?labelSelector=of%3Dwaits", null);
        JsonNode waiting = JSON.readTree(send("GET", MAPS + "/waits", null).body());
        assertThat(waiting.at("/metadata/deletionTimestamp").asText()).isNotEmpty();
        assertThat(waiting.at("/metadata/deletionGracePeriodSeconds").asInt(-1)).isZero();
    }

    /** A type without generations keeps that of the creation, as in kube-apiserver. */
    @Test
    void updatesCannotSetTheGeneration() throws IOException {
        JsonNode created = make(MAPS, "{\"metadata\":{\"name\":\"counted\",\"generation\":7}}");
        assertThat(created.path("metadata").path("generation").asInt()).isEqualTo(7);
        HttpResponse<String> updated = send(
                "PUT",
                MAPS + "/counted",
                "{\"metadata\":{\"name\":\"counted\",\"generation\":8},\"data\":{\"a\":\"b\"}}");
        assertThat(JSON.readTree(updated.body())
                        .path("metadata")
                        .path("generation")
                        .asInt())
                .isEqualTo(7);
    }
}
