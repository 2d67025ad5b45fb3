package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies with duplicate fields: the results and warnings match the decoders of kube-apiserver. */
class DuplicateFieldsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private static final Pattern WARNING = Pattern.compile("299 - \"((?:[^\"\\\\]|\\\\.)*)\"");

    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Columns: body of a dry-run create; warnings, one per line; resulting data and labels. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"metadata":{"name":"a"},"data":{"x":"1","x":"2"}}                        | duplicate field "data.x"                      | {"x":"2"}           | {}
            {"metadata":{"name":"a"},"data":{"x":"1"},"data":{"y":"2"}}               | duplicate field "data"                        | {"x":"1","y":"2"}   | {}
            {"metadata":{"name":"b","name":"a"},"data":{"x":"1"}}                     | duplicate field "metadata.name"               | {"x":"1"}           | {}
            {"metadata":{"name":"a"},"metadata":{"labels":{"l":"1"}},"data":{"x":"1"}} | duplicate field "metadata"                   | {"x":"1"}           | {"l":"1"}
            {"kind":"Secret","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1"}} | duplicate field "kind"                    | {"x":"1"}           | {}
            {"metadata":{"name":"a"},"data":{"x":"1"},"dat":1,"dat":2}                | unknown field "dat"                           | {"x":"1"}           | {}
            {"metadata":{"name":"a"},"data":{"x":"1"},"dat":{"a":1,"a":2}}            | unknown field "dat"                           | {"x":"1"}           | {}
            {"metadata":{"name":"a","x":1},"dat":1,"data":{"x":"0"},"data":{"x":"1"}} | unknown field "metadata.x";unknown field "dat";duplicate field "data" | {"x":"1"} | {}
            {"metadata":{"name":"a"},"data":{"x":"0","x":"1"},"dat":1}                | duplicate field "data.x";unknown field "dat"  | {"x":"1"}           | {}
            {"metadata":{"name":"a"},"data":{"a.b":"1","a.b":"2","a.b":"3"}}          | duplicate field "data.a.b"                    | {"a.b":"3"}         | {}
            """)
    void lastDuplicateWins(String body, String warning, String data, String labels) throws IOException {
        HttpResponse<String> warned = create("?dryRun=All", body);
        assertThat(warned.statusCode()).as(warned.body()).isEqualTo(201);
        assertThat(warnings(warned)).containsExactly(warning.split(";"));
        JsonNode object = JSON.readTree(warned.body());
        assertThat(object.path("data")).isEqualTo(JSON.readTree(data));
        assertThat(object.path("metadata").path("labels").toString().replace("null", ""))
                .isEqualTo(labels.equals("{}") ? "" : labels);
        HttpResponse<String> ignored = create("?dryRun=All&fieldValidation=Ignore", body);
        assertThat(ignored.statusCode()).isEqualTo(201);
        assertThat(warnings(ignored)).isEmpty();
        HttpResponse<String> strict = create("?dryRun=All&fieldValidation=Strict", body);
        assertThat(strict.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(strict.body()).path("message").asText())
                .isEqualTo("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
                        + warning.replace(";", ", "));
    }

    /** Within lists too: elements of a repeated list are decoded into the previous ones. */
    @Test
    void duplicateFieldsAreReportedWithTheirPaths() throws IOException {
        String pods = "/api/v1/namespaces/default/pods?dryRun=All";
        HttpResponse<String> created = server.client().post(server.at(pods), """
                {"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"x",
                 "env":[{"name":"A","value":"1","value":"2"}]}],"containers":[{"name":"d"}]}}
                """);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        assertThat(warnings(created))
                .containsExactly(
                        "duplicate field \"spec.containers[0].env[0].value\"", "duplicate field \"spec.containers\"");
        JsonNode container = JSON.readTree(created.body()).at("/spec/containers/0");
        assertThat(container.path("name").asText()).isEqualTo("d");
        assertThat(container.path("image").asText()).isEqualTo("x");
        assertThat(container.at("/env/0/value").asText()).isEqualTo("2");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            merge | {"data":{"x":"1"},"data":{"y":"2","y":"3"}}                        | duplicate field "data";duplicate field "data.y" | {"y":"3","z":"0"}
            json  | [{"op":"test","op":"add","path":"/data/x","value":"1","why":1}]     | json patch duplicate field "[0].op";json patch unknown field "[0].why" | {"x":"1","z":"0"}
            """)
    void patchesReportDuplicatesToo(String format, String patch, String message, String data) throws IOException {
        server.client().send("DELETE", server.at(MAPS + "/patched"), null);
        create("", "{\"metadata\":{\"name\":\"patched\"},\"data\":{\"z\":\"0\"}}");
        String type = "application/" + format + "-patch+json";
        HttpResponse<String> strict = patch("?fieldValidation=Strict", type, patch);
        assertThat(strict.statusCode()).isEqualTo(422);
        assertThat(JSON.readTree(strict.body()).path("message").asText())
                .endsWith("strict decoding error: " + message.replace(";", ", "));
        HttpResponse<String> warned = patch("", type, patch);
        assertThat(warned.statusCode()).as(warned.body()).isEqualTo(200);
        assertThat(warnings(warned)).containsExactlyInAnyOrder(message.split(";"));
        assertThat(JSON.readTree(warned.body()).path("data")).isEqualTo(JSON.readTree(data));
    }

    /** The response to an invalid body is bounded. */
    @Test
    void warningsAreBounded() throws IOException {
        var body = new StringBuilder("{\"metadata\":{\"name\":\"bounded\"},\"data\":{\"x\":\"0\"");
        for (int i = 0; i < 100_000; i++) {
            body.append(",\"x\":\"").append(i).append('"');
        }
        body.append('}');
        for (int i = 0; i < 100_000; i++) {
            body.append(",\"unknown").append(i).append("\":0");
        }
        HttpResponse<String> created = create("?dryRun=All", body.append('}').toString());
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        assertThat(created.body()).contains("\"x\":\"99999\"");
        assertThat(warnings(created)).hasSizeBetween(2, 101).contains("duplicate field \"data.x\"");
        assertThat(String.join("", warnings(created)).length()).isLessThan(5000);
    }

    @Test
    void duplicateOwnerReferencesAreReportedOnce() throws IOException {
        String owner = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"o\",\"uid\":\"u1\"}";
        String other = owner.replace("}", ",\"controller\":true}");
        String body = "{\"metadata\":{\"name\":\"owned\",\"ownerReferences\":[" + owner + "," + other + "," + owner
                + "," + owner + "]}}";
        HttpResponse<String> created = create("?dryRun=All&fieldValidation=Strict", body);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        assertThat(JSON.readTree(created.body()).at("/metadata/ownerReferences"))
                .isEqualTo(JSON.readTree("[" + owner + "," + other + "]"));
        assertThat(warnings(created))
                .containsExactly(
                        ".metadata.ownerReferences contains duplicate entries; API server dedups owner references"
                                + " in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate"
                                + " UID(s) observed: u1, u1");
        server.client().send("DELETE", server.at(MAPS + "/patched"), null);
        create("", "{\"metadata\":{\"name\":\"patched\"}}");
        HttpResponse<String> patched = patch(
                "?dryRun=All",
                "application/merge-patch+json",
                "{\"metadata\":{\"ownerReferences\":[" + owner + "," + owner + "]}}");
        assertThat(patched.statusCode()).as(patched.body()).isEqualTo(200);
        assertThat(JSON.readTree(patched.body()).at("/metadata/ownerReferences"))
                .hasSize(1);
        assertThat(warnings(patched))
                .containsExactly(
                        ".metadata.ownerReferences contains duplicate entries after mutating admission happens;"
                                + " API server dedups owner references in 1.20+, and may reject such requests as early as 1.24;"
                                + " please fix your requests; duplicate UID(s) observed: u1");
    }

    private static HttpResponse<String> create(String query, String body) throws IOException {
        return server.client().post(server.at(MAPS + query), body);
    }

    private static HttpResponse<String> patch(String query, String type, String patch) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(server.at(MAPS + "/patched" + query))
                .header("Content-Type", type)
                .method("PATCH", HttpRequest.BodyPublishers.ofString(patch))
                .build();
        try {
            return server.client().http().send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static List<String> warnings(HttpResponse<String> answer) {
        return answer.headers().allValues("Warning").stream()
                .flatMap(values -> WARNING.matcher(values).results())
                .map(warning -> warning.group(1).replace("\\\"", "\"").replace("\\\\", "\\"))
                .toList();
    }
}
