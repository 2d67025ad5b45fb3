package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Metadata of objects within custom objects ({@code x-kubernetes-embedded-resource}), which has a schema of its own. */
class EmbeddedMetadataTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String WRAPPERS = "/apis/example.com/v1/namespaces/default/wrappers";

    private static final String DEFINITION = """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
         "metadata": {"name": "wrappers.example.com"},
         "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "wrappers", "kind": "Wrapper"},
          "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
           "type": "object", "properties": {"items": {"type": "array", "items": {
            "type": "object", "x-kubernetes-embedded-resource": true,
            "properties": {"metadata": {"type": "object"}}}}}}}}]}}
        """;

    private static StandaloneServer server;

    @BeforeAll
    static void start() throws IOException {
        server = StandaloneServer.start();
        assertThat(server.client().post(server.at(DEFINITIONS), DEFINITION).statusCode())
                .isEqualTo(201);
        await().until(() -> server.client().get(server.at(WRAPPERS)).statusCode() == 200);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Columns: metadata of the embedded object; as stored; message of strict validation. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"name":"a","labels":{"x":"y"}}                            | {"name":"a","labels":{"x":"y"}} | ``
        {"name":"a","more":1}                                      | {"name":"a"}                    | strict decoding error: unknown field "items[0].metadata.more"
        {"ownerReferences":[{"apiVersion":"v1","kind":"A","name":"o","uid":"u","more":{}}]} | {"ownerReferences":[{"apiVersion":"v1","kind":"A","name":"o","uid":"u"}]} | strict decoding error: unknown field "items[0].metadata.ownerReferences[0].more"
        {"creationTimestamp":null,"labels":{},"namespace":""}      | {}                              | ``
        {"managedFields":[{"fieldsV1":{"f:a":{}}}],"annotations":{"a":"b"}} | {"managedFields":[{"fieldsV1":{"f:a":{}}}],"annotations":{"a":"b"}} | ``
        {"labels":{},"generation":"x"}                             | ``                              | items[0].metadata: Invalid value: {"labels":{},"generation":"x"}: json: cannot unmarshal string into Go struct field ObjectMeta.generation of type int64
        """)
    void metadataHasTheShapeOfEveryObject(String metadata, String stored, String refusal) throws IOException {
        JsonNode lenient = create("Ignore", metadata);
        if (!stored.isEmpty()) {
            assertThat(lenient.at("/items/0/metadata")).isEqualTo(JSON.readTree(stored));
        }
        assertThat(create("Strict", metadata).path("message").asText())
                .isEqualTo(
                        refusal.isEmpty()
                                ? ""
                                : "Wrapper in version \"v1\" cannot be handled as a Wrapper: " + refusal);
    }

    /** Columns: metadata of the embedded object; the problem. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "x"                           | items[0].metadata: Invalid value: "x": json: cannot unmarshal string into Go
        {"labels":{"a b":"c"}}        | items[0].metadata.labels: Invalid value: "a b": name part must
        {"annotations":{"a b":"c"}}   | items[0].metadata.annotations: Invalid value: "a b": name part must
        {"finalizers":["a b"]}        | items[0].metadata.finalizers: Invalid value: "a b": name part must
        {"ownerReferences":[{"kind":"A","name":"o","uid":"u"}]} | items[0].metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty
        {"name":"a/b"}                | items[0].metadata.name: Invalid value: "a/b": may not contain '/'
        """)
    void metadataIsValidated(String metadata, String problem) throws IOException {
        assertThat(create("Ignore", metadata).path("message").asText()).contains(problem);
    }

    private static JsonNode create(String validation, String metadata) throws IOException {
        String body = "{\"apiVersion\": \"example.com/v1\", \"kind\": \"Wrapper\", \"metadata\": {\"name\": \"w\"},"
                + " \"items\": [{\"apiVersion\": \"v1\", \"kind\": \"Part\", \"metadata\": " + metadata + "}]}";
        return JSON.readTree(server.client()
                .post(server.at(WRAPPERS + "?dryRun=All&fieldValidation=" + validation), body)
                .body());
    }
}
