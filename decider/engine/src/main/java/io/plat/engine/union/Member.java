package io.plat.engine.union;

import io.plat.engine.Authorizer;

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
}
