package io.plat.engine.rbac.index;

import io.plat.engine.lookup.ShardedMap;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One change of an index, from the objects to the parts of the next index. Used once and by one thread. */
final class IndexEdit {
    private final RbacIndex.Parts before;
    private final Map<ObjectKey, CompiledRole> roles = new LinkedHashMap<>();
    private final Map<ObjectKey, RbacRole> aggregating;
    private final Map<ObjectKey, RbacBinding> bindings = new HashMap<>();
    private final List<ObjectKey> removedBindings = new ArrayList<>();
    private final SubjectEdits users = new SubjectEdits();
    private final SubjectEdits groups = new SubjectEdits();
    private int existing;
    private int nextId;
    private int leftBehind;

    IndexEdit(RbacIndex.Parts before) {
        this.before = before;
        this.aggregating = new HashMap<>(before.aggregating());
        this.existing = before.existing();
        this.nextId = before.nextId();
        this.leftBehind = before.leftBehind();
    }

    RbacIndex apply(Collection<? extends RbacObject> puts, Collection<ObjectKey> removals) {
        Map<ObjectKey, @Nullable RbacObject> changes = new LinkedHashMap<>();
        removals.forEach(key -> changes.put(key, null));
        puts.forEach(object -> changes.put(object.key(), object));
        changeRoles(changes);
        changes.forEach((key, object) -> {
            if (!key.kind().isRole()) {
                changeBinding(key, (RbacBinding) object);
            }
        });
        return new RbacIndex(parts());
    }

    private void changeRoles(Map<ObjectKey, @Nullable RbacObject> changes) {
        List<RbacRole> concerned = new ArrayList<>();
        changes.forEach((key, object) -> {
            if (key.kind().isRole()) {
                changeRole(key, (RbacRole) object, concerned);
            }
        });
        concerned.removeIf(role -> role.key().kind() != RbacKind.CLUSTER_ROLE);
        Set<ObjectKey> affected = Aggregation.affected(aggregating.values(), concerned);
        if (!affected.isEmpty()) {
            Aggregation aggregation = new Aggregation(clusterRoles());
            for (ObjectKey key : affected) {
                RbacRole role = aggregating.get(key);
                if (role != null) {
                    roles.put(key, CompiledRole.of(compiled(key).id(), role, aggregation.rulesOf(role)));
                }
            }
        }
    }

    private void changeRole(ObjectKey key, @Nullable RbacRole role, List<RbacRole> concerned) {
        CompiledRole old = compiledOrNull(key);
        RbacRole oldRole = old == null ? null : old.role();
        if (oldRole != null) {
            concerned.add(oldRole);
        }
        if (role == null) {
            if (old != null && oldRole != null) {
                roles.put(key, CompiledRole.missing(old.id(), key));
                aggregating.remove(key);
                existing--;
                leftBehind++;
            }
            return;
        }
        concerned.add(role);
        existing += oldRole == null ? 1 : 0;
        int id = old == null ? nextId++ : old.id();
        if (role.aggregation() == null) {
            aggregating.remove(key);
            roles.put(key, CompiledRole.of(id, role, role.rules()));
        } else {
            aggregating.put(key, role);
            roles.put(key, CompiledRole.of(id, role, List.of()));
        }
    }

    private Map<ObjectKey, RbacRole> clusterRoles() {
        Map<ObjectKey, RbacRole> all = new HashMap<>();
        before.roles().forEach((key, compiled) -> putClusterRole(all, compiled));
        roles.values().forEach(compiled -> putClusterRole(all, compiled));
        return all;
    }

    private static void putClusterRole(Map<ObjectKey, RbacRole> all, CompiledRole compiled) {
        RbacRole role = compiled.role();
        if (role == null) {
            all.remove(compiled.key());
        } else if (compiled.key().kind() == RbacKind.CLUSTER_ROLE) {
            all.put(compiled.key(), role);
        }
    }

    private @Nullable CompiledRole compiledOrNull(ObjectKey key) {
        CompiledRole changed = roles.get(key);
        return changed == null ? before.roles().get(key) : changed;
    }

    /** A role by key; its place is made where it does not exist. */
    private CompiledRole compiled(ObjectKey key) {
        CompiledRole known = compiledOrNull(key);
        if (known != null) {
            return known;
        }
        // Deleting the last binding to it causes no notification, so it counts as unused from the start.
        leftBehind++;
        CompiledRole missing = CompiledRole.missing(nextId++, key);
        roles.put(key, missing);
        return missing;
    }

    private void changeBinding(ObjectKey key, @Nullable RbacBinding binding) {
        RbacBinding old = before.bindings().get(key);
        if (old != null) {
            changeSubjects(old, false);
        }
        if (binding == null) {
            removedBindings.add(key);
        } else {
            bindings.put(key, binding);
            changeSubjects(binding, true);
        }
    }

    private void changeSubjects(RbacBinding binding, boolean added) {
        ObjectKey roleKey = binding.role();
        if (roleKey == null) {
            return;
        }
        int role = compiled(roleKey).id();
        for (BoundSubject subject : BoundSubject.allOf(binding)) {
            SubjectEdits edits = subject.isGroup() ? groups : users;
            SubjectEdits.ScopeChange change =
                    edits.change(subject.name(), binding.key().namespace());
            if (added) {
                change.add(new Bound(role, binding, subject.subject()));
            } else {
                change.remove(role, binding.key());
            }
        }
    }

    private RbacIndex.Parts parts() {
        RoleSlots slots = before.slots().with(roles.values());
        MergedEdit merged = new MergedEdit(before, slots);
        ShardedMap<String, SubjectEntry> newUsers = users.applyTo(before.users(), merged);
        ShardedMap<String, SubjectEntry> newGroups = groups.applyTo(before.groups(), merged);
        return new RbacIndex.Parts(
                slots,
                before.roles().with(roles, List.of()),
                Map.copyOf(aggregating),
                before.bindings().with(bindings, removedBindings),
                newUsers,
                newGroups,
                merged.apply(roles.values()),
                existing,
                nextId,
                leftBehind);
    }
}
