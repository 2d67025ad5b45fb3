package io.plat.review.explain;

import java.util.List;

/**
 * The response to a SubjectListing: all subjects with an access.
 *
 * @param subjects the subjects, without duplicates
 * @param unexplained members that could not enumerate their subjects: there may be more subjects
 */
public record SubjectListing(BoundedList<ListedSubject> subjects, List<UnexplainedAuthorizer> unexplained) {
    public static final SubjectListing NOBODY = new SubjectListing(BoundedList.none(), List.of());

    public SubjectListing {
        unexplained = List.copyOf(unexplained);
    }

    /** Returns the listing of a member that cannot enumerate its subjects. */
    public static SubjectListing unknown(UnexplainedAuthorizer member) {
        return new SubjectListing(BoundedList.none(), List.of(member));
    }
}
