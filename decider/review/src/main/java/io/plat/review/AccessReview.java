package io.plat.review;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A review as it was asked: a valid question and the vocabulary to answer it in.
 *
 * @param kind which review
 * @param version the version it was written in, and is answered in
 * @param user the subject it names; null exactly where the kind names none and the asker is meant
 * @param access what the subject wants to do
 */
public record AccessReview(
        ReviewKind kind, ReviewVersion version, @Nullable UserInfo user, AccessAttributes access) {
    public AccessReview {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(version);
        Objects.requireNonNull(access);
        if (kind.namesSubject() != (user != null)) {
            throw new IllegalArgumentException(kind.kind() + (user == null ? " needs a user" : " names no user"));
        }
    }

    /**
     * The question to decide.
     *
     * @param asker the authenticated client, meant where the review names no subject
     */
    public Attributes attributes(UserInfo asker) {
        return new Attributes(user == null ? asker : user, access);
    }
}
