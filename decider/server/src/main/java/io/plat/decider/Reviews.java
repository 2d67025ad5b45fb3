package io.plat.decider;

import io.plat.decider.live.LiveDecisions;
import io.plat.decider.log.DecisionLog;
import io.plat.decider.shadow.Shadow;
import io.plat.engine.policy.PolicySet;
import io.plat.http.metrics.ServerMetrics;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The hot path: takes the reviews. Neither reading nor answering waits; a decision that has to wait is made on a thread of its
 * own.
 */
final class Reviews extends Handler.Wrapper {
    private final Deciding deciding;
    private final Intake intake;

    /**
     * Parts of deciding reviews.
     *
     * @param policy the policy in effect
     * @param reasonPolicy which clients receive reasons
     * @param metrics counts decisions
     * @param waiting runs decisions that block
     * @param log records decisions, if enabled
     * @param shadow evaluates a candidate policy, if there is one
     * @param live streams decisions to subscribers
     */
    record Deciding(
            Supplier<PolicySet> policy,
            ReasonPolicy reasonPolicy,
            DecisionMetrics metrics,
            Executor waiting,
            @Nullable DecisionLog log,
            @Nullable Shadow shadow,
            LiveDecisions live) {}

    Reviews(Deciding deciding, int inFlight, ServerMetrics metrics, int bodyLimit) {
        this.deciding = deciding;
        this.intake = new Intake(inFlight, metrics, bodyLimit);
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
                Negotiation.refusal(request),
                exchange -> new ReviewExchange(deciding, route, exchange));
        return true;
    }
}
