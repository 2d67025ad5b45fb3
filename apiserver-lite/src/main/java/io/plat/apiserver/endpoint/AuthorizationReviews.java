package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.engine.Authorizer;
import io.plat.engine.overview.OverviewQuestion;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.codec.Expectation;
import io.plat.review.status.StatusException;
import java.util.Optional;

/** The virtual types of the authorization group, each answered from the authorizer that admits requests. */
final class AuthorizationReviews {
    private final ReviewEndpoint decisions;
    private final RulesReviewEndpoint rules;
    private final ExplanationEndpoint explanations;
    private final OverviewEndpoint overviews;

    AuthorizationReviews(Authorizer authorizer, Bodies bodies) {
        this.decisions = new ReviewEndpoint(authorizer, bodies);
        this.rules = new RulesReviewEndpoint(authorizer, bodies);
        this.explanations = new ExplanationEndpoint(authorizer, bodies);
        this.overviews = new OverviewEndpoint(authorizer, bodies);
    }

    /**
     * The answer to a request for one of these types; empty where it is for another.
     *
     * @throws StatusException if there is none but a failure
     */
    Optional<Answer> answer(Call call, ResourceAttributes access) throws StatusException {
        Optional<ReviewVersion> version = ReviewVersion.of(access.group() + "/" + access.version());
        if (version.isEmpty()) {
            return Optional.empty();
        }
        if (access.resource().equals(RulesReview.RESOURCE)) {
            return Optional.of(rules.answer(call, version.get()));
        }
        Optional<OverviewQuestion> overview = OverviewQuestion.of(access.resource());
        if (overview.isPresent()) {
            return Optional.of(overviews.answer(call, overview.get(), version.get()));
        }
        for (ReviewKind kind : ReviewKind.values()) {
            if (kind.resource().equals(access.resource())) {
                return Optional.of(answer(call, kind, expectation(kind, version.get(), access)));
            }
        }
        return Optional.empty();
    }

    private Answer answer(Call call, ReviewKind kind, Expectation expected) throws StatusException {
        return switch (kind) {
            case SUBJECT_ACCESS_REVIEW, SELF_SUBJECT_ACCESS_REVIEW, LOCAL_SUBJECT_ACCESS_REVIEW ->
                decisions.answer(call, expected);
            case ACCESS_EXPLANATION, SUBJECT_LISTING -> explanations.answer(call, expected);
        };
    }

    private static Expectation expectation(ReviewKind kind, ReviewVersion version, ResourceAttributes access) {
        return kind == ReviewKind.LOCAL_SUBJECT_ACCESS_REVIEW
                ? Expectation.local(version, access.namespace())
                : Expectation.at(version, kind);
    }
}
