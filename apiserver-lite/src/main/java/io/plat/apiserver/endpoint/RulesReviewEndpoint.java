package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.engine.Authorizer;
import io.plat.engine.explain.Explainer;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.codec.RulesReviewCodec;
import io.plat.review.status.StatusException;

/**
 * {@code selfsubjectrulesreviews}: what the asking user may do in a namespace. A member of what decides that can't say what it
 * allows makes the answer incomplete, and is named in it.
 */
final class RulesReviewEndpoint {
    private final Explainer explainer;
    private final Bodies bodies;
    private final RulesReviewCodec codec;

    RulesReviewEndpoint(Authorizer authorizer, Bodies bodies) {
        this.explainer = Explainer.of("the authorizer", authorizer);
        this.bodies = bodies;
        this.codec = new RulesReviewCodec(bodies.limit());
    }

    Answer answer(Call call, ReviewVersion version) throws StatusException {
        TypeMeta type = new TypeMeta(version.apiVersion(), RulesReview.KIND);
        DocumentAnswer answer = DocumentAnswer.to(call, type);
        RulesReview review = codec.decode(bodies.json(call, type), version);
        return answer.of(201, codec.encode(review, explainer.rules(call.user(), review.namespace())));
    }
}
