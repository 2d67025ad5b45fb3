package io.plat.review;

import org.jspecify.annotations.Nullable;

/**
 * A decoded review: a valid request and its version.
 *
 * @param kind which review
 * @param user the subject; null if and only if the kind has none and the review concerns the caller
 * @param access the requested access
 */
public record AccessReview(
        ReviewKind kind, ReviewVersion version, @Nullable UserInfo user, AccessAttributes access) {
    public AccessReview {
        if (kind.namesSubject() != (user != null)) {
            throw new IllegalArgumentException(kind.kind() + (user == null ? " needs a user" : " names no user"));
        }
    }

    /**
     * Returns the attributes to decide.
     *
     * @param caller the authenticated caller, for reviews without a subject
     */
    public Attributes attributes(UserInfo caller) {
        return new Attributes(user == null ? caller : user, access);
    }
}
