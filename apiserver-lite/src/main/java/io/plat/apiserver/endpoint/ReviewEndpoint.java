package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.Denials;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.Expectation;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.status.StatusException;
import java.util.Objects;

/**
 * Access reviews as virtual resources, answered by the same authorizer that admits requests (specification, "Access-check
 * resource"). A denial is a success of the request: 201 with {@code allowed: false}; what could not be decided is 500.
 */
final class ReviewEndpoint {
    private final Authorizer authorizer;
    private final Bodies bodies;
    private final ReviewCodec codec;

    ReviewEndpoint(Authorizer authorizer, Bodies bodies) {
        this.authorizer = authorizer;
        this.bodies = bodies;
        this.codec = new ReviewCodec(bodies.limit());
    }

    /** What a review at a path calls itself. */
    static TypeMeta typeOf(Expectation expected) {
        ReviewVersion version = Objects.requireNonNull(expected.version(), "a resource path names the version");
        return new TypeMeta(version.apiVersion(), expected.kind().kind());
    }

    Answer answer(Call call, Expectation expected) throws StatusException {
        DocumentAnswer answer = DocumentAnswer.to(call, typeOf(expected));
        AccessReview review = codec.decode(bodies.json(call, typeOf(expected)), expected);
        Attributes question = review.attributes(call.user());
        ReviewStatus status = switch (authorizer.authorize(question)) {
            case Decision.Allow allow -> ReviewStatus.of(true, allow.reason());
            case Decision.Deny deny -> ReviewStatus.of(false, deny.reason());
            case Decision.NoOpinion none -> ReviewStatus.of(false, none.reason());
            case Decision.Undecided undecided ->
                throw new StatusException(Denials.undecided(question, undecided.reason()));
        };
        return answer.of(201, codec.encodeAnswer(review, status));
    }
}
