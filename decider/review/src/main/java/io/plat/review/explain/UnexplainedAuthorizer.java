package io.plat.review.explain;

import java.util.Objects;

/**
 * A member of the authorizer whose grants are unknown, at least in part.
 *
 * @param authorizer its name
 * @param reason the reason, in one line
 */
public record UnexplainedAuthorizer(String authorizer, String reason) {
    public UnexplainedAuthorizer {
        Objects.requireNonNull(authorizer);
        Objects.requireNonNull(reason);
    }
}
