package io.plat.engine.union;

import io.plat.engine.Authorizer;
import io.plat.engine.explain.Explainer;
import io.plat.review.explain.UnexplainedAuthorizer;

/**
 * An authorizer in a union.
 *
 * @param name its name in messages and responses, as in {@code --authorization-mode}
 * @param finality its final decisions
 */
public record Member(String name, Authorizer authorizer, Finality finality) {
    /** Creates a member whose allow is its only final opinion. */
    public Member(String name, Authorizer authorizer) {
        this(name, authorizer, Finality.ALLOW);
    }

    Explainer explainer() {
        return Explainer.of(name, authorizer);
    }

    UnexplainedAuthorizer unexplained(String reason) {
        return new UnexplainedAuthorizer(name, reason);
    }
}
