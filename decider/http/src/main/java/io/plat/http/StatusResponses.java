package io.plat.http;

import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Failures as responses: every error that leaves a server is a Status object in JSON, regardless of its origin. */
public final class StatusResponses {
    public static final String JSON = "application/json";
    public static final Status METHOD_NOT_ALLOWED = Status.of(
            StatusReason.METHOD_NOT_ALLOWED, "the server does not allow this method on the requested resource");

    private static final HttpField JSON_FIELD = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, JSON);
    private static final String FORM = StatusResponses.class.getName();
    private static final HttpField NO_STORE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-cache, private");

    private StatusResponses() {}

    /** Representation of failures in a protocol. */
    @FunctionalInterface
    public interface Form {
        /** Sends a failure and completes the request. */
        void answer(Request request, Response response, Callback callback, Status status);
    }

    /** Sets the form of later failures of a request. */
    public static void setForm(Request request, Form form) {
        request.setAttribute(FORM, form);
    }

    /** Refuses a request because of its method, and completes it. */
    public static void refuseMethod(Request request, Response response, Callback callback, String allowed) {
        response.getHeaders().put(HttpHeader.ALLOW, allowed);
        answer(request, response, callback, METHOD_NOT_ALLOWED);
    }

    /** Refuses a request that does not read, and completes it; returns false, and does nothing, for one that does: GET or HEAD. */
    public static boolean refusesWrite(Request request, Response response, Callback callback) {
        boolean reads = HttpMethod.GET.is(request.getMethod()) || HttpMethod.HEAD.is(request.getMethod());
        if (!reads) {
            refuseMethod(request, response, callback, "GET, HEAD");
        }
        return !reads;
    }

    /** Returns a body to be sent, with its length in the header; null for HEAD. */
    public static @Nullable ByteBuffer body(Request request, Response response, byte[] body) {
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        return HttpMethod.HEAD.is(request.getMethod())
                ? null
                : ByteBuffer.wrap(body).asReadOnlyBuffer();
    }

    /**
     * Sends a Status and completes the request, as {@link LingeringClose} does.
     */
    public static void answer(Request request, Response response, Callback callback, Status status) {
        if (opensPage(request, status)) {
            page(request, response, callback, status);
        } else {
            write(request, response, callback, status);
        }
    }

    /** Returns whether the refused request is a browser's navigation to one of the server's pages. */
    private static boolean opensPage(Request request, Status status) {
        String accepted = String.valueOf(request.getHeaders().get(HttpHeader.ACCEPT));
        return (status.code() == HttpStatus.UNAUTHORIZED_401 || status.code() == HttpStatus.FORBIDDEN_403)
                && accepted.contains("text/html")
                && String.valueOf(request.getHttpURI().getPath()).matches("/(ui|swagger-ui)/?");
    }

    private static void page(Request request, Response response, Callback callback, Status status) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/html; charset=utf-8");
        response.getHeaders().put("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
        try (InputStream page = StatusResponses.class.getResourceAsStream("refused.html")) {
            String html = new String(Objects.requireNonNull(page).readAllBytes(), StandardCharsets.UTF_8)
                    .replace("{title}", status.code() + " " + status.reason().word())
                    .replace("{message}", status.message().replace("&", "&amp;").replace("<", "&lt;"));
            write(request, response, callback, status, html.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("reading the program's own file", e);
        }
    }

    /**
     * Answers with a Status in another form than JSON, otherwise like {@link #answer(Request, Response, Callback, Status)}.
     *
     * @param contentType the media type of the form
     * @param body the Status in that form
     */
    public static void answer(
            Request request, Response response, Callback callback, Status status, String contentType, byte[] body) {
        if (opensPage(request, status)) {
            page(request, response, callback, status);
            return;
        }
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        write(request, response, callback, status, body);
    }

    static void write(Request request, Response response, Callback callback, Status status) {
        if (request.getAttribute(FORM) instanceof Form form) {
            form.answer(request, response, callback, status);
            return;
        }
        response.getHeaders().put(JSON_FIELD);
        write(request, response, callback, status, StatusCodec.encode(status));
    }

    private static void write(Request request, Response response, Callback callback, Status status, byte[] body) {
        response.setStatus(status.code());
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(NO_STORE);
        Status.@Nullable Details details = status.details();
        if (details != null && details.retryAfterSeconds() > 0) {
            headers.put(HttpHeader.RETRY_AFTER, details.retryAfterSeconds());
        }
        Callback written = HttpMethod.CONNECT.is(request.getMethod())
                ? Callback.from(() -> endTunnel(request, callback), callback::failed)
                : callback;
        LingeringClose.write(request, response, body(request, response, body), written);
    }

    /** Closes the connection of a CONNECT request, which the library leaves open. */
    private static void endTunnel(Request request, Callback callback) {
        UnreadResponses.end(request);
        callback.succeeded();
    }

    /** Returns the Status for an HTTP status code of a library. */
    public static Status of(int code, String message) {
        int failure = code < 400 || code > 599 ? 500 : code;
        return new Status(failure, reason(failure), message, null);
    }

    /** Returns the Status for an HTTP status code, with the standard reason phrase. */
    public static Status of(int code) {
        return of(code, HttpStatus.getMessage(code));
    }

    /** Returns the Status for an unexpected failure, whose cause is logged. Lack of memory may be temporary; an exhausted heap ends the process. */
    public static Status failed(@Nullable Throwable cause) {
        return cause instanceof OutOfMemoryError
                ? Status.of(StatusReason.SERVICE_UNAVAILABLE, "the server is out of memory, please try again later")
                        .withRetryAfter(1)
                : of(HttpStatus.INTERNAL_SERVER_ERROR_500, "the server failed on this request; see its log");
    }

    private static StatusReason reason(int code) {
        for (StatusReason reason : StatusReason.values()) {
            if (reason.code() == code && reason != StatusReason.ALREADY_EXISTS && reason != StatusReason.GONE) {
                return reason;
            }
        }
        return code < 500 || code == HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505
                ? StatusReason.BAD_REQUEST
                : StatusReason.INTERNAL_ERROR;
    }

    /** Handler of the failures that Jetty detects: malformed requests, limits, exceptions. Responses contain no internals. */
    static final class StatusErrorHandler implements Request.Handler {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            @Nullable Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
            // Discards the previous response.
            CrossOriginProtection.protect(response.getHeaders());
            StatusResponses.write(
                    request, UnreadResponses.charged(request, response), callback, status(response.getStatus(), cause));
            return true;
        }

        private static Status status(int code, @Nullable Object cause) {
            if (cause instanceof StatusException expected) {
                return expected.status();
            }
            if (cause instanceof HttpException malformed && malformed.getCode() < 500) {
                String reason = malformed.getReason();
                int status4xx = malformed.getCode();
                return StatusResponses.of(status4xx, reason == null ? HttpStatus.getMessage(status4xx) : reason);
            }
            return code == HttpStatus.INTERNAL_SERVER_ERROR_500
                    ? StatusResponses.failed(cause instanceof Throwable thrown ? thrown : null)
                    : StatusResponses.of(code);
        }
    }
}
