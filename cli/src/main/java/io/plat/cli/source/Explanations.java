package io.plat.cli.ask;

import io.plat.cli.server.DecodedResponse;
import io.plat.engine.Authorizer;
import io.plat.review.AccessReview;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.SubjectListing;
import java.util.Optional;

/** Explanations of decisions. */
public interface Explanations {
    /**
     * Explains why a user may or may not do something.
     *
     * @param asked an AccessExplanation
     * @throws io.plat.cli.process.CommandException if there is no explanation
     */
    DecodedResponse<Explanation> explain(AccessReview asked);

    /**
     * Lists the subjects with an access.
     *
     * @param asked a SubjectListing
     * @throws io.plat.cli.process.CommandException if they are unknown
     */
    DecodedResponse<SubjectListing> subjects(AccessReview asked);

    /** Returns the authorizer in this process, if there is one: many requests use it rather than a listing of subjects. */
    Optional<Authorizer> engine();
}
