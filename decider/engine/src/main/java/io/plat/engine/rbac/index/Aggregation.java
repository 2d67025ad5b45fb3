package io.plat.engine.rbac.index;

import io.plat.engine.rbac.LabelSelector;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Aggregation of cluster roles: the rules of the roles that a role selects by label, including other aggregating roles. Cycles are allowed: each
 * role has the rules of all roles that it reaches.
 */
public final class Aggregation {
    private final Map<ObjectKey, RbacRole> clusterRoles;

    /**
     * Aggregation among these roles.
     *
     * @param clusterRoles every ClusterRole there is
     */
    public Aggregation(Map<ObjectKey, RbacRole> clusterRoles) {
        this.clusterRoles = clusterRoles;
    }

    /** Returns whether one role selects another. */
    static boolean picks(RbacRole aggregating, RbacRole other) {
        List<LabelSelector> selectors = aggregating.aggregation();
        return selectors != null
                && other.key().kind() == RbacKind.CLUSTER_ROLE
                && selectors.stream().anyMatch(selector -> selector.matches(other.labels()));
    }

    /** Returns the aggregating roles whose rules may differ after some roles were created, changed or deleted. */
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

    /**
     * Returns the rules of a role: its own; or those that it aggregates, without duplicates, by selector and then by the names of the selected
     * roles.
     */
    public List<RbacRule> rulesOf(RbacRole role) {
        if (role.aggregation() == null) {
            return role.rules();
        }
        Set<RbacRule> rules = new LinkedHashSet<>();
        Set<ObjectKey> seen = new HashSet<>(Set.of(role.key()));
        Deque<Iterator<RbacRole>> open = new ArrayDeque<>(List.of(picked(role)));
        while (!open.isEmpty()) {
            Iterator<RbacRole> level = open.peek();
            if (!level.hasNext()) {
                open.pop();
                continue;
            }
            RbacRole next = level.next();
            if (!seen.add(next.key())) {
                continue;
            }
            if (next.aggregation() == null) {
                rules.addAll(next.rules());
            } else {
                open.push(picked(next));
            }
        }
        return List.copyOf(rules);
    }

    private Iterator<RbacRole> picked(RbacRole aggregating) {
        List<LabelSelector> selectors = Objects.requireNonNull(aggregating.aggregation());
        Set<RbacRole> picked = new LinkedHashSet<>();
        for (LabelSelector selector : selectors) {
            clusterRoles.values().stream()
                    .filter(other -> selector.matches(other.labels()))
                    .sorted(Comparator.comparing(RbacRole::key))
                    .forEach(picked::add);
        }
        return picked.iterator();
    }
}
