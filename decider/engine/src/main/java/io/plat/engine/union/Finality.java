package io.plat.engine.union;

import io.plat.engine.Decision;

/** The final decisions of a member. An allow is always final. */
public enum Finality {
    /** Only an allow: any other decision passes the request to the next member. */
    ALLOW,
    /** A denial too; if it fails, the next member is called (Kubernetes: {@code failurePolicy: NoOpinion}). */
    DENY,
    /** A denial, and a failure too (Kubernetes: {@code failurePolicy: Deny}). */
    DENY_OR_FAILURE;

    boolean isFinal(Decision decision) {
        return switch (decision) {
            case Decision.Allow ignored -> true;
            case Decision.Deny ignored -> this != ALLOW;
            case Decision.Undecided ignored -> this == DENY_OR_FAILURE;
            case Decision.NoOpinion ignored -> false;
        };
    }
}
