package io.plat.decider;

import io.plat.engine.overview.OverviewQuestion;
import io.plat.engine.policy.PolicySet;
import io.plat.http.InFlightLimit;
import io.plat.http.metrics.ServerMetrics;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.Expectation;
import io.plat.review.source.Quoted;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Takes the questions why somebody may do something, who may, and those about the policy as a whole. They look through the whole policy, so that few are answered at a
 * time, each on a thread of its own; they are no decisions, and neither logged nor counted as such.
 */
final class Explanations extends Handler.Wrapper {
    /** Questions at a time; each may keep a processor busy. */
    static final int AT_A_TIME = 4;

    private static final Map<String, Expectation> PATHS = paths();
    private static final Map<String, OverviewExchange.Route> OVERVIEWS = overviews();

    private final Supplier<PolicySet> policy;
    private final Telling telling;
    private final Intake intake;

    Explanations(Supplier<PolicySet> policy, Telling telling, ServerMetrics metrics, int bodyLimit) {
        this.policy = policy;
        this.telling = telling;
        this.intake = new Intake(new InFlightLimit(AT_A_TIME), metrics, bodyLimit);
    }

    private static Map<String, Expectation> paths() {
        Map<String, Expectation> paths = new HashMap<>();
        for (ReviewVersion version : ReviewVersion.values()) {
            for (ReviewKind kind : List.of(ReviewKind.ACCESS_EXPLANATION, ReviewKind.SUBJECT_LISTING)) {
                paths.put("/apis/" + version.apiVersion() + "/" + kind.resource(), Expectation.at(version, kind));
            }
        }
        return Map.copyOf(paths);
    }

    private static Map<String, OverviewExchange.Route> overviews() {
        Map<String, OverviewExchange.Route> paths = new HashMap<>();
        for (ReviewVersion version : ReviewVersion.values()) {
            for (OverviewQuestion question : OverviewQuestion.values()) {
                paths.put(
                        "/apis/" + version.apiVersion() + "/" + question.resource(),
                        new OverviewExchange.Route(question, version));
            }
        }
        return Map.copyOf(paths);
    }

    private static @Nullable Function<Exchange, Intake.Answerer> answerer(
            Supplier<PolicySet> policy, @Nullable String path) {
        if (path == null) {
            return null;
        }
        Expectation expected = PATHS.get(path);
        if (expected != null) {
            return exchange -> new ExplanationExchange(policy, expected, exchange);
        }
        OverviewExchange.Route route = OVERVIEWS.get(path);
        return route == null ? null : exchange -> new OverviewExchange(policy, route, exchange);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        @Nullable
        Function<Exchange, Intake.Answerer> answerer =
                answerer(policy, request.getHttpURI().getPath());
        if (answerer == null) {
            return super.handle(request, response, callback);
        }
        intake.take(request, response, callback, refusal(request), answerer);
        return true;
    }

    private @Nullable Status refusal(Request request) {
        @Nullable Status refused = refusal(telling, request);
        return refused == null ? Negotiation.refusal(request) : refused;
    }

    /** Why a client is told nothing of what decisions go by, or null. */
    static @Nullable Status refusal(Telling telling, Request request) {
        ClientIdentity client = ClientIdentity.of(request);
        return telling.mayExplain(client)
                ? null
                : Status.of(
                        StatusReason.FORBIDDEN,
                        "client " + Quoted.of(client.name()) + " may not have decisions explained by this decider");
    }
}
