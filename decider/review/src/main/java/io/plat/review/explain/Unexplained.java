package io.plat.review.explain;

import java.util.Objects;

/**
 * A member of what decides that takes part in decisions and whose grants are not known, or not all.
 *
 * @param authorizer its name
 * @param reason why, in one line
 */
public record Unexplained(String authorizer, String reason) {
    public Unexplained {
        Objects.requireNonNull(authorizer);
        Objects.requireNonNull(reason);
    }
}
