package io.plat.decider;

import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.JsonNegotiation;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.Expectation;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Handler of reviews, the hot path. Never blocks; a blocking decision is made on another thread. */
final class Reviews extends Handler.Wrapper {
    private final Decisions decisions;
    private final Intake intake;

    Reviews(Decisions decisions, Intake intake) {
        this.decisions = decisions;
        this.intake = intake;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = request.getHttpURI().getPath();
        ReviewRoutes.Route route = path == null ? null : ReviewRoutes.find(path);
        if (route == null) {
            return super.handle(request, response, callback);
        }
        intake.take(
                request,
                response,
                callback,
                JsonNegotiation.refusal(request),
                exchange -> new ReviewExchange(decisions, route, exchange));
        return true;
    }

    /** Routes of reviews. All but one are found in a single lookup. */
    static final class ReviewRoutes {
        /** Namespaces in paths: a DNS label (RFC 1123), so that nothing in it needs decoding. */
        private static final Pattern LOCAL = Pattern.compile(
                "/apis/([^/]+/[^/]+)/namespaces/([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)/localsubjectaccessreviews");

        private static final String LOCAL_SUFFIX = "/" + ReviewKind.LOCAL_SUBJECT_ACCESS_REVIEW.resource();
        private static final Map<String, Route> FIXED = fixed();

        /**
         * A review path.
         *
         * @param expected the review that the path implies
         * @param code the status code of a response
         */
        record Route(Expectation expected, int code) {}

        private ReviewRoutes() {}

        private static Map<String, Route> fixed() {
            Map<String, Route> routes = new HashMap<>();
            Route any = new Route(Expectation.ANY_SUBJECT_ACCESS_REVIEW, 200);
            routes.put("/", any);
            routes.put("/authorize", any);
            for (ReviewVersion version : ReviewVersion.values()) {
                for (ReviewKind kind : ReviewKind.DECIDED) {
                    if (kind != ReviewKind.LOCAL_SUBJECT_ACCESS_REVIEW) {
                        String path = "/apis/" + version.apiVersion() + "/" + kind.resource();
                        routes.put(path, new Route(Expectation.at(version, kind), 201));
                    }
                }
            }
            return Map.copyOf(routes);
        }

        /** Returns the route of a path as sent, or null if it is not a review path. */
        static @Nullable Route find(String path) {
            Route route = FIXED.get(path);
            return route == null && path.endsWith(LOCAL_SUFFIX) ? local(path) : route;
        }

        private static @Nullable Route local(String path) {
            Matcher parts = LOCAL.matcher(path);
            if (!parts.matches()) {
                return null;
            }
            return ReviewVersion.of(parts.group(1))
                    .map(version -> new Route(Expectation.local(version, parts.group(2)), 201))
                    .orElse(null);
        }
    }
}
