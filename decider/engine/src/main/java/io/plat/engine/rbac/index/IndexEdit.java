package io.plat.engine.rbac.index;

import io.plat.engine.lookup.Frozen;
import io.plat.engine.lookup.ShardedMap;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A change of an index: computes the parts of the next index. Used once, by one thread. */
final class IndexEdit {
    private static final Logger LOG = LoggerFactory.getLogger(IndexEdit.class);

    private final RbacIndex.Parts before;
    private final Map<ObjectKey, CompiledRole> roles = new LinkedHashMap<>();
    private final Map<ObjectKey, RbacRole> aggregating;
    private ShardedMap<ObjectKey, Aggregation.Source> clusterRoles;
    private final Map<ObjectKey, @Nullable RbacBinding> bindings = new HashMap<>();
    private final SubjectEdits users = new SubjectEdits();
    private final SubjectEdits groups = new SubjectEdits();
    private int existing;
    private int nextId;
    private int unused;

    IndexEdit(RbacIndex.Parts before) {
        this.before = before;
        this.aggregating = new HashMap<>(before.aggregating());
        this.clusterRoles = before.clusterRoles();
        this.existing = before.existing();
        this.nextId = before.nextId();
        this.unused = before.unused();
    }

    RbacIndex apply(Map<ObjectKey, ? extends @Nullable RbacObject> changes) {
        changeRoles(changes);
        changes.forEach((key, object) -> {
            if (!key.kind().isRole()) {
                changeBinding(key, (RbacBinding) object);
            }
        });
        return new RbacIndex(parts());
    }

    private void changeRoles(Map<ObjectKey, ? extends @Nullable RbacObject> changes) {
        List<RbacRole> concerned = new ArrayList<>();
        changes.forEach((key, object) -> {
            if (key.kind().isRole()) {
                changeRole(key, (RbacRole) object, concerned);
            }
        });
        changeClusterRoles();
        concerned.removeIf(role -> role.key().kind() != RbacKind.CLUSTER_ROLE);
        Set<ObjectKey> affected = Aggregation.affected(aggregating.values(), concerned);
        if (!affected.isEmpty()) {
            List<Aggregation.Source> all = new ArrayList<>(clusterRoles.size());
            clusterRoles.forEach((key, source) -> all.add(source));
            Aggregation aggregation = new Aggregation(all);
            affected.forEach(key -> roles.compute(key, (same, changed) -> {
                RbacRole role = aggregating.get(key);
                CompiledRole known = changed == null ? before.roles().get(key) : changed;
                return role == null || known == null ? changed : aggregated(known, aggregation.rulesOf(role));
            }));
        }
    }

    private static CompiledRole aggregated(CompiledRole role, Aggregation.AggregatedRules now) {
        if (!now.leftOut().isEmpty() && !now.leftOut().equals(role.leftOut())) {
            LOG.warn(
                    "a role lacks rules that it should aggregate, as they exceed the limit: role={} limit_characters={} omitted={} example={}",
                    Quoted.oneLine(role.key().toString()),
                    Aggregation.MAX_TEXT,
                    now.leftOut().size(),
                    Quoted.oneLine(now.leftOut().getFirst().toString()));
        }
        return role.with(now);
    }

    private void changeClusterRoles() {
        Map<ObjectKey, Aggregation.@Nullable Source> changes = new HashMap<>();
        roles.forEach((key, compiled) -> {
            if (key.kind() == RbacKind.CLUSTER_ROLE) {
                RbacRole role = compiled.role();
                changes.put(key, role == null ? null : Aggregation.Source.of(role));
            }
        });
        clusterRoles = clusterRoles.with(changes);
    }

