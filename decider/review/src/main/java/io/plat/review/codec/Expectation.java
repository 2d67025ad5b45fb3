package io.plat.review.codec;

import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import org.jspecify.annotations.Nullable;

/**
 * The review that the path of a request determines.
 *
 * @param kind the expected kind
 * @param version the version in the path; null if it has none, and the body must have apiVersion and kind
 * @param namespace the namespace in the path, which a LocalSubjectAccessReview must have; {@code ""} for the other kinds
 */
public record Expectation(ReviewKind kind, @Nullable ReviewVersion version, String namespace) {
    /** For {@code /} and {@code /authorize}: a SubjectAccessReview of the version in its body. */
    public static final Expectation ANY_SUBJECT_ACCESS_REVIEW =
            new Expectation(ReviewKind.SUBJECT_ACCESS_REVIEW, null, "");

    public Expectation {
        if ((kind == ReviewKind.LOCAL_SUBJECT_ACCESS_REVIEW) == namespace.isEmpty()) {
            throw new IllegalArgumentException(
                    kind.kind() + (namespace.isEmpty() ? " needs a namespace" : " takes no namespace"));
        }
        if (version == null && kind != ReviewKind.SUBJECT_ACCESS_REVIEW) {
            throw new IllegalArgumentException(kind.kind() + " needs a version");
        }
    }

    /** Returns the expectation of a resource path without a namespace: a missing apiVersion or kind is defaulted, another one is refused. */
    public static Expectation at(ReviewVersion version, ReviewKind kind) {
        return new Expectation(kind, version, "");
    }

    /** Returns the expectation of the path of a LocalSubjectAccessReview. */
    public static Expectation local(ReviewVersion version, String namespace) {
        return new Expectation(ReviewKind.LOCAL_SUBJECT_ACCESS_REVIEW, version, namespace);
    }
}
