package io.plat.decider;

import io.plat.decider.Reviews.ReviewRoutes.Route;
import io.plat.engine.Decision;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.AnswerHeaders;
import io.plat.fronts.ClientIdentity;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Processing of one review, from body to response. */
final class ReviewExchange implements Intake.BodyHandler, Decisions.Receiver {
    private static final ReviewCodec CODEC = new ReviewCodec();
    static final Status NAMELESS = Status.of(
            StatusReason.UNAUTHORIZED, "the client certificate has no common name, which identifies the user");

    private final Decisions decisions;
    private final Route route;
    private final Intake.Exchange http;
    private @Nullable AccessReview review;

    ReviewExchange(Decisions decisions, Route route, Intake.Exchange http) {
        this.decisions = decisions;
        this.route = route;
        this.http = http;
    }

    @Override
    public void received(byte[] bytes, int count) {
        decisions.run(count > Intake.AT_ONCE, () -> read(bytes, count), this);
    }

    private void read(byte[] bytes, int count) {
        try {
            AccessReview read = CODEC.decode(bytes, 0, count, route.expected());
            Attributes request =
                    read.attributes(ClientIdentity.of(http.request()).user());
            if (!read.kind().namesSubject() && request.user().name().isEmpty()) {
                http.refuse(NAMELESS);
                return;
            }
            review = read;
            decisions.decide(
                    new Decisions.Origin(http.request(), AnswerHeaders.decisionId(http.response()), count),
                    request,
                    this);
        } catch (StatusException e) {
            http.refuse(e.status());
        }
    }

    @Override
    public void failed(RuntimeException bug) {
        http.fail(bug);
    }

    @Override
    public void decided(Decision decision, PolicySet policy) {
        http.response().getHeaders().put(AnswerHeaders.POLICY_REVISION, policy.revision());
        switch (DecisionResponse.of(decision, decisions.reasonPolicy().includesReasons(http.request()))) {
            case DecisionResponse.Failed failed -> http.refuse(failed.status());
            case DecisionResponse.Answered answered ->
                http.answer(route.code(), CODEC.encodeResponse(Objects.requireNonNull(review), answered.status()));
        }
    }
}
