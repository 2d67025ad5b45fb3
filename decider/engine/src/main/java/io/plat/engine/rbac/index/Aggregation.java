package io.plat.engine.rbac.index;

import io.plat.engine.rbac.LabelSelector;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gives aggregating cluster roles the rules of those that they pick by label, also through others that aggregate. Roles that pick
 * each other are no endless loop: each gets what all of them reach.
 */
final class Aggregation {
    private final Map<ObjectKey, RbacRole> clusterRoles;

    /**
     * Aggregation among these roles.
     *
     * @param clusterRoles every ClusterRole there is
     */
    Aggregation(Map<ObjectKey, RbacRole> clusterRoles) {
        this.clusterRoles = clusterRoles;
    }

    /** Whether one role picks another. */
    static boolean picks(RbacRole aggregating, RbacRole other) {
        List<LabelSelector> selectors = aggregating.aggregation();
        return selectors != null
                && other.key().kind() == RbacKind.CLUSTER_ROLE
                && selectors.stream().anyMatch(selector -> selector.matches(other.labels()));
    }

    /** Those of the aggregating roles whose rules may be others after some roles changed, went or came. */
    static Set<ObjectKey> affected(Collection<RbacRole> aggregating, Collection<RbacRole> changed) {
        Set<ObjectKey> affected = new TreeSet<>();
        List<RbacRole> causes = new ArrayList<>(changed);
        while (!causes.isEmpty()) {
            List<RbacRole> next = new ArrayList<>();
            for (RbacRole role : aggregating) {
                if (causes.stream().anyMatch(cause -> cause.key().equals(role.key()) || picks(role, cause))
                        && affected.add(role.key())) {
                    next.add(role);
                }
            }
            causes = next;
        }
        return affected;
    }

    /** The rules that a role has: its own, or those that it aggregates, in the order of the names of their roles. */
    List<RbacRule> rulesOf(RbacRole role) {
        if (role.aggregation() == null) {
            return role.rules();
        }
        Set<ObjectKey> reached = new TreeSet<>();
        reach(role, reached, new HashSet<>());
        List<RbacRule> rules = new ArrayList<>();
        for (ObjectKey key : reached) {
            RbacRole source = clusterRoles.get(key);
            if (source != null) {
                rules.addAll(source.rules());
            }
        }
        return rules;
    }

    private void reach(RbacRole first, Set<ObjectKey> reached, Set<ObjectKey> seen) {
        List<RbacRole> open = new ArrayList<>(List.of(first));
        while (!open.isEmpty()) {
            RbacRole role = open.removeLast();
            if (!seen.add(role.key())) {
                continue;
            }
            for (RbacRole other : clusterRoles.values()) {
                if (picks(role, other)) {
                    if (other.aggregation() == null) {
                        reached.add(other.key());
                    } else {
                        open.add(other);
                    }
                }
            }
        }
    }
}
