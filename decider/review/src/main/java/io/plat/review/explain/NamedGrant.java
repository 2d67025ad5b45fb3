package io.plat.review.explain;

import java.util.Objects;

/**
 * A grant by its texts: one rule of a policy, and where it stands.
 *
 * @param authorizer the authorizer's name, as {@code --authorization-mode} writes it
 * @param source {@code file:line}, or kind, namespace and name of an object; for a grant that several objects make, the way
 *     through them
 * @param rule the rule or line, as one line; a long one is cut, which its last character says
 */
public record NamedGrant(String authorizer, String source, String rule) {
    /** What is told of a rule, in characters. */
    public static final int LONGEST_RULE = 4000;

    public NamedGrant {
        Objects.requireNonNull(authorizer);
        Objects.requireNonNull(source);
        if (rule.length() > LONGEST_RULE) {
            int end = Character.isHighSurrogate(rule.charAt(LONGEST_RULE - 2)) ? LONGEST_RULE - 2 : LONGEST_RULE - 1;
            rule = rule.substring(0, end) + "…";
        }
    }
}
