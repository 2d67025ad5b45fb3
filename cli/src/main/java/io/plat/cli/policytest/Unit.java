package io.plat.cli.policytest;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.Attributes;
import java.util.List;
import java.util.Objects;

/**
 * A rule of a role, or a line: the least that a policy can lose.
 *
 * @param name where it stands, and what it says
 * @param alone what it grants, without the rest of the policy
 * @param widened what it would grant if it were wider, each in one side
 */
record Unit(String name, Predicate alone, List<Widened> widened) {
    Unit {
        Objects.requireNonNull(name);
        Objects.requireNonNull(alone);
        widened = List.copyOf(widened);
    }

    /** Whether a request is granted. */
    @FunctionalInterface
    interface Predicate {
        boolean grants(Attributes asked);

        static Predicate of(Authorizer authorizer) {
            return asked -> authorizer.authorize(asked) instanceof Decision.Allow;
        }
    }

    /**
     * A wider form.
     *
     * @param how in which side
     * @param policy what it grants
     */
    record Widened(String how, Predicate policy) {}
}
