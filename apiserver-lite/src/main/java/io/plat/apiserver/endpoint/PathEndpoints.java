package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.authentication.account.IssuerDocuments;
import io.plat.apiserver.discovery.AggregatedDiscovery;
import io.plat.apiserver.discovery.DiscoveryDocuments;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.Denials;
import io.plat.apiserver.openapi.OpenApiDocuments;
import io.plat.apiserver.openapi.SwaggerListings;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.type.ApiErrors;
import io.plat.http.ServedVersion;
import io.plat.http.health.HealthRegistry;
import io.plat.http.health.HealthRegistry.HealthResponse;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.page.AccessPage;
import io.plat.http.page.PageFile;
import io.plat.review.UserInfo;
import io.plat.review.request.QueryParameters;
import io.plat.review.status.StatusException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;

/** Endpoints of non-resource paths, by their first segments. All but one are read-only. */
public final class PathEndpoints {
    private static final String DECISIONS = "/decisions";

    private static final String RESET = "/resetMetrics";
    private static final Set<String> RESETTING = Set.of("DELETE", "POST");

    private final SequencedMap<String, ApiEndpoint> byPath = new LinkedHashMap<>();
    private final DiscoveryDocuments discovery;
    private final HealthRegistry health;

    /**
     * Sources of the endpoints.
     *
     * @param logs directory of log files; empty if not configured
     * @param issuer discovery documents of the service account issuer; empty if the issuer has none
     */
    public record Sources(
            DiscoveryDocuments discovery,
            AggregatedDiscovery aggregated,
            OpenApiDocuments openApi,
            HealthRegistry health,
            ServerMetrics metrics,
            String productVersion,
            Optional<Path> logs,
            Optional<IssuerDocuments> issuer) {}

    public PathEndpoints(Sources sources) {
        discovery = sources.discovery();
        health = sources.health();
        ApiEndpoint types = new DiscoveryEndpoint(discovery, sources.aggregated());
        byPath.put("/api", types);
        byPath.put("/apis", types);
        for (HealthRegistry.Endpoint endpoint : HealthRegistry.Endpoint.values()) {
            byPath.put("/" + endpoint.word(), call -> health(call, endpoint));
        }
        exactly(
                "/metrics",
                call -> ApiResponse.text(
                        200, ServerMetrics.TYPE, sources.metrics().text()));
        byPath.put("/debug", new DebugEndpoint());
        exactly(DECISIONS, call -> {
            throw ApiErrors.methodNotAllowed();
        });
        sources.logs().ifPresent(directory -> byPath.put("/logs", new LogsEndpoint(new LogDirectory(directory))));
        OpenApiEndpoint openApi = new OpenApiEndpoint(sources.openApi(), new SwaggerListings(sources.openApi()));
        exactly("/openapi/v2", openApi::v2);
        byPath.put("/openapi/v3", openApi::v3);
        exactly(RESET, call -> {
            sources.metrics().resetRequests();
            return ApiResponse.text(200, "text/plain; charset=utf-8", "metrics reset\n");
        });
        byPath.put("/swagger-ui", new SwaggerUi());
        byPath.put("/swaggerapi", call -> openApi.listing(call, below(call, "/swaggerapi")));
        sources.issuer().ifPresent(documents -> {
            document(IssuerDocuments.CONFIGURATION_PATH, ApiResponse.JSON, documents.configuration());
            document(IssuerDocuments.KEYS_PATH, "application/jwk-set+json", documents.keys());
        });
        byPath.put(AccessPage.PATH, PathEndpoints::page);
        byte[] version = ServedVersion.encode(sources.productVersion());
        exactly("/version", call -> DocumentResponse.to(call, TypeMeta.UNKNOWN).of(200, version));
    }

    /** Registers a document that is cacheable for an hour, as keys do not change while the server runs. */
    private void document(String path, String contentType, String text) {
        ApiResponse answer =
                ApiResponse.text(200, contentType, text).with("Cache-Control", List.of("public, max-age=3600"));
        exactly(path, call -> answer);
    }

    private void exactly(String path, ApiEndpoint endpoint) {
        byPath.put(path, call -> {
            if (!path(call).equals(path)) {
                throw ApiErrors.notFound();
            }
            return endpoint.answer(call);
        });
    }

