package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacRule;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Visits the rules of one user in one namespace, subject by subject, in the index that decisions look at: the cost depends on what
 * the user is given only.
 *
 * @param index has the roles
 * @param namespace the namespace
 * @param visitor is shown each rule
 */
record RuleVisit(RbacIndex index, String namespace, Consumer<RbacRule> visitor) {
    /** Visits what a user or a group is given; null is given nothing. */
    void subject(@Nullable SubjectEntry entry) {
        if (entry != null) {
            scope(entry.cluster(), true);
            scope(entry.in(namespace), false);
        }
    }

    private void scope(@Nullable Scope scope, boolean everywhere) {
        switch (scope) {
            case null -> {}
            case Bound bound -> role(bound, everywhere);
            case BoundRoles roles -> {
                for (Bound[] bound : roles.all()) {
                    role(bound[0], everywhere);
                }
            }
        }
    }

    private void role(Bound bound, boolean everywhere) {
        for (CompiledRule compiled : index.role(bound.role()).rules()) {
            RbacRule rule = compiled.rule;
            if (everywhere || !rule.resources().isEmpty()) {
                visitor.accept(rule);
            }
        }
    }
}
