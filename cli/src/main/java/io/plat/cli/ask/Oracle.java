package io.plat.cli.ask;

import io.plat.cli.CommandException;
import io.plat.review.AccessReview;

/** Answers reviews. */
public interface Oracle {
    /**
     * The answer.
     *
     * @throws CommandException if there is none
     */
    Verdict ask(AccessReview review);
}
