package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacRule;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Visits the rules of one user in one namespace, subject by subject, by the names of the roles, in the index that decisions look at: the
 * cost depends on what the user is given only.
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
            case BoundRoles roles ->
                // Their numbers are given as roles are heard of, which differs between servers of one store, and after
                // a restart.
                Arrays.stream(roles.all())
                        .map(bounds -> bounds[0])
                        .sorted(Comparator.comparing(
                                bound -> index.role(bound.role()).key()))
                        .forEach(bound -> role(bound, everywhere));
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
