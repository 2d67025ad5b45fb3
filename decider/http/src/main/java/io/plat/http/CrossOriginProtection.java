package io.plat.http;

import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Protection of users with a certificate in their browser: a page of another origin cannot use it to change state or to open a stream.
 *
 * <p>A browser sends {@code Sec-Fetch-Site} or {@code Origin}, which no page can remove or forge; a request with neither is not from a browser and is
 * passed on. A page of the server's own origin has an {@code Origin} that equals {@code https://} and the request's {@code Host}: DNS rebinding fails
 * the browser's verification of the server certificate.
 *
 * <p>Every response forbids framing, content sniffing, scripts, and inclusion in other pages; the server's own pages replace that policy.
 */
final class CrossOriginProtection extends Handler.Wrapper {
    private static final String SITE = "Sec-Fetch-Site";
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");
    private static final Set<String> STREAM_PARAMETERS = Set.of("watch", "follow");
    private static final List<String> STREAM_PATHS = List.of("/revisions", "/decisions");

    private static final Status REFUSED = Status.of(
            StatusReason.FORBIDDEN,
            "a page of another origin may not send this request: expected an origin of --allowed-origins");
    private static final Status NO_TYPE = Status.of(
            StatusReason.UNSUPPORTED_MEDIA_TYPE, "a browser must send the body of a request with a Content-Type");

    private static final List<HttpField> FIELDS = List.of(
            new PreEncodedHttpField("X-Content-Type-Options", "nosniff"),
            new PreEncodedHttpField("X-Frame-Options", "DENY"),
            new PreEncodedHttpField("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            new PreEncodedHttpField("Cross-Origin-Resource-Policy", "same-origin"));

    private final Set<WebOrigin> allowed;
    private final Predicate<Request> relayed;

    /**
     * Creates a protection.
     *
     * @param allowed additional origins whose pages may send any request
     * @param relayed requests that no browser sends to this server
     */
    CrossOriginProtection(Set<WebOrigin> allowed, Predicate<Request> relayed) {
        this.allowed = allowed;
        this.relayed = relayed;
    }

    /** Sets the security headers of every response. */
    static void protect(HttpFields.Mutable answer) {
        FIELDS.forEach(answer::put);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        protect(response.getHeaders());
        HttpFields headers = request.getHeaders();
        String site = only(headers.getValuesList(SITE));
        String origin = only(headers.getValuesList(HttpHeader.ORIGIN));
        if ((site == null && origin == null) || relayed.test(request)) {
            return super.handle(request, response, callback);
        }
        WebOrigin from = origin == null ? null : WebOrigin.parse(origin).orElse(null);
        if (from != null && allowed.contains(from)) {
            if (share(from, request, response)) {
                response.setStatus(HttpStatus.NO_CONTENT_204);
                response.write(true, null, callback);
                return true;
            }
        } else if (isForeign(site, origin, from, request) && hasEffect(request)) {
            StatusResponses.answer(request, response, callback, REFUSED);
            return true;
        }
        if (WITH_BODY.contains(request.getMethod())
                && !headers.contains(HttpHeader.CONTENT_TYPE)
                && !"0".equals(headers.get(HttpHeader.CONTENT_LENGTH))) {
            StatusResponses.answer(request, response, callback, NO_TYPE);
            return true;
        }
        return super.handle(request, response, callback);
    }

    /** Returns the value of a header field, null if it is absent. A duplicate field yields an invalid value. */
    private static @Nullable String only(List<String> values) {
        return switch (values.size()) {
            case 0 -> null;
            case 1 -> values.getFirst();
            default -> "";
        };
    }

    private static boolean isForeign(
            @Nullable String site, @Nullable String origin, @Nullable WebOrigin from, Request request) {
        if ("same-origin".equals(site)) {
            return false;
        }
        if (site != null && !"none".equals(site)) {
            return true;
        }
        return origin != null
                && (from == null
                        || !WebOrigin.parse("https://" + request.getHttpURI().getAuthority())
                                .equals(Optional.of(from)));
    }

    /** Returns whether a request may change state, or opens a stream, which a foreign page could read or keep open. */
    private static boolean hasEffect(Request request) {
        HttpFields headers = request.getHeaders();
        String path = request.getHttpURI().getDecodedPath();
        return !SAFE.contains(request.getMethod())
                || headers.contains(HttpHeader.UPGRADE)
                || headers.contains(HttpHeader.ACCEPT, "text/event-stream")
                || path == null
                || STREAM_PATHS.contains(path)
                || List.of(path.split("/")).contains("watch")
                || Request.extractQueryParameters(request).getNames().stream().anyMatch(STREAM_PARAMETERS::contains);
    }

    /** Sets the CORS headers for an allowed origin; returns whether the request is a preflight request. */
    private static boolean share(WebOrigin origin, Request request, Response response) {
        HttpFields.Mutable answer = response.getHeaders();
        answer.put("Access-Control-Allow-Origin", origin.text());
        answer.put("Access-Control-Allow-Credentials", "true");
        answer.add(HttpHeader.VARY, HttpHeader.ORIGIN.asString());
        @Nullable String method = request.getHeaders().get("Access-Control-Request-Method");
        if (method == null || !HttpMethod.OPTIONS.is(request.getMethod())) {
            return false;
        }
        answer.put("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE");
        answer.put("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type");
        return true;
    }
}
