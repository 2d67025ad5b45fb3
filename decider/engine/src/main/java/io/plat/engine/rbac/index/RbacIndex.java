package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import io.plat.engine.lookup.ShardedMap;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Index of role objects for decisions; see the package documentation. Immutable. */
public final class RbacIndex implements RoleObjects {
    /** Index without role objects. */
    public static final RbacIndex EMPTY = new RbacIndex(new Parts(
            new CompiledRole[0],
            ShardedMap.empty(),
            Map.of(),
            ShardedMap.empty(),
            ShardedMap.empty(),
            ShardedMap.empty(),
            ShardedMap.empty(),
            ShardedMap.empty(),
            0,
            0,
            0,
            0));

    private final Parts parts;

    RbacIndex(Parts parts) {
        this.parts = parts;
    }

    /**
     * Parts of an index.
     *
     * @param slots roles by number; not to be modified
     * @param roles roles by key, including placeholders for missing roles
     * @param aggregating the aggregating roles
     * @param clusterRoles the roles that can be aggregated
     * @param bindings bindings by key
     * @param users subjects by user name, including service accounts
     * @param groups subjects by group
     * @param merged permissions of several roles
     * @param mergedEntries the number of their entries
     * @param existing number of roles that exist
     * @param nextId the next role's number
     * @param unused number of placeholders added since the last full build; their numbers are not reused
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Parts(
            CompiledRole[] slots,
            ShardedMap<ObjectKey, CompiledRole> roles,
            Map<ObjectKey, RbacRole> aggregating,
            ShardedMap<ObjectKey, Aggregation.Source> clusterRoles,
            ShardedMap<ObjectKey, RbacBinding> bindings,
            ShardedMap<String, SubjectEntry> users,
            ShardedMap<String, SubjectEntry> groups,
            ShardedMap<RoleSet, MergedEdit.MergedRoles> merged,
            long mergedEntries,
            int existing,
            int nextId,
            int unused) {
        /** Maximum number of placeholders before the index is rebuilt. */
        private static final int MAX_UNUSED = 4096;

