package io.plat.review.explain;

import java.util.Objects;

/**
 * The smallest grant that would allow a request, or why none is suggested.
 *
 * @param authorizer the mode whose policy the grant is for, {@code ""} where there is none
 * @param text the grant as it can be used: manifests for mode RBAC, a line for the policy file of mode ABAC; {@code ""} where none
 *     is suggested
 * @param note what it grants besides the request, as there is no narrower one, or why none is suggested; else {@code ""}
 */
public record Suggestion(String authorizer, String text, String note) {
    public Suggestion {
        Objects.requireNonNull(authorizer);
        Objects.requireNonNull(text);
        Objects.requireNonNull(note);
        if (text.isEmpty() && note.isEmpty()) {
            throw new IllegalArgumentException("neither a grant nor a reason");
        }
    }

    /** No grant, and why. */
    public static Suggestion none(String authorizer, String why) {
        return new Suggestion(authorizer, "", why);
    }
}
