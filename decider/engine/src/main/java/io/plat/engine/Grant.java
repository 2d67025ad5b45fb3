package io.plat.engine;

/** The rule that allowed a request, and its source. Its texts are computed on demand. */
public interface Grant {
    /** The name of the authorizer, as {@code --authorization-mode} writes it. */
    String authorizer();

    /** Returns the source of the grant: {@code file:line}, or kind, namespace and name of an object. */
    String source();

    /** The rule or line that matches, as one line. */
    String rule();

    /** The reason given with the decision: one line that names the source and the rule. */
    String reason();

    /**
     * The reason for a log in which values of the request are masked: without the subject, the rule and anything else that could repeat such a
     * value. Empty where another program wrote the reason.
     */
    default String maskedReason() {
        return authorizer() + ": allowed";
    }
}
