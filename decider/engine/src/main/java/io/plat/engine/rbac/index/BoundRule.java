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
 * A rule granted by a binding.
 *
 * @param role the role with the rule
 * @param position the position of the rule within the role, including aggregated rules
 */
record BoundRule(RbacBinding binding, CompiledRole role, int position) {
    /** Order by the names of the bindings, then by the position of the rules. */
    static final Comparator<BoundRule> ORDER = Comparator.<BoundRule, ObjectKey>comparing(
                    bound -> bound.binding().key())
            .thenComparing(BoundRule::position);

    /** Returns the grant: the binding, the role, and their sources. */
    NamedGrant named() {
        RbacRule rule = role.rules().get(position).rule;
        RbacRole granted = role.role();
        Location location = rule.where() == null && granted != null ? granted.where() : rule.where();
        return new NamedGrant(
                RbacGrant.MODE,
                withLocation(binding.key(), binding.where()) + " -> " + withLocation(role.key(), location),
                rule.toString());
    }

    private static String withLocation(ObjectKey key, @Nullable Location where) {
        return where == null ? key.toString() : key + " (" + where + ")";
    }
}
