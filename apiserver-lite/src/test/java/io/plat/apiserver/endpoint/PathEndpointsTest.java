package io.plat.apiserver.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.apiserver.authentication.account.IssuerDocuments;
import io.plat.apiserver.discovery.AggregatedDiscovery;
import io.plat.apiserver.discovery.DiscoveryDocuments;
import io.plat.apiserver.discovery.RuntimeConfig;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.filter.TestingIncoming;
import io.plat.apiserver.openapi.OpenApiDocuments;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.http.health.HealthRegistry;
import io.plat.http.metrics.ServerMetrics;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathEndpointsTest {
    private static final UserInfo ALICE = new UserInfo("alice", List.of());

    @TempDir
    static Path logs = Path.of("");

    private final HealthRegistry health = new HealthRegistry();
    private final ServerMetrics metrics = new ServerMetrics();
    private final ServedTypes types = new ServedTypes(ResourceCatalog.builtIn(), RuntimeConfig.DEFAULT);
    private final PathEndpoints endpoints = new PathEndpoints(new PathEndpoints.Sources(
            new DiscoveryDocuments(types, "127.0.0.1:6443"),
            new AggregatedDiscovery(types),
            new OpenApiDocuments(types, "v0"),
            health,
            metrics,
            "0.1.0",
            Optional.of(logs),
            Optional.of(new IssuerDocuments("{\"issuer\":\"i\"}", "{\"keys\":[]}"))));

    @AfterEach
    void close() {
        metrics.close();
    }

    private ApiResponse get(String target, String... headers) throws StatusException {
        TestingIncoming incoming = TestingIncoming.of("GET", target);
        for (int i = 0; i < headers.length; i += 2) {
            incoming.header(headers[i], headers[i + 1]);
        }
        return endpoints.answer(incoming.by(ALICE));
    }

    @Test
    void rootListsEveryPathThatIsServed() throws Exception {
        health.ready("storage", () -> "");
        String paths = new String(get("/").body().bytes(), UTF_8);
        assertThat(new ObjectMapper().readTree(paths).path("paths"))
                .extracting(JsonNode::asText)
                .isSorted()
                .doesNotHaveDuplicates()
                .contains("/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1", "/apis/autoscaling/v2")
                .contains("/healthz/storage", "/livez/ping", "/readyz", "/readyz/storage", "/metrics", "/version")
                .doesNotContain("/livez/storage")
                // One has another method, the other is a stream.
                .filteredOn(path -> !path.equals("/resetMetrics") && !path.equals("/decisions"))
                .allSatisfy(path -> assertThat(get(path).code()).isIn(200, 301));
    }

    @ParameterizedTest
    @CsvSource({
        "GET,  /,                    200",
        "GET,  /api,                 200",
        "GET,  /api/,                200",
        "GET,  /api/v1,              200",
        "GET,  /apis,                200",
        "GET,  /apis/rbac.authorization.k8s.io/v1, 200",
        "GET,  /apis/rbac.authorization.plat.io/v1alpha1, 404",
        "GET,  /apis/nope,           404",
        "POST, /apis/nope,           404",
        "POST, /apis/nope/v1,        404",
        "POST, /apis/rbac.authorization.k8s.io/v2, 404",
        "DELETE, /api/v2,            404",
        "POST, /api/v1/,             405",
        "GET,  /apix,                404",
        "GET,  /version,             200",
        "GET,  /version/,            200",
        "GET,  /version/x,           404",
        "HEAD, /version,             200",
        "GET,  /ui,                  200",
        "GET,  /ui/,                 200",
        "GET,  /ui/app.js,           200",
        "GET,  /ui/index.html,       404",
        "GET,  /ui/../version,       400",
        "POST, /ui/app.js,           405",
        "POST, /version,             405",
        "DELETE, /healthz,           405",
        "POST, /nope,                404",
        "GET,  /healthz,             200",
        "GET,  /livez/ping,          200",
        "GET,  /livez/nope,          404",
        "GET,  /readyz?verbose,      200",
        "GET,  /metrics,             200",
        "GET,  /openapi/v3,          200",
        "GET,  /openapi/v3/api/v1,   200",
        "GET,  /openapi/v2,          200",
        "GET,  /swaggerapi/,         200",
        "GET,  /swaggerapi/api/v1,   200",
        "GET,  /swaggerapi/experimental/v1, 200",
        "GET,  /swaggerapi/api/v2,   404",
        "GET,  /swagger-ui,          301",
        "GET,  /swagger-ui/,         200",
        "GET,  /swagger-ui/../x,     400",
        "POST, /swagger-ui/,         405",
        "GET,  /ui/x,                404",
        "GET,  /logs,                200",
        "GET,  /logs/none,           404",
        "DELETE, /logs/a.log,        405",
        "GET,  /debug,               200",
        "GET,  /resetMetrics,        405",
        "POST, /resetMetrics,        200",
        "DELETE, /resetMetrics,      200",
        "GET,  /openid/v1/jwks,      200",
        "GET,  /openid/v1/jwks/x,    404",
        "GET,  /openid/v1,           404",
        "POST, /openid/v1/jwks,      405",
        "GET,  /.well-known/openid-configuration, 200",
    })
    void servesThePathsAndNothingElse(String method, String target, int code) {
        int actual;
        try {
            actual = endpoints
                    .answer(TestingIncoming.of(method, target).by(ALICE))
                    .code();
        } catch (StatusException e) {
            actual = e.status().code();
        }
        assertThat(actual).isEqualTo(code);
    }

    @Test
    void failingCheckFailsHealth() throws StatusException {
        health.ready("disk", () -> "full");
        assertThat(get("/readyz").code()).isEqualTo(500);
        assertThat(get("/livez").code()).isEqualTo(200);
        assertThat(get("/readyz?exclude=disk").code()).isEqualTo(200);
        assertThat(new String(get("/readyz").body().bytes(), UTF_8)).contains("[-]disk failed");
    }

    @Test
    void browsersGetIndentedDocuments() throws StatusException {
        assertThat(new String(get("/api?pretty=true").body().bytes(), UTF_8)).isEqualTo("""
                {
                  "kind": "APIVersions",
                  "versions": [
                    "v1"
                  ],
                  "serverAddressByClientCIDRs": [
                    {
                      "clientCIDR": "0.0.0.0/0",
                      "serverAddress": "127.0.0.1:6443"
                    }
                  ]
                }""");
        assertThat(new String(get("/api", "User-Agent", "curl/8.5.0").body().bytes(), UTF_8))
                .startsWith("{\n  \"kind\"");
        assertThat(new String(
                        get("/api?pretty=false", "User-Agent", "curl/8.5.0")
                                .body()
                                .bytes(),
                        UTF_8))
                .startsWith("{\"kind\"");
        assertThat(new String(
                        get("/api", "User-Agent", "kubectl/v1.32.4").body().bytes(), UTF_8))
                .startsWith("{\"kind\"");
    }

    @Test
    void aggregatedDiscoveryIsNegotiated() throws StatusException {
        ApiResponse aggregated = get("/apis", "Accept", AggregatedDiscovery.TYPE + ",application/json");
        assertThat(aggregated.contentType()).isEqualTo(AggregatedDiscovery.TYPE);
        assertThat(aggregated.headers()).containsEntry("Vary", List.of("Accept"));
        assertThat(get("/apis").contentType()).isEqualTo("application/json");
        assertThat(get("/api/v1", "Accept", AggregatedDiscovery.TYPE + ",application/json")
                        .contentType())
                .isEqualTo("application/json");
    }

    @ParameterizedTest
    @CsvSource({
        "*/*,                                                             application/json",
        "'',                                                              application/json",
        "application/json,                                                application/json",
        "application/com.github.proto-openapi.spec.v2@v1.0+protobuf,      BINARY",
        "application/com.github.proto-openapi.spec.v2.v1.0+protobuf,      BINARY",
        "'application/x, application/com.github.proto-openapi.spec.v2@v1.0+protobuf;q=0.5', BINARY",
        "application/yaml,                                                406",
    })
    void openApiV2IsServedInBothForms(String accept, String expected) {
        String answered;
        try {
            answered = get("/openapi/v2", "Accept", accept).contentType();
        } catch (StatusException refused) {
            answered = String.valueOf(refused.status().code());
        }
        assertThat(answered)
                .isEqualTo(
                        expected.equals("BINARY")
                                ? "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
                                : expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/openapi/v2", "/openapi/v3", "/openapi/v3/api/v1"})
    void unchangedDocumentIs304(String path) throws StatusException {
        ApiResponse first = get(path);
        String tag = first.headers().getOrDefault("ETag", List.of("")).getFirst();
        assertThat(tag).matches("\"[0-9A-F]{64}\"");
        ApiResponse again = get(path, "If-None-Match", tag);
        assertThat(again.code()).isEqualTo(304);
        assertThat(again.body().size()).isZero();
        assertThat(again.headers()).containsEntry("ETag", List.of(tag));
        assertThat(get(path, "If-None-Match", "\"other\"").code()).isEqualTo(200);
    }

    @Test
    void outdatedHashRedirectsToTheCurrentDocument() throws StatusException {
        ApiResponse moved = get("/openapi/v3/api/v1?hash=ABC");
        assertThat(moved.code()).isEqualTo(301);
        String present = moved.headers().getOrDefault("Location", List.of("")).getFirst();
        ApiResponse kept = get(present);
        assertThat(kept.code()).isEqualTo(200);
        assertThat(kept.headers()).containsEntry("Cache-Control", List.of("public, immutable"));
    }

    @Test
    void requestMetricsCanBeReset() throws StatusException {
        metrics.requestBegan();
        metrics.requestEnded("GET", 200, 1000);
        assertThat(metrics.text()).contains("http_request_duration_seconds_count");
        endpoints.answer(TestingIncoming.of("POST", "/resetMetrics").by(ALICE));
        assertThat(metrics.text()).doesNotContain("http_request_duration_seconds_count");
        metrics.requestBegan();
        metrics.requestEnded("GET", 200, 1000);
        assertThat(metrics.text()).contains("http_request_duration_seconds_count{code=\"200\",method=\"GET\"} 1");
    }

    @Test
    void aggregatedDiscoveryIsSentOnce() throws StatusException {
        ApiResponse first = get("/apis", "Accept", AggregatedDiscovery.TYPE);
        String tag = first.headers().getOrDefault("ETag", List.of("")).getFirst();
        assertThat(get("/apis", "Accept", AggregatedDiscovery.TYPE, "If-None-Match", tag)
                        .code())
                .isEqualTo(304);
        assertThat(get("/api", "Accept", AggregatedDiscovery.TYPE, "If-None-Match", tag)
                        .code())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/api", "/api/v1", "/apis", "/apis/apps/v1", "/swaggerapi", "/swaggerapi/api/v1", "/swagger-ui/"
            })
    void matchingEtagIs304(String path) throws StatusException {
        String tag = get(path).headers().getOrDefault("ETag", List.of("")).getFirst();
        ApiResponse again = get(path, "If-None-Match", tag);
        assertThat(again.code()).isEqualTo(304);
        assertThat(again.body().size()).isZero();
        // As in kube-apiserver, plain discovery has no Vary.
        List<String> vary = path.startsWith("/api") ? List.of() : List.of("Accept");
        assertThat(again.headers()).containsEntry("ETag", List.of(tag)).containsEntry("Vary", vary);
        assertThat(get(path, "If-None-Match", "\"another\"").code()).isEqualTo(200);
    }

    @Test
    void etagDependsOnTheRepresentation() throws StatusException {
        assertThat(get("/api/v1", "Accept", "application/yaml").headers().get("ETag"))
                .isNotEqualTo(get("/api/v1").headers().get("ETag"));
    }

    @Test
    void pageFilesHaveAContentSecurityPolicyAndAnEtag() throws StatusException {
        ApiResponse page = get("/ui/style.css");
        assertThat(page.contentType()).isEqualTo("text/css; charset=utf-8");
        assertThat(page.headers().get("Content-Security-Policy"))
                .singleElement()
                .asString()
                .startsWith("default-src 'none'");
        String known = page.headers().getOrDefault("ETag", List.of("none")).getFirst();
        ApiResponse again = get("/ui/style.css", "If-None-Match", known);
        assertThat(again.code()).isEqualTo(304);
        assertThat(again.headers()).containsKey("Content-Security-Policy");
    }
}