        boolean isMostlyUnused() {
            return unused > MAX_UNUSED && unused > nextId / 2;
        }
    }

    /** Compiles a policy. */
    public static RbacIndex of(RbacPolicy policy) {
        Map<ObjectKey, RbacObject> objects = new LinkedHashMap<>();
        policy.roles().forEach(role -> objects.put(role.key(), role));
        policy.bindings().forEach(binding -> objects.put(binding.key(), binding));
        return EMPTY.with(objects);
    }

    /**
     * Returns this index after a change. Unaffected parts are shared: the cost is that of the objects in the change, of the scopes of their
     * subjects, and of copying small parts.
     *
     * @param changes created or replaced objects; null for deleted ones, of which unknown keys are ignored
     */
    public RbacIndex with(Map<ObjectKey, ? extends @Nullable RbacObject> changes) {
        RbacIndex after = new IndexEdit(parts).apply(changes);
        return after.parts.isMostlyUnused() ? of(after.policy()) : after;
    }

    /** Returns all role objects of the index, in no particular order. */
    @Override
    public RbacPolicy policy() {
        List<RbacRole> roles = new ArrayList<>();
        parts.roles.forEach((key, compiled) -> {
            RbacRole role = compiled.role();
            if (role != null) {
                roles.add(role);
            }
        });
        List<RbacBinding> bindings = new ArrayList<>();
        parts.bindings.forEach((key, binding) -> bindings.add(binding));
        return new RbacPolicy(roles, bindings);
    }

    /** Returns the number of bindings. */
    public int bindings() {
        return parts.bindings.size();
    }

    /** Returns the number of roles. */
    public int roles() {
        return parts.existing;
    }

    /** Returns the number of roles, including placeholders. */
    int rolesKnown() {
        return parts.roles.size();
    }

    @Override
    public void forEachBinding(Predicate<RbacBinding> wanted, BiConsumer<RbacBinding, CompiledRole> visitor) {
        parts.bindings.forEach((key, binding) -> {
            ObjectKey role = wanted.test(binding) ? binding.role() : null;
            CompiledRole compiled = role == null ? null : parts.roles.get(role);
            if (compiled != null && compiled.role() != null) {
                visitor.accept(binding, compiled);
            }
        });
    }

    @Override
    public void forEachRule(UserInfo user, String namespace, Consumer<RbacRule> visitor) {
        forEachRole(user, namespace, (role, everywhere) -> {
            for (CompiledRule compiled : role.rules()) {
                if (everywhere || !compiled.rule.resources().isEmpty()) {
                    visitor.accept(compiled.rule);
                }
            }
        });
    }

    /**
     * Returns the rules that a user holds in all namespaces, and in one namespace, possibly with duplicates.
     *
     * @param namespace {@code ""} for only the rules in all namespaces
     */
    public List<RbacRule> heldBy(UserInfo user, String namespace) {
        List<RbacRule> rules = new ArrayList<>();
        Set<Integer> visited = new HashSet<>();
        forEachRole(user, namespace, (role, everywhere) -> {
            if (visited.add(role.id())) {
                rules.addAll(role.written());
            }
        });
        return rules;
    }

    /** Visitor of a user's roles. */
    private interface RoleVisitor {
        void visit(CompiledRole role, boolean everywhere);
    }

    private void forEachRole(UserInfo user, String namespace, RoleVisitor visitor) {
        forEachRole(parts.users.get(user.name()), namespace, visitor);
        user.groups().forEach(group -> forEachRole(parts.groups.get(group), namespace, visitor));
    }

    private void forEachRole(@Nullable SubjectEntry subject, String namespace, RoleVisitor visitor) {
        if (subject != null) {
            forEachRole(subject.cluster(), role -> visitor.visit(role, true));
            forEachRole(
                    namespace.isEmpty() ? null : subject.namespaces().get(namespace),
                    role -> visitor.visit(role, false));
        }
    }

    /** Visits the roles in the order of their names, as their numbers differ between servers and after a restart. */
    private void forEachRole(@Nullable Scope scope, Consumer<CompiledRole> visitor) {
        if (scope != null) {
            Arrays.stream(scope.roles().without(RoleSet.EMPTY))
                    .mapToObj(this::role)
                    .sorted(Comparator.comparing(CompiledRole::key))
                    .forEach(visitor);
        }
    }

    /** Returns the own or aggregated rules of a role; null if it does not exist. */
    public @Nullable List<RbacRule> rulesOf(ObjectKey role) {
        CompiledRole compiled = parts.roles.get(role);
        return compiled == null || compiled.role() == null ? null : compiled.written();
    }

    /**
     * An aggregating role.
     *
     * @param role the role as it is stored
     * @param rules the rules that it aggregates
     * @param leftOut the roles whose rules are left out because of the limit
     */
    public record Aggregated(RbacRole role, List<RbacRule> rules, List<ObjectKey> leftOut) {}

    /** Returns the aggregating roles. */
    public List<Aggregated> aggregated() {
        List<Aggregated> all = new ArrayList<>();
        for (RbacRole role : parts.aggregating.values()) {
            CompiledRole compiled = Objects.requireNonNull(parts.roles.get(role.key()));
            all.add(new Aggregated(role, compiled.written(), compiled.leftOut()));
        }
        return all;
    }

    /** Returns an aggregating role that a new or changed role would fill beyond the limit; empty if there is none. */
    public Optional<ObjectKey> overfilledBy(RbacRole role) {
        Map<ObjectKey, RbacRole> aggregating = new HashMap<>(parts.aggregating);
        aggregating.remove(role.key());
        if (role.aggregation() != null) {
            aggregating.put(role.key(), role);
        }
        Set<ObjectKey> affected = Aggregation.affected(aggregating.values(), List.of(role));
        if (affected.isEmpty()) {
            return Optional.empty();
        }
        List<Aggregation.Source> all = new ArrayList<>(List.of(Aggregation.Source.of(role)));
        parts.clusterRoles.forEach((key, source) -> {
            if (!key.equals(role.key())) {
                all.add(source);
            }
        });
        Aggregation aggregation = new Aggregation(all);
        return affected.stream()
                .filter(key -> aggregation.isFull(Objects.requireNonNull(aggregating.get(key))))
                .findFirst();
    }

    /** Returns whether a rule covers the request. */
    public boolean grants(Attributes attributes) {
        return find(attributes) != null;
    }

    @Override
    public Decision.@Nullable Allow find(Attributes attributes) {
        CompiledRequest request = new CompiledRequest(attributes.access());
        SubjectEntry user = parts.users.get(attributes.user().name());
        Decision.Allow allow = user == null ? null : user.find(this, request);
        List<String> groups = attributes.user().groups();
        for (int i = 0; allow == null && i < groups.size(); i++) {
            SubjectEntry group = parts.groups.get(groups.get(i));
            allow = group == null ? null : group.find(this, request);
        }
        return allow;
    }

    CompiledRole role(int id) {
        return parts.slots[id];
    }

    /** Returns the merged permissions of several roles; null if they are looked up one by one. */
    @Nullable
    RuleTree merged(RoleSet roles) {
        MergedEdit.MergedRoles merged = parts.merged.get(roles);
        return merged == null ? null : merged.permissions();
    }
}
