package io.plat.engine.explain;

import io.plat.engine.Decision;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.codec.ExplanationCodec;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.SubjectListing;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The response to a review of an explaining type, regardless of the server (contract, "Explaining"). */
public sealed interface ExplainedReview {
    /** The review was answered. */
    record Answered(Body body) implements ExplainedReview {}

    /** The decision to explain could not be made. */
    record Undecided(Decision.Undecided decision) implements ExplainedReview {}

    /** A response body that is streamed, as a listing may be too long for memory. */
    @FunctionalInterface
    interface Body {
        /**
         * Writes the body as JSON.
         *
         * @throws IOException if the stream fails
         */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Explains a review, without a deadline. A review that names a user is an AccessExplanation, any other a SubjectListing. */
    static ExplainedReview of(AccessReview review, Explainer explainer) {
        @Nullable UserInfo user = review.user();
        if (user == null) {
            SubjectListing listing = explainer.subjects(review.access());
            return new Answered(out -> ExplanationCodec.encode(review, listing, out));
        }
        ExplainedDecision explained = explainer.explain(new Attributes(user, review.access()));
        Decision decision = explained.decision();
        if (decision instanceof Decision.Undecided undecided) {
            return new Undecided(undecided);
        }
        Explanation explanation =
                new Explanation(decision instanceof Decision.Allow, decision.reason(), explained.findings());
        return new Answered(out -> ExplanationCodec.encode(review, explanation, out));
    }
}
