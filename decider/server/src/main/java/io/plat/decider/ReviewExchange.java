package io.plat.decider;

import io.plat.decider.Reviews.ReviewRoutes.Route;
import io.plat.engine.Decision;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.ClientIdentity;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.ResponseHeaders;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;

/** Processing of one review, from body to response. */
record ReviewExchange(Decisions decisions, Route route, Intake.Exchange http) implements Intake.BodyHandler {
    static final Status NAMELESS = Status.of(
            StatusReason.UNAUTHORIZED, "the client certificate has no common name, which identifies the user");

    private static final ReviewCodec CODEC = new ReviewCodec();

    @Override
    public void received(byte[] bytes, int count) {
        decisions.run(count > Intake.AT_ONCE, http, () -> read(bytes, count));
    }

    private void read(byte[] bytes, int count) throws StatusException {
        AccessReview review = CODEC.decode(bytes, 0, count, route.expected());
        Attributes request = review.attributes(ClientIdentity.of(http.request()).user());
        if (!review.kind().namesSubject() && request.user().name().isEmpty()) {
            throw new StatusException(NAMELESS);
        }
        decisions.decide(http, count, request, (decision, policy) -> answer(review, decision, policy));
    }

    private void answer(AccessReview review, Decision decision, PolicySet policy) {
        http.response().getHeaders().put(ResponseHeaders.POLICY_REVISION, policy.revision());
        switch (DecisionResponse.of(decision, decisions.reasonPolicy().includesReasons(http.request()))) {
            case DecisionResponse.Failed failed -> http.refuse(failed.status());
            case DecisionResponse.Answered answered ->
                http.answer(route.code(), CODEC.encodeResponse(review, answered.status()));
        }
    }
}
