package io.plat.http;

import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Handler of the failures that Jetty detects: malformed requests, limits, exceptions. The client learns nothing internal. */
final class StatusErrorHandler implements Request.Handler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        @Nullable Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        // Discards the response so far.
        CrossOriginProtection.protect(response.getHeaders());
        StatusResponses.write(
                request, UnreadAnswers.charged(request, response), callback, status(response.getStatus(), cause));
        return true;
    }

    private static Status status(int code, @Nullable Object cause) {
        if (cause instanceof StatusException expected) {
            return expected.status();
        }
        if (cause instanceof HttpException malformed && malformed.getCode() < 500) {
            String said = malformed.getReason();
            int said4xx = malformed.getCode();
            return StatusResponses.of(said4xx, said == null ? HttpStatus.getMessage(said4xx) : said);
        }
        return code == HttpStatus.INTERNAL_SERVER_ERROR_500
                ? StatusResponses.failed(cause instanceof Throwable thrown ? thrown : null)
                : StatusResponses.of(code);
    }
}
