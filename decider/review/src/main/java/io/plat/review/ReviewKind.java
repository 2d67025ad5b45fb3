package io.plat.review;

import java.util.List;
import java.util.Optional;

/** The kinds of access review: virtual types, made by a POST and answered at once. */
public enum ReviewKind {
    /** Review of a named user's access. */
    SUBJECT_ACCESS_REVIEW("SubjectAccessReview", "subjectaccessreviews", true),
    /** Review of the caller's own access. */
    SELF_SUBJECT_ACCESS_REVIEW("SelfSubjectAccessReview", "selfsubjectaccessreviews", false),
    /** Review of a named user's access in one namespace. */
    LOCAL_SUBJECT_ACCESS_REVIEW("LocalSubjectAccessReview", "localsubjectaccessreviews", true),
    /** Explanation of a named user's access. */
    ACCESS_EXPLANATION("AccessExplanation", "accessexplanations", true),
    /** Subjects with an access. */
    SUBJECT_LISTING("SubjectListing", "subjectlistings", false);

    /** Kinds whose response is only a decision. */
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

    /** Returns whether the spec has user and groups; if not, the review concerns the caller, or no user. */
    public boolean namesSubject() {
        return namesSubject;
    }

    /** Returns the kind with the name of a field {@code kind}, if its response is a decision. */
    public static Optional<ReviewKind> of(String kind) {
        for (ReviewKind candidate : DECIDED) {
            if (candidate.kind.equals(kind)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
