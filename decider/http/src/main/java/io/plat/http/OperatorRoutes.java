package io.plat.http;

import io.plat.http.health.HealthRegistry;
import io.plat.http.health.HealthRegistry.HealthResponse;
import io.plat.http.metrics.ServerMetrics;
import io.plat.process.Tasks;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints for operators: {@code /livez}, {@code /readyz} and {@code /healthz}, which take {@code ?verbose} and {@code ?exclude=NAME} and have a
 * subpath for each check; {@code /metrics} and {@code /version}. They are answered on a virtual thread, as reading the metrics takes a while.
 *
 * <p>Rejects paths that these endpoints could read differently from an authorizer: encoded slashes, dot segments, empty segments, path parameters,
 * invalid UTF-8. Handlers in front of this one receive the path as sent.
 */
public final class OperatorRoutes extends Handler.Wrapper {
    private static final Status AMBIGUOUS =
            Status.of(StatusReason.BAD_REQUEST, "the request path is ambiguous: expected a plain path such as /readyz");

    private final HealthRegistry health;
    private final ServerMetrics metrics;
    private final byte[] version;

    /** A response; the body is UTF-8. */
    @SuppressWarnings("ArrayRecordComponent") // Passed on once and never compared.
    private record Answer(int code, String contentType, byte[] body) {
        static Answer of(int code, String contentType, String text) {
            return new Answer(code, contentType, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** @param product the product's own version */
    public OperatorRoutes(HealthRegistry health, ServerMetrics metrics, String product) {
        this.health = health;
        this.metrics = metrics;
        this.version = ServedVersion.encode(product);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        HttpURI uri = request.getHttpURI();
        String path = uri.getPath();
        if (path == null || !path.startsWith("/") || uri.hasViolations() || !isPlain(path)) {
            StatusResponses.answer(request, response, callback, AMBIGUOUS);
            return true;
        }
        @Nullable Supplier<Answer> endpoint = find(uri.getDecodedPath(), request);
        if (endpoint == null) {
            return super.handle(request, response, callback);
        }
        if (!StatusResponses.refusesWrite(request, response, callback)) {
            Tasks.virtual("request", () -> answer(endpoint, request, response, callback));
        }
        return true;
    }

    private static boolean isPlain(String path) {
        return path.indexOf(';') < 0
                && path.indexOf('\\') < 0
                && !path.contains("//")
                && !path.contains("/./")
                && !path.contains("/../")
                && !path.endsWith("/.")
                && !path.endsWith("/..");
    }

    private @Nullable Supplier<Answer> find(String path, Request request) {
        if (path.equals("/metrics")) {
            return () -> Answer.of(200, ServerMetrics.TYPE, metrics.text());
        }
        if (path.equals("/version")) {
            return () -> new Answer(200, StatusResponses.JSON, version);
        }
        for (HealthRegistry.Endpoint endpoint : HealthRegistry.Endpoint.values()) {
            String root = "/" + endpoint.word();
            if (path.equals(root)) {
                Fields query = Request.extractQueryParameters(request);
                boolean verbose = query.getNames().contains("verbose");
                return () -> of(health.answer(endpoint, verbose, query.getValuesOrEmpty("exclude")));
            }
            if (path.startsWith(root + "/")) {
                return () -> of(health.answer(endpoint, path.substring(root.length() + 1)));
            }
        }
        return null;
    }

    private static Answer of(HealthResponse result) {
        return Answer.of(result.code(), HealthResponse.TYPE, result.text());
    }

    private static void answer(Supplier<Answer> endpoint, Request request, Response response, Callback callback) {
        try {
            Answer answer = endpoint.get();
            response.setStatus(answer.code());
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
            response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
            response.write(true, StatusResponses.body(request, response, answer.body()), callback);
            // All throwables, as this thread has no caller that could handle them.
        } catch (Throwable failure) {
            Response.writeError(request, response, callback, failure);
        }
    }
}
