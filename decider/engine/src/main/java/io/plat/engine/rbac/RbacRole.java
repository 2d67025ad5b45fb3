package io.plat.engine.rbac;

import io.plat.engine.lookup.Frozen;
import io.plat.review.source.Location;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Role or a ClusterRole.
 *
 * @param key its identity
 * @param labels labels by which an aggregating role selects it
 * @param rules the rules; ignored if it aggregates
 * @param aggregation selects the cluster roles whose rules replace its own; null if it does not aggregate
 * @param where its location in a file, or null
 */
public record RbacRole(
        ObjectKey key,
        Map<String, String> labels,
        List<RbacRule> rules,
        @Nullable List<ClusterRoleSelector> aggregation,
        @Nullable Location where)
        implements RbacObject {
    private static final int OVERHEAD = 300;

    public RbacRole {
        if (!key.kind().isRole()) {
            throw new IllegalArgumentException("not a role: " + key);
        }
        labels = Frozen.copyOf(labels);
        rules = List.copyOf(rules);
        aggregation = aggregation == null ? null : List.copyOf(aggregation);
    }

    @Override
    public long bytes() {
        long selectors = aggregation == null
                ? 0
                : aggregation.stream().mapToLong(ClusterRoleSelector::bytes).sum();
        return OVERHEAD
                + ClusterRoleSelector.bytes(labels)
                + selectors
                + rules.stream().mapToLong(RbacRule::bytes).sum();
    }

    /** Returns whether this role aggregates the rules of another one. */
    public boolean selects(RbacRole other) {
        return aggregation != null
                && other.key.kind() == RbacKind.CLUSTER_ROLE
                && aggregation.stream().anyMatch(selector -> selector.matches(other.labels));
    }

    /** Returns a Role without a file. */
    public static RbacRole role(String namespace, String name, List<RbacRule> rules) {
        return new RbacRole(new ObjectKey(RbacKind.ROLE, namespace, name), Map.of(), rules, null, null);
    }

    /** Returns a ClusterRole without a file. */
    public static RbacRole clusterRole(String name, List<RbacRule> rules) {
        return new RbacRole(new ObjectKey(RbacKind.CLUSTER_ROLE, "", name), Map.of(), rules, null, null);
    }
}
