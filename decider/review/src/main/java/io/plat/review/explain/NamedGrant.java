package io.plat.review.explain;

/**
 * Texts of a grant: one rule of a policy, and its source.
 *
 * @param authorizer the authorizer's name, as {@code --authorization-mode} writes it
 * @param source {@code file:line}, or kind, namespace and name of an object; for a grant by several objects, the chain of them
 * @param rule the rule or line, as one line; a long one is truncated with an ellipsis
 */
public record NamedGrant(String authorizer, String source, String rule) {
    /** Maximum length of a rule, in characters. */
    public static final int MAX_RULE = 4000;

    public NamedGrant {
        if (rule.length() > MAX_RULE) {
            int end = Character.isHighSurrogate(rule.charAt(MAX_RULE - 2)) ? MAX_RULE - 2 : MAX_RULE - 1;
            rule = rule.substring(0, end) + "…";
        }
    }
}
