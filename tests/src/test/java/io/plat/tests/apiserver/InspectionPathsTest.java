package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.StandaloneServer;
import io.plat.tests.process.TlsConnection;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inspection paths: logs, profiling, Swagger. The server allows every user everything. */
class InspectionPathsTest {
    private static Path outside;
    private static StandaloneServer server;

    @BeforeAll
    static void start() throws IOException {
        outside = Files.createTempDirectory("plat-logs");
        Files.writeString(outside.resolve("secret"), "do-not-tell");
        Path logs = Files.createDirectory(outside.resolve("logs"));
        Files.writeString(logs.resolve("large.log"), "0123456789".repeat(50_000));
        Files.createSymbolicLink(logs.resolve("out"), outside.resolve("secret"));
        Files.createSymbolicLink(logs.resolve("up"), Path.of(".."));
        server = StandaloneServer.start("--log-dir=" + logs);
    }

    @AfterAll
    static void stop() {
        server.close();
        Directories.delete(outside);
    }

    private static HttpResponse<String> get(String path) throws IOException {
        return server.client().get(server.at(path));
    }

    @Test
    void serverLogIsServed() throws IOException {
        assertThat(get("/logs/").body()).contains("apiserver-lite.log", "large.log");
        assertThat(get("/logs/apiserver-lite.log").body()).contains("default role objects");
        HttpResponse<String> part = server.client()
                .withHeader("Range", "bytes=-5")
                .withHeader("Accept-Encoding", "gzip")
                .get(server.at("/logs/large.log"));
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("56789");
        assertThat(get("/logs/large.log").body()).hasSize(500_000);
    }

    /** A problem of several options has Kubernetes' path of a field without a name. */
    @Test
    void logOptionsExcludeEachOther() throws IOException {
        HttpResponse<String> refused =
                get("/api/v1/namespaces/default/pods/none/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z");
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body())
                .contains(
                        "PodLogOptions \\\"none\\\" is invalid: []: Forbidden: at most one of `sinceTime` or"
                                + " `sinceSeconds` may be specified",
                        "\"field\":\"[]\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/logs/out",
                "/logs/up/secret",
                "/logs/../secret",
                "/logs/%2e%2e/secret",
                "/logs/..%2fsecret",
                "/logs/..%5csecret",
                "/logs/%252e%252e%252fsecret",
                "/logs//etc/passwd",
                "/logs/;/../secret",
                "/logs/large.log/../../secret",
                "/logs\\..\\secret",
            })
    void traversalIsRefused(String target) throws IOException {
        try (TlsConnection connection = TlsConnection.to(server).get(target, "Connection: close")) {
            assertThat(connection.line()).containsPattern("^HTTP/1.1 40[04] ");
        }
    }

    @Test
    void debugPathsRequireAnAuthenticatedUser() throws IOException {
        try (HttpsClient nobody = HttpsClient.of(server.pki(), null)) {
            assertThat(nobody.get(server.at("/version")).statusCode()).isEqualTo(200);
            assertThat(nobody.get(server.at("/debug/threads")).statusCode()).isEqualTo(403);
        }
        assertThat(get("/debug/threads").body()).contains("\"main\"");
        assertThat(get("/debug/heap").body()).contains("used=");
        assertThat(server.client()
                        .getBytes(server.at("/debug/recording?seconds=1"))
                        .body())
                .startsWith('F', 'L', 'R', 0);
    }

    @ParameterizedTest
    @CsvSource({"GET, 405", "PUT, 405", "POST, 200", "DELETE, 200"})
    void requestMetricsCanBeReset(String method, int code) throws IOException {
        assertThat(server.client()
                        .send(method, server.at("/resetMetrics"), null)
                        .statusCode())
                .isEqualTo(code);
    }

    @Test
    void swaggerDocumentsAreServed() throws IOException {
        assertThat(get("/swaggerapi/").body()).contains("/api/v1", "/experimental/v1");
        assertThat(get("/swaggerapi/api/v1").body()).contains("\"v1.Pod\":{\"id\":\"v1.Pod\"");
        assertThat(get("/swaggerapi/experimental/v1").statusCode()).isEqualTo(200);
    }

    /** The page loads everything from this server and connects to no other. */
    @Test
    void swaggerUiIsComplete() throws IOException {
        HttpResponse<String> page = get("/swagger-ui/");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'; script-src 'self'");
        assertThat(page.body())
                .contains("name=\"viewport\"", "name=\"color-scheme\" content=\"light dark\"", "<a href=\"/ui\">");
        List<String> named = new ArrayList<>();
        Matcher reference =
                Pattern.compile("(?:src|rel=\"[^>]* href)=\"([^\"]*)\"").matcher(page.body());
        while (reference.find()) {
            named.add(reference.group(1));
            assertThat(get("/swagger-ui/" + reference.group(1)).statusCode()).isEqualTo(200);
        }
        assertThat(named).contains("swagger-ui-bundle.js", "start.js").noneMatch(name -> name.contains("//"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/apis", "/apis/apps/v1", "/openapi/v2", "/openapi/v3", "/swaggerapi/api/v1"})
    void matchingEtagIs304(String path) throws IOException {
        String tag = get(path).headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> again =
                server.client().withHeader("If-None-Match", tag).get(server.at(path));
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }
}
