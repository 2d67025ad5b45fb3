package io.plat.review.explain;

/**
 * The smallest grant that would allow a request, or the reason why there is none.
 *
 * @param authorizer the mode of the grant, {@code ""} if there is none
 * @param text the grant, ready for use: manifests for the RBAC mode, a line of the policy file for the ABAC mode; {@code ""} if there is none
 * @param note the access beyond the request, if there is no narrower grant, or the reason why there is none; else {@code ""}
 */
public record Suggestion(String authorizer, String text, String note) {
    public Suggestion {
        if (text.isEmpty() && note.isEmpty()) {
            throw new IllegalArgumentException("neither a grant nor a reason");
        }
    }

    /** Returns a suggestion without a grant, with the reason. */
    public static Suggestion none(String authorizer, String cause) {
        return new Suggestion(authorizer, "", cause);
    }
}
