package io.plat.cli.request;

import io.plat.cli.server.DecodedResponse;
import io.plat.engine.Authorizer;
import io.plat.review.AccessReview;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.SubjectListing;
import java.util.Optional;

/** Source of explanations of decisions. */
public interface ExplanationSource {
    /**
     * Explains why a user may or may not do something.
     *
     * @param requested an AccessExplanation
     * @throws io.plat.cli.process.CommandException if there is no explanation
     */
    DecodedResponse<Explanation> explain(AccessReview requested);

    /**
     * Lists the subjects with an access.
     *
     * @param requested a SubjectListing
     * @throws io.plat.cli.process.CommandException if they are unknown
     */
    DecodedResponse<SubjectListing> subjects(AccessReview requested);

    /** Returns the in-process authorizer, if there is one; batches use it instead of subject listings. */
    Optional<Authorizer> engine();
}