    /** Returns the path without a trailing slash, except for the root. */
    static String path(Call call) {
        String path = call.info().path();
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Returns the part below a path; {@code ""} for the path itself. */
    static String below(Call call, String root) {
        String path = path(call);
        return path.equals(root) ? "" : path.substring(root.length() + 1);
    }

    /**
     * Requires an authenticated user regardless of policy.
     *
     * @throws StatusException 403 if the user or the impersonator is not authenticated
     */
    static void requireAuthenticated(Call call) throws StatusException {
        if (isUnauthenticated(call.user()) || isUnauthenticated(call.authenticated())) {
            throw new StatusException(Denials.forbidden(call.attributes(), "not available to anonymous users"));
        }
    }

    private static boolean isUnauthenticated(UserInfo user) {
        return user.name().equals(UserInfo.ANONYMOUS) || user.groups().contains(UserInfo.UNAUTHENTICATED);
    }

    EndpointResult serve(Call call) throws StatusException {
        if (call.info().path().equals(DECISIONS) && call.info().method().equals("GET")) {
            requireAuthenticated(call);
            return new EndpointResult.Decisions();
        }
        return answer(call);
    }

    /** Handles a request for a path, except for streams. */
    ApiResponse answer(Call call) throws StatusException {
        RequestOptions.checkTimeout(call.info().query());
        ApiEndpoint endpoint = find(call.info().path());
        boolean resets = path(call).equals(RESET);
        boolean unknown = endpoint instanceof DiscoveryEndpoint
                && discovery.find(path(call)).isEmpty();
        boolean permitted =
                resets ? RESETTING.contains(call.info().method()) : call.info().reads();
        if (!unknown && !permitted) {
            throw ApiErrors.methodNotAllowed();
        }
        return endpoint.answer(call);
    }

    private ApiEndpoint find(String path) throws StatusException {
        if (path.equals("/")) {
            return this::index;
        }
        ApiEndpoint endpoint = byPath.get(nameOf(path));
        if (endpoint == null) {
            throw ApiErrors.notFound();
        }
        return endpoint;
    }

    /** Returns the served path that equals or contains a path; {@code ""} for none. */
    public String nameOf(String path) {
        for (String known : byPath.keySet()) {
            if (path.startsWith(known) && (path.length() == known.length() || path.charAt(known.length()) == '/')) {
                return known;
            }
        }
        return "";
    }

    /** Lists all discovery paths, and each health check by name, as clients expect it here. */
    private ApiResponse index(Call call) throws StatusException {
        DocumentResponse answer = DocumentResponse.to(call, TypeMeta.UNKNOWN);
        ObjectNode index = JsonNodeFactory.instance.objectNode();
        ArrayNode paths = index.putArray("paths");
        Set<String> all = new TreeSet<>(byPath.keySet());
        all.addAll(discovery.paths());
        for (HealthRegistry.Endpoint endpoint : HealthRegistry.Endpoint.values()) {
            health.names(endpoint).forEach(name -> all.add("/" + endpoint.word() + "/" + name));
        }
        all.forEach(paths::add);
        return answer.of(200, index);
    }

    /** Returns all health checks, or the one that the rest of the path names. */
    private ApiResponse health(Call call, HealthRegistry.Endpoint endpoint) {
        String check = below(call, "/" + endpoint.word());
        QueryParameters query = call.info().query();
        HealthResponse answer = check.isEmpty()
                ? health.answer(
                        endpoint,
                        query.first("verbose").isPresent(),
                        query.values().getOrDefault("exclude", List.of()))
                : health.answer(endpoint, check);
        return ApiResponse.text(answer.code(), HealthResponse.TYPE, answer.text());
    }

    /** Returns a file of the access page. The files contain no data: the page fetches data by separate requests. */
    private static ApiResponse page(Call call) throws StatusException {
        PageFile file = AccessPage.at(call.info().path()).orElseThrow(ApiErrors::notFound);
        Map<String, List<String>> headers = new LinkedHashMap<>();
        AccessPage.headers().forEach((name, value) -> headers.put(name, List.of(value)));
        headers.put("ETag", List.of('"' + file.tag() + '"'));
        return file.isKnownBy(call.incoming().header("If-None-Match"))
                ? new ApiResponse(304, file.contentType(), headers, Body.of(new byte[0]))
                : new ApiResponse(200, file.contentType(), headers, Body.shared(file.bytes()));
    }
}
