package io.plat.apiserver.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.discovery.RuntimeConfig;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.selector.LabelSelector;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.http.authentication.Authentication;
import io.plat.http.metrics.ServerMetrics;
import io.plat.review.UserInfo;
import io.plat.review.request.RequestInfo;
import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestMetersTest {
    private static final List<String> PATHS = List.of("/api", "/apis", "/healthz", "/openapi/v3", "/version");

    private final ServerMetrics metrics = new ServerMetrics();
    private final RequestMeters meters = new RequestMeters(
            new ServedTypes(ResourceCatalog.builtIn(), RuntimeConfig.DEFAULT),
            path -> PATHS.stream()
                    .filter(known -> path.equals(known) || path.startsWith(known + "/"))
                    .findFirst()
                    .orElse(""));

    @BeforeEach
    void show() {
        metrics.show(meters);
        metrics.onReset(meters::reset);
    }

    @AfterEach
    void close() {
        metrics.close();
    }

    private void answered(String method, String target, int code) throws StatusException {
        answered(method, target, "application/json", code);
    }

    private void answered(String method, String target, String contentType, int code) throws StatusException {
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        @Nullable String query = mark < 0 ? null : target.substring(mark + 1);
        meters.answered(
                RequestInfo.parse(method, path, query, LabelSelector::requirements),
                contentType,
                code,
                30_000_000,
                1_234);
    }

    private List<String> lines(String start) {
        return metrics.text().lines().filter(line -> line.startsWith(start)).toList();
    }

    /** With the values of a kube-apiserver 1.32 for the same requests. */
    @ParameterizedTest
    @CsvSource({
        "GET,    /api/v1/namespaces/a/pods/p,              GET,    '', v1, pods, '', resource, apiserver",
        "HEAD,   /api/v1/namespaces/a/pods/p,              GET,    '', v1, pods, '', resource, apiserver",
        "GET,    /api/v1/namespaces/a/pods,                LIST,   '', v1, pods, '', namespace, apiserver",
        "GET,    /api/v1/pods,                             LIST,   '', v1, pods, '', cluster, apiserver",
        "GET,    /api/v1/pods?watch=1,                     WATCH,  '', v1, pods, '', cluster, apiserver",
        "GET,    /api/v1/namespaces/a/pods?watch=1&fieldSelector=metadata.name%3Dx, WATCH, '', v1, pods, '', resource, apiserver",
        "POST,   /api/v1/namespaces/a/configmaps,          POST,   '', v1, configmaps, '', resource, apiserver",
        "POST,   /api/v1/namespaces/a/pods/p/eviction,     POST,   '', v1, pods, eviction, resource, apiserver",
        "PUT,    /api/v1/namespaces/a/pods/p/status,       PUT,    '', v1, pods, status, resource, apiserver",
        "PATCH,  /apis/apps/v1/namespaces/a/deployments/d, PATCH,  apps, v1, deployments, '', resource, apiserver",
        "PATCH,  /apis/apps/v1/namespaces/a/deployments/d/scale, PATCH, apps, v1, deployments, scale, resource, apiserver",
        "DELETE, /api/v1/namespaces/a/pods,                DELETECOLLECTION, '', v1, pods, '', namespace, apiserver",
        "DELETE, /api/v1/namespaces/a/pods/p,              DELETE, '', v1, pods, '', resource, apiserver",
        "POST,   /api/v1/namespaces/a/pods/p/exec,         CONNECT, '', v1, pods, exec, resource, apiserver",
        "GET,    /api/v1/namespaces/a/pods/p/made-up,      GET,    '', '', '', '', '', ''",
        "GET,    /api/v1/namespaces/a/made-up/p,           GET,    '', '', '', '', '', ''",
        "GET,    /apis/made.up/v9/things,                  LIST,   '', '', '', '', '', ''",
        "GET,    /api,                                     GET,    '', '', '', api, '', apiserver",
        "GET,    /apis/apps/v1,                            GET,    '', '', '', apis, '', apiserver",
        "GET,    /openapi/v3/apis/apps/v1,                 GET,    '', '', '', openapi/v3, '', ''",
        "GET,    /healthz/ping,                            GET,    '', '', '', /healthz, '', ''",
        "GET,    /made/up,                                 GET,    '', '', '', '', '', ''",
        "BREW,   /made/up,                                 other,  '', '', '', '', '', ''",
    })
    void requestsAreCountedByVerbAndResource(
            String method,
            String target,
            String verb,
            String group,
            String version,
            String resource,
            String part,
            String scope,
            String component)
            throws StatusException {
        answered(method, target, 200);
        String labels =
                "component=\"%s\",dry_run=\"\",group=\"%s\",resource=\"%s\",scope=\"%s\",subresource=\"%s\",verb=\"%s\",version=\"%s\""
                        .formatted(component, group, resource, scope, part, verb, version);
        assertThat(lines("apiserver_request_total{"))
                .containsExactly("apiserver_request_total{code=\"200\"," + labels + "} 1.0");
        assertThat(lines("apiserver_request_duration_seconds_"))
                .hasSize(26)
                .contains(
                        "apiserver_request_duration_seconds_bucket{" + labels + ",le=\"0.025\"} 0",
                        "apiserver_request_duration_seconds_bucket{" + labels + ",le=\"0.05\"} 1",
                        "apiserver_request_duration_seconds_bucket{" + labels + ",le=\"+Inf\"} 1",
                        "apiserver_request_duration_seconds_sum{" + labels + "} 0.03");
        assertThat(lines("apiserver_request_sli_duration_seconds_count{")).hasSize(1);
        assertThat(lines("apiserver_response_sizes_sum{"))
                .hasSize(verb.equals("GET") || verb.equals("LIST") ? 1 : 0)
                .allMatch(line -> line.endsWith("} 1234.0"));
    }

    @Test
    void applyAndDryRunAreLabelled() throws StatusException {
        String one = "/api/v1/namespaces/a/configmaps/c";
        answered("PATCH", one + "?fieldManager=me", "application/apply-patch+yaml", 201);
        answered("PATCH", one + "?dryRun=All", "application/merge-patch+json", 200);
        answered("DELETE", one + "?dryRun=Some", 400);
        assertThat(lines("apiserver_request_total{"))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).contains("verb=\"APPLY\"", "code=\"201\"", "dry_run=\"\""),
                        line -> assertThat(line).contains("verb=\"PATCH\"", "dry_run=\"All\""),
                        line -> assertThat(line).contains("verb=\"DELETE\"", "dry_run=\"invalid\""));
    }

    @Test
    void clientTextCreatesNoSeries() throws StatusException {
        for (int i = 0; i < 100; i++) {
            answered("GET", "/api/v1/namespaces/n" + i + "/things" + i + "/x" + i, 404);
            answered("GET", "/apis/g" + i + "/v" + i + "/things", 403);
            answered("GET", "/made/up" + i, 404);
            answered("M" + i, "/made/up", 405);
            answered("GET", "/api/v1/namespaces/n/pods/p/part" + i, 404);
            answered("DELETE", "/api/v1/namespaces/n" + i + "/pods/p" + i + "?dryRun=" + i, 400);
            meters.answered(null, "", 400, 1, 1);
        }
        assertThat(lines("apiserver_request_total{")).hasSize(5);
        assertThat(lines("apiserver_request_duration_seconds_count{")).hasSize(4);
    }

    @Test
    void requestsAreCountedByCodeAndTimedTogether() throws StatusException {
        for (int code : new int[] {200, 404, 200, 403, 200}) {
            answered("GET", "/api/v1/namespaces/a/pods/p", code);
        }
        assertThat(lines("apiserver_request_total{"))
                .anyMatch(line -> line.contains("code=\"200\"") && line.endsWith(" 3.0"))
                .anyMatch(line -> line.contains("code=\"403\"") && line.endsWith(" 1.0"))
                .hasSize(3);
        assertThat(lines("apiserver_request_duration_seconds_count{"))
                .singleElement()
                .asString()
                .endsWith(" 5");
    }

    @Test
    void metersAreResettable() throws StatusException {
        answered("GET", "/api/v1/pods", 200);
        answered("GET", "/version", 200);
        metrics.resetRequests();
        assertThat(lines("apiserver_request_total{")).isEmpty();
        answered("GET", "/api/v1/pods", 200);
        assertThat(lines("apiserver_request_total{")).singleElement().asString().endsWith(" 1.0");
    }

    @Test
    void userAgentsAreReducedToKnownNames() {
        AuthenticationMeters who = new AuthenticationMeters();
        metrics.show(who);
        List.of("admin", "alice", "bob", "carol@example.org")
                .forEach(user -> who.count(new Authentication.Authenticated(new UserInfo(user, List.of()))));
        who.count(new Authentication.Refused("expired"));
        assertThat(lines("authentica"))
                .containsExactlyInAnyOrder(
                        "authentication_attempts{result=\"success\"} 4.0",
                        "authentication_attempts{result=\"error\"} 1.0",
                        "authenticated_user_requests{username=\"admin\"} 1.0",
                        "authenticated_user_requests{username=\"other\"} 2.0",
                        "authenticated_user_requests{username=\"email_id\"} 1.0");
    }
}
