package io.plat.decider;

import io.plat.engine.policy.PolicySet;
import io.plat.http.InFlightLimit;
import io.plat.http.metrics.ServerMetrics;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Takes the question what the client's own user may do. Everybody who may ask is told it: it could be asked one review at a time. Answering
 * may take a look through a policy file or asking somebody else, so that few are answered at a time, each on a thread of its own.
 */
final class RulesReviews extends Handler.Wrapper {
    private static final Map<String, ReviewVersion> PATHS = paths();

    private final Supplier<PolicySet> policy;
    private final Intake intake;

    RulesReviews(Supplier<PolicySet> policy, ServerMetrics metrics, int bodyLimit) {
        this.policy = policy;
        this.intake = new Intake(new InFlightLimit(Explanations.AT_A_TIME), metrics, bodyLimit);
    }

    private static Map<String, ReviewVersion> paths() {
        Map<String, ReviewVersion> paths = new HashMap<>();
        for (ReviewVersion version : ReviewVersion.values()) {
            paths.put("/apis/" + version.apiVersion() + "/" + RulesReview.RESOURCE, version);
        }
        return Map.copyOf(paths);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = request.getHttpURI().getPath();
        ReviewVersion version = path == null ? null : PATHS.get(path);
        if (version == null) {
            return super.handle(request, response, callback);
        }
        intake.take(
                request,
                response,
                callback,
                Negotiation.refusal(request),
                exchange -> new RulesExchange(policy, version, exchange));
        return true;
    }
}