    private void changeRole(ObjectKey key, @Nullable RbacRole role, List<RbacRole> concerned) {
        CompiledRole old = compiledOrNull(key);
        RbacRole oldRole = old == null ? null : old.role();
        if (Objects.equals(role, oldRole)) {
            return;
        }
        if (old != null && role != null && changesOnlyAggregatedRules(oldRole, role)) {
            aggregating.put(key, role);
            roles.put(key, old.rewritten(role));
            return;
        }
        if (oldRole != null) {
            concerned.add(oldRole);
        }
        if (role == null) {
            if (old != null && oldRole != null) {
                roles.put(key, CompiledRole.missing(old.id(), key));
                aggregating.remove(key);
                existing--;
                unused++;
            }
            return;
        }
        concerned.add(role);
        existing += oldRole == null ? 1 : 0;
        int id = old == null ? nextId++ : old.id();
        if (role.aggregation() == null) {
            aggregating.remove(key);
        } else {
            aggregating.put(key, role);
        }
        roles.put(key, CompiledRole.of(id, role));
    }

    /** Returns whether only the rules of an aggregating role changed, which the server writes and which are not used. */
    private static boolean changesOnlyAggregatedRules(@Nullable RbacRole before, @Nullable RbacRole after) {
        return before != null
                && after != null
                && after.aggregation() != null
                && after.aggregation().equals(before.aggregation())
                && after.labels().equals(before.labels());
    }

    private @Nullable CompiledRole compiledOrNull(ObjectKey key) {
        CompiledRole changed = roles.get(key);
        return changed == null ? before.roles().get(key) : changed;
    }

    /** Returns the role of a key, a placeholder if it does not exist. */
    private CompiledRole compiled(ObjectKey key) {
        CompiledRole known = compiledOrNull(key);
        if (known != null) {
            return known;
        }
        // Deleting its last binding is not tracked, so it counts as unused from the start.
        unused++;
        CompiledRole missing = CompiledRole.missing(nextId++, key);
        roles.put(key, missing);
        return missing;
    }

    private void changeBinding(ObjectKey key, @Nullable RbacBinding binding) {
        RbacBinding old = before.bindings().get(key);
        if (Objects.equals(binding, old)) {
            return;
        }
        Set<BoundSubject> kept = kept(old, binding);
        if (old != null) {
            changeSubjects(old, kept, false);
        }
        bindings.put(key, binding);
        if (binding != null) {
            changeSubjects(binding, kept, true);
        }
    }

    /** Returns the subjects that are unaffected by a change of a binding. */
    private static Set<BoundSubject> kept(@Nullable RbacBinding old, @Nullable RbacBinding changed) {
        if (old == null || changed == null || !old.withoutSubjects().equals(changed.withoutSubjects())) {
            return Set.of();
        }
        Set<BoundSubject> kept = new HashSet<>(BoundSubject.allOf(old));
        kept.retainAll(new HashSet<>(BoundSubject.allOf(changed)));
        return kept;
    }

    private void changeSubjects(RbacBinding binding, Set<BoundSubject> kept, boolean added) {
        ObjectKey roleKey = binding.role();
        if (roleKey == null) {
            return;
        }
        int role = compiled(roleKey).id();
        RbacBinding alone = binding.withoutSubjects();
        for (BoundSubject subject : BoundSubject.allOf(binding)) {
            if (kept.contains(subject)) {
                continue;
            }
            SubjectEdits edits = subject.isGroup() ? groups : users;
            SubjectEdits.ScopeChange change =
                    edits.change(subject.name(), binding.key().namespace());
            if (added) {
                change.add(new Scope.Bound(role, alone, subject.subject()));
            } else {
                change.remove(role, binding.key());
            }
        }
    }

    private RbacIndex.Parts parts() {
        CompiledRole[] slots = roles.isEmpty() ? before.slots() : Arrays.copyOf(before.slots(), nextId);
        roles.values().forEach(role -> slots[role.id()] = role);
        MergedEdit merged = new MergedEdit(before, slots);
        ShardedMap<String, SubjectEntry> newUsers = users.applyTo(before.users(), merged);
        ShardedMap<String, SubjectEntry> newGroups = groups.applyTo(before.groups(), merged);
        return new RbacIndex.Parts(
                slots,
                before.roles().with(roles),
                Frozen.copyOf(aggregating),
                clusterRoles,
                before.bindings().with(bindings),
                newUsers,
                newGroups,
                merged.apply(roles.values()),
                merged.entries(),
                existing,
                nextId,
                // Without previous parts this is a full build.
                before.nextId() == 0 ? 0 : unused);
    }
}
