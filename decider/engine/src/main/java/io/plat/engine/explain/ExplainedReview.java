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
    /** There is an answer. */
    record Answered(Body body) implements ExplainedReview {}

    /** The decision that was to be explained could not be made. */
    record Undecided(Decision.Undecided decision) implements ExplainedReview {}

    /** A response body that is written as it is produced: a listing may be too long for memory. */
    @FunctionalInterface
    interface Body {
        /**
         * Writes it as JSON.
         *
         * @throws IOException if the stream fails
         */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Explains a review, without a deadline. A review that names a user is an AccessExplanation, any other a SubjectListing. */
    static ExplainedReview of(AccessReview asked, Explainer explainer) {
        ExplanationCodec codec = new ExplanationCodec();
        @Nullable UserInfo user = asked.user();
        if (user == null) {
            SubjectListing listing = explainer.subjects(asked.access());
            return new Answered(out -> codec.encode(asked, listing, out));
        }
        ExplainedDecision explained = explainer.explain(new Attributes(user, asked.access()));
        Decision decision = explained.decision();
        if (decision instanceof Decision.Undecided undecided) {
            return new Undecided(undecided);
        }
        Explanation explanation =
                new Explanation(decision instanceof Decision.Allow, decision.reason(), explained.findings());
        return new Answered(out -> codec.encode(asked, explanation, out));
    }
}
