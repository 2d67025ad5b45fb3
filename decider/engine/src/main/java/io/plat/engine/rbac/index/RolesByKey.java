package io.plat.engine.rbac.index;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The roles of a policy, to be found by what bindings say, for those who look through all of it. */
public final class RolesByKey {
    private final Map<ObjectKey, RbacRole> roles;
    private final Aggregation aggregation;

    /** The roles of a policy. */
    public RolesByKey(RbacPolicy policy) {
        roles = HashMap.newHashMap(policy.roles().size());
        Map<ObjectKey, RbacRole> clusterRoles = new HashMap<>();
        for (RbacRole role : policy.roles()) {
            roles.put(role.key(), role);
            if (role.key().kind() == RbacKind.CLUSTER_ROLE) {
                clusterRoles.put(role.key(), role);
            }
        }
        aggregation = new Aggregation(clusterRoles);
    }

    /** The role that a binding gives, or null where it gives none. */
    public @Nullable RbacRole of(RbacBinding binding) {
        ObjectKey key = binding.role();
        return key == null ? null : of(key);
    }

    /** The role of a name, or null where there is none. */
    @Nullable
    RbacRole of(ObjectKey key) {
        return roles.get(key);
    }

    /** The rules that a role has: its own, or those that it aggregates. */
    public List<RbacRule> rulesOf(RbacRole role) {
        return aggregation.rulesOf(role);
    }

    boolean has(ObjectKey role) {
        return roles.containsKey(role);
    }

    Collection<RbacRole> all() {
        return roles.values();
    }
}
