package io.plat.engine.rbac.index;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.explain.NamedGrant;
import io.plat.review.source.Location;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A rule as a binding gives it.
 *
 * @param binding gives the role
 * @param role has the rule
 * @param position of the rule among those that the role has, its own or aggregated
 */
record BoundRule(RbacBinding binding, CompiledRole role, int position) {
    /** By the names of the bindings, and the order of their roles' rules. */
    static final Comparator<BoundRule> ORDER = Comparator.<BoundRule, ObjectKey>comparing(
                    bound -> bound.binding().key())
            .thenComparing(BoundRule::position);

    /** Returns the grant: the binding, the role, and their sources. */
    NamedGrant named() {
        RbacRule rule = role.rules().get(position).rule;
        RbacRole granted = role.role();
        Location place = rule.where() == null && granted != null ? granted.where() : rule.where();
        return new NamedGrant(
                RbacGrant.MODE,
                placed(binding.key(), binding.where()) + " -> " + placed(role.key(), place),
                rule.toString());
    }

    private static String placed(ObjectKey key, @Nullable Location where) {
        return where == null ? key.toString() : key + " (" + where + ")";
    }
}
