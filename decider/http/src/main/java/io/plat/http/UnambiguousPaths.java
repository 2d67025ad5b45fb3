package io.plat.http;

import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Rejects paths that a route could read differently from an authorizer: encoded slashes, dot segments, empty segments, path parameters, invalid
 * UTF-8. Handlers in front of this one see the path as it was sent.
 */
final class UnambiguousPaths extends Handler.Wrapper {
    private static final Status REFUSED =
            Status.of(StatusReason.BAD_REQUEST, "the request path is ambiguous: expected a plain path such as /readyz");

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        HttpURI uri = request.getHttpURI();
        String path = uri.getPath();
        if (path == null || !path.startsWith("/") || uri.hasViolations() || !isPlain(path)) {
            StatusResponses.answer(request, response, callback, REFUSED);
            return true;
        }
        return super.handle(request, response, callback);
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
}
