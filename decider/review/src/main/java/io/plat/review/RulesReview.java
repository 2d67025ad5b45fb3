package io.plat.review;

import java.util.Objects;

/**
 * A decoded SelfSubjectRulesReview: the caller's rules in a namespace.
 *
 * @param version the version of the request and the response
 * @param namespace the namespace, never {@code ""}
 */
public record RulesReview(ReviewVersion version, String namespace) {
    public static final String KIND = "SelfSubjectRulesReview";

    public static final String RESOURCE = "selfsubjectrulesreviews";

    public RulesReview {
        Objects.requireNonNull(version);
        if (namespace.isEmpty()) {
            throw new IllegalArgumentException("a namespace is required");
        }
    }
}
