package io.plat.http;

import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.eclipse.jetty.io.EofException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Configuration of Javalin: no banners, no content guessing, and every failure is a Status. */
final class JavalinResponses {
    private static final Logger LOG = LoggerFactory.getLogger(JavalinResponses.class);

    private JavalinResponses() {}

    static void configure(JavalinConfig javalin, HttpLimits limits) {
        javalin.startup.showJavalinBanner = false;
        javalin.startup.showOldJavalinVersionWarning = false;
        javalin.startup.startupWatcherEnabled = false;
        javalin.http.maxRequestSize = limits.bodyBytes();
        javalin.http.prefer405over404 = true;
        javalin.http.compressionStrategy = CompressionStrategy.NONE;
        javalin.router.ignoreTrailingSlashes = false;
        javalin.router.javaLangErrorHandler((response, error) -> {
            LOG.error("a route failed", error);
            answer(response, error);
        });
        javalin.routes.exception(
                StatusException.class, (failure, context) -> StatusResponses.answer(context, failure.status()));
        javalin.routes.exception(HttpResponseException.class, JavalinResponses::answer);
        javalin.routes.exception(EofException.class, (gone, context) -> LOG.debug("the client went away", gone));
        javalin.routes.exception(Exception.class, (failure, context) -> {
            LOG.error("a route failed", failure);
            StatusResponses.answer(context, StatusResponses.failed(failure));
        });
    }

    private static void answer(HttpServletResponse response, Error error) {
        try {
            StatusResponses.answer(response, StatusResponses.failed(error));
        } catch (IOException gone) {
            LOG.debug("the client is gone", gone);
        }
    }

    private static void answer(HttpResponseException failure, Context context) {
        if (failure instanceof MethodNotAllowedResponse) {
            String methods = failure.getDetails().get("availableMethods");
            if (methods != null) {
                context.header("Allow", methods);
            }
        }
        Status status = StatusResponses.of(failure.getStatus());
        StatusResponses.answer(context, status);
    }
}
