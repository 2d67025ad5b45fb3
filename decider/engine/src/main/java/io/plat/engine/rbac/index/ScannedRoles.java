package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Role objects that are asked too few questions for an index to pay. What concerns one user is indexed when it is asked for, so that
 * decisions are those of the index of all. Immutable.
 */
final class ScannedRoles implements RoleObjects {
    private final RbacPolicy policy;
    private final RolesByKey roles;

    ScannedRoles(RbacPolicy policy) {
        this.policy = policy;
        this.roles = new RolesByKey(policy);
    }

    /** The index of the bindings that name a user or one of its groups; no others say anything about what it may do. */
    private RbacIndex indexFor(UserInfo user) {
        List<RbacBinding> bindings = new ArrayList<>();
        Set<ObjectKey> given = new HashSet<>();
        for (RbacBinding binding : policy.bindings()) {
            RbacRole role = BoundSubject.isNamed(binding, user) ? roles.of(binding) : null;
            if (role != null) {
                bindings.add(binding);
                given.add(role.key());
            }
        }
        boolean aggregates =
                policy.roles().stream().anyMatch(role -> role.aggregation() != null && given.contains(role.key()));
        List<RbacRole> needed = policy.roles().stream()
                .filter(role ->
                        given.contains(role.key()) || (aggregates && role.key().kind() == RbacKind.CLUSTER_ROLE))
                .toList();
        return RbacIndex.of(new RbacPolicy(needed, bindings));
    }

    @Override
    public RbacPolicy policy() {
        return policy;
    }

    @Override
    public Decision.@Nullable Allow find(Attributes attributes) {
        return indexFor(attributes.user()).find(attributes);
    }

    @Override
    public void forEachRule(UserInfo user, String namespace, Consumer<RbacRule> visitor) {
        indexFor(user).forEachRule(user, namespace, visitor);
    }

    @Override
    public void forEachBinding(Predicate<RbacBinding> wanted, BiConsumer<RbacBinding, CompiledRole> visitor) {
        Map<ObjectKey, CompiledRole> seen = new HashMap<>();
        for (RbacBinding binding : policy.bindings()) {
            ObjectKey key = wanted.test(binding) ? binding.role() : null;
            CompiledRole compiled = key == null ? null : seen.get(key);
            if (key != null && compiled == null) {
                RbacRole role = roles.of(key);
                if (role != null) {
                    compiled = seen(role);
                    seen.put(role.key(), compiled);
                }
            }
            if (compiled != null) {
                visitor.accept(binding, compiled);
            }
        }
    }

    /** A role as those see it who look at its rules one by one. */
    private CompiledRole seen(RbacRole role) {
        List<CompiledRule> rules = roles.rulesOf(role).stream()
                .map(rule -> new CompiledRule(0, rule))
                .toList();
        return new CompiledRole(0, role.key(), role, rules, FewRules.NONE);
    }

    @Override
    public boolean isTaken(String namespace, String name) {
        boolean cluster = namespace.isEmpty();
        ObjectKey role = new ObjectKey(cluster ? RbacKind.CLUSTER_ROLE : RbacKind.ROLE, namespace, name);
        ObjectKey binding =
                new ObjectKey(cluster ? RbacKind.CLUSTER_ROLE_BINDING : RbacKind.ROLE_BINDING, namespace, name);
        return roles.has(role)
                || policy.bindings().stream().anyMatch(one -> one.key().equals(binding) || role.equals(one.role()));
    }

    @Override
    public List<String> aggregatorsOf(RbacRole role) {
        return roles.all().stream()
                .filter(aggregating -> Aggregation.picks(aggregating, role))
                .map(aggregating -> aggregating.key().name())
                .sorted()
                .toList();
    }
}
