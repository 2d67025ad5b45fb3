package io.plat.cli.ask;

import io.plat.cli.server.Answered;
import io.plat.engine.Authorizer;
import io.plat.review.AccessReview;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.SubjectListing;
import java.util.Optional;

/** Says what decisions go by. */
public interface Explanations {
    /**
     * Why somebody may do something, or what is missing.
     *
     * @param asked an AccessExplanation
     * @throws io.plat.cli.process.CommandException if that can't be told
     */
    Answered<Explanation> explain(AccessReview asked);

    /**
     * Everybody who may do something.
     *
     * @param asked a SubjectListing
     * @throws io.plat.cli.process.CommandException if that can't be told
     */
    Answered<SubjectListing> subjects(AccessReview asked);

    /** What decides in this process, where that is so: for many questions it is asked rather than whom they are about. */
    Optional<Authorizer> engine();
}
