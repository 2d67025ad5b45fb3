package io.plat.review;

import java.util.List;
import java.util.Optional;

/** The kinds of access review: virtual types, made by a POST and answered at once. */
public enum ReviewKind {
    /** May the named user do this? */
    SUBJECT_ACCESS_REVIEW("SubjectAccessReview", "subjectaccessreviews", true),
    /** Review of the caller's own access. */
    SELF_SUBJECT_ACCESS_REVIEW("SelfSubjectAccessReview", "selfsubjectaccessreviews", false),
    /** May the named user do this in this namespace? */
    LOCAL_SUBJECT_ACCESS_REVIEW("LocalSubjectAccessReview", "localsubjectaccessreviews", true),
    /** Explanation of a named user's access. */
    ACCESS_EXPLANATION("AccessExplanation", "accessexplanations", true),
    /** Subjects with an access. */
    SUBJECT_LISTING("SubjectListing", "subjectlistings", false);

    /** The kinds that are answered with a decision and nothing else. */
    public static final List<ReviewKind> DECIDED =
            List.of(SUBJECT_ACCESS_REVIEW, SELF_SUBJECT_ACCESS_REVIEW, LOCAL_SUBJECT_ACCESS_REVIEW);

    private final String kind;
    private final String resource;
    private final boolean namesSubject;

    ReviewKind(String kind, String resource, boolean namesSubject) {
        this.kind = kind;
        this.resource = resource;
        this.namesSubject = namesSubject;
    }

    public String kind() {
        return kind;
    }

    public String resource() {
        return resource;
    }

    /** Returns whether the spec has user and groups; if not, the caller is meant, or no user. */
    public boolean namesSubject() {
        return namesSubject;
    }

    /** The kind that a field {@code kind} names, if it is one of those that are answered with a decision. */
    public static Optional<ReviewKind> of(String kind) {
        for (ReviewKind candidate : DECIDED) {
            if (candidate.kind.equals(kind)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
