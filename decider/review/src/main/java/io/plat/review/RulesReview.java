package io.plat.review;

import org.jspecify.annotations.Nullable;

/**
 * A decoded SelfSubjectRulesReview or SubjectRules: the rules of the caller, or of a named user, in a namespace.
 *
 * @param namespace the namespace, never {@code ""}
 * @param user the user of SubjectRules; null for the caller
 */
public record RulesReview(
        ReviewVersion version, String namespace, @Nullable UserInfo user) {
    public static final String KIND = "SelfSubjectRulesReview";

    public static final String RESOURCE = "selfsubjectrulesreviews";

    /** Kind of the review that names a user. */
    public static final String SUBJECT_KIND = "SubjectRules";

    /** Resource of the review that names a user. */
    public static final String SUBJECT_RESOURCE = "subjectrules";

    /** The only version of the review that names a user. */
    public static final ReviewVersion SUBJECT_VERSION = ReviewVersion.PLAT_V1BETA1;

    public RulesReview {
        if (namespace.isEmpty()) {
            throw new IllegalArgumentException("a namespace is required");
        }
    }

    /** Creates a review of the caller's own rules. */
    public RulesReview(ReviewVersion version, String namespace) {
        this(version, namespace, null);
    }

    public String kind() {
        return user == null ? KIND : SUBJECT_KIND;
    }
}
