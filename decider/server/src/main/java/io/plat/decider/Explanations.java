package io.plat.decider;

import io.plat.engine.explain.ExplainedReview;
import io.plat.engine.explain.Explainer;
import io.plat.engine.overview.OverviewQuery;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.ClientIdentity;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.Intake;
import io.plat.fronts.Negotiation;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.UserInfo;
import io.plat.review.codec.Expectation;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.codec.RulesReviewCodec;
import io.plat.review.codec.SelfReviewCodec;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Handler of explanations, subject listings, rule listings and self reviews. They scan the whole policy, so only a few are processed concurrently,
 * each on its own thread; they are not logged or counted as decisions. Every caller may query its own permissions.
 */
final class Explanations extends Handler.Wrapper {
    /** Maximum number of concurrent requests; each may use a whole processor. */
    static final int AT_A_TIME = 4;

    private static final ReviewCodec REVIEWS = new ReviewCodec();
    private static final RulesReviewCodec RULES = new RulesReviewCodec();
    private static final Map<String, PolicyExchange.Query> EXPLAINED = new HashMap<>();
    private static final Map<String, PolicyExchange.Query> OWN = new HashMap<>();

    static {
        EXPLAINED.put(
                "/apis/" + RulesReview.SUBJECT_VERSION.apiVersion() + "/" + RulesReview.SUBJECT_RESOURCE,
                (body, http, policy) -> {
                    RulesReview review = RULES.decodeSubject(body);
                    return rules(review, Objects.requireNonNull(review.user()), policy);
                });
        OWN.put(SelfReviewCodec.PATH, (body, http, policy) -> self(body, http));
        for (ReviewVersion version : ReviewVersion.values()) {
            String group = "/apis/" + version.apiVersion() + "/";
            for (ReviewKind kind : List.of(ReviewKind.ACCESS_EXPLANATION, ReviewKind.SUBJECT_LISTING)) {
                Expectation expected = Expectation.at(version, kind);
                EXPLAINED.put(group + kind.resource(), (body, http, policy) -> explained(body, expected, policy));
            }
            for (OverviewQuery query : OverviewQuery.values()) {
                EXPLAINED.put(
                        group + query.resource(),
                        (body, http, policy) ->
                                new PolicyExchange.Reply.Complete(query.answer(body, version, policy.authorizer())));
            }
            OWN.put(group + RulesReview.RESOURCE, (body, http, policy) -> rules(body, version, http, policy));
        }
    }

    private final Supplier<PolicySet> policy;
    private final ClientIdentity.ReasonPolicy reasonPolicy;
    private final Intake explaining;
    private final Intake own;

    /** @param deciding admission of reviews, with another limit */
    Explanations(Supplier<PolicySet> policy, ClientIdentity.ReasonPolicy reasonPolicy, Intake deciding) {
        this.policy = policy;
        this.reasonPolicy = reasonPolicy;
        this.explaining = deciding.withLimit(AT_A_TIME);
        this.own = deciding.withLimit(AT_A_TIME);
    }

    private static PolicyExchange.Reply explained(byte[] request, Expectation expected, PolicySet policy)
            throws StatusException {
        return switch (ExplainedReview.of(REVIEWS.decode(request, expected), explainer(policy))) {
            case ExplainedReview.Answered(var body) -> new PolicyExchange.Reply.Streamed(body);
            case ExplainedReview.Undecided(var undecided) ->
                throw new StatusException(DecisionResponse.failure(undecided, true));
        };
    }

    private static PolicyExchange.Reply rules(
            byte[] body, ReviewVersion version, Intake.Exchange http, PolicySet policy) throws StatusException {
        return rules(RULES.decode(body, version), caller(http), policy);
    }

    private static UserInfo caller(Intake.Exchange http) throws StatusException {
        UserInfo user = ClientIdentity.of(http.request()).user();
        if (user.name().isEmpty()) {
            throw new StatusException(ReviewExchange.NAMELESS);
        }
        return user;
    }

    /** Answers with the user of the client's certificate. */
    private static PolicyExchange.Reply self(byte[] body, Intake.Exchange http) throws StatusException {
        SelfReviewCodec.check(body);
        return new PolicyExchange.Reply.Complete(SelfReviewCodec.encode(caller(http)));
    }

    private static PolicyExchange.Reply rules(RulesReview review, UserInfo user, PolicySet policy) {
        return new PolicyExchange.Reply.Complete(
                RULES.encode(review, explainer(policy).rules(user, review.namespace())));
    }

    private static Explainer explainer(PolicySet policy) {
        return Explainer.of("the policy", policy.authorizer());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = String.valueOf(request.getHttpURI().getPath());
        PolicyExchange.Query explains = EXPLAINED.get(path);
        PolicyExchange.Query query = explains == null ? OWN.get(path) : explains;
        if (query == null) {
            return super.handle(request, response, callback);
        }
        @Nullable Status refusal = explains == null ? null : reasonPolicy.refusal(request);
        (explains == null ? own : explaining)
                .take(
                        request,
                        response,
                        callback,
                        refusal == null ? Negotiation.refusal(request) : refusal,
                        exchange -> new PolicyExchange(policy, query, exchange));
        return true;
    }
}
