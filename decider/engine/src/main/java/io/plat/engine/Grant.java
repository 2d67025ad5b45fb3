package io.plat.engine;

import io.plat.review.explain.NamedGrant;

/** The rule that allowed a request, and its source. Texts are computed on demand. */
public interface Grant {
    /** Returns the name of the authorizer, as {@code --authorization-mode} writes it. */
    String authorizer();

    /** Returns the source of the grant: {@code file:line}, or kind, namespace and name of an object. */
    String source();

    /** Returns the matching rule or policy line, as one line. */
    String rule();

    /** Returns the reason of the decision: one line with the source and the rule. */
    String reason();

    /** Returns the texts as data, for explanations. */
    default NamedGrant named() {
        return new NamedGrant(authorizer(), source(), rule());
    }

    /**
     * Returns the reason for a log with masked values: without the subject, the rule and anything else that could repeat such a value. Empty if
     * another program supplied the reason.
     */
    default String maskedReason() {
        return authorizer() + ": allowed";
    }
}
