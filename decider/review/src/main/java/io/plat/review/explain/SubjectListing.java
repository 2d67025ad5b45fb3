package io.plat.review.explain;

import java.util.List;
import java.util.Objects;

/**
 * The answer to a SubjectListing: everybody who may do something.
 *
 * @param subjects they, each once
 * @param unexplained members of what decides that could not say whom they allow: there may be more subjects
 */
public record SubjectListing(Bounded<ListedSubject> subjects, List<Unexplained> unexplained) {
    /** Nobody. */
    public static final SubjectListing NOBODY = new SubjectListing(Bounded.none(), List.of());

    public SubjectListing {
        Objects.requireNonNull(subjects);
        unexplained = List.copyOf(unexplained);
    }
}
