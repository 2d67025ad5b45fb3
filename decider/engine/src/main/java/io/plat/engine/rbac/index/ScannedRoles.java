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
 * Role objects without an index, for few requests. A decision indexes only the objects of its user, with the same result as a full index. Immutable.
 */
public final class ScannedRoles implements RoleObjects {
    private final RbacPolicy policy;
    private final Map<ObjectKey, RbacRole> roles;

    public ScannedRoles(RbacPolicy policy) {
        this.policy = policy;
        this.roles = HashMap.newHashMap(policy.roles().size());
        for (RbacRole role : policy.roles()) {
            roles.put(role.key(), role);
        }
    }

    /** Returns an index of the bindings of a user and its groups, which determine the user's access. */
    private RbacIndex indexFor(UserInfo user) {
        List<RbacBinding> bindings = new ArrayList<>();
        Set<ObjectKey> granted = new HashSet<>();
        boolean aggregates = false;
        for (RbacBinding binding : policy.bindings()) {
            ObjectKey key = BoundSubject.isNamed(binding, user) ? binding.role() : null;
            RbacRole role = key == null ? null : roles.get(key);
            if (role != null) {
                bindings.add(binding);
                granted.add(role.key());
                aggregates |= role.aggregation() != null;
            }
        }
        boolean allClusterRoles = aggregates;
        List<RbacRole> needed = policy.roles().stream()
                .filter(role -> granted.contains(role.key())
                        || (allClusterRoles && role.key().kind() == RbacKind.CLUSTER_ROLE))
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

    /** Visits every binding whose role exists, with the role's rules, which are the same list for each binding. */
    public void forEachGrant(BiConsumer<RbacBinding, List<RbacRule>> visitor) {
        forEachBinding(binding -> true, (binding, role) -> visitor.accept(binding, role.written()));
    }

    @Override
    public void forEachBinding(Predicate<RbacBinding> wanted, BiConsumer<RbacBinding, CompiledRole> visitor) {
        Map<ObjectKey, CompiledRole> compiled = new HashMap<>();
        Aggregation aggregation = new Aggregation(policy.roles().stream()
                .filter(role -> role.key().kind() == RbacKind.CLUSTER_ROLE)
                .map(Aggregation.Source::of)
                .toList());
        for (RbacBinding binding : policy.bindings()) {
            ObjectKey key = wanted.test(binding) ? binding.role() : null;
            RbacRole role = key == null ? null : roles.get(key);
            if (role != null) {
                visitor.accept(binding, compiled.computeIfAbsent(role.key(), one -> compiled(role, aggregation)));
            }
        }
    }

    /** Returns a role whose rules are compared one by one. */
    private static CompiledRole compiled(RbacRole role, Aggregation aggregation) {
        Aggregation.AggregatedRules gathered = role.aggregation() == null
                ? new Aggregation.AggregatedRules(role.rules(), List.of())
                : aggregation.rulesOf(role);
        List<CompiledRule> rules = gathered.rules().stream()
                .map(rule -> new CompiledRule(0, rule, false))
                .toList();
        return new CompiledRole(0, role.key(), role, gathered.rules(), gathered.leftOut(), rules, RuleTree.EMPTY, 0);
    }
}
