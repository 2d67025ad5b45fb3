package io.plat.engine.rbac.index;

import io.plat.engine.lookup.ShardedMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Update of the merged role sets from one index to the next: sets with a changed role are derived from their previous state, new ones from the
 * previous set of a scope if most of it is unchanged, and unused ones are dropped.
 */
final class MergedEdit {
    private final RbacIndex.Parts before;
    private final RoleSlots slots;
    private final Map<RoleSet, Integer> usersChange = new HashMap<>();
    private final Map<RoleSet, RoleSet> predecessors = new HashMap<>();

    /**
     * The rules of several roles as one index.
     *
     * @param permissions the index
     * @param users number of scopes that use it; without any it is dropped
     */
    record MergedRoles(RuleTree permissions, int users) {}

    MergedEdit(RbacIndex.Parts before, RoleSlots slots) {
        this.before = before;
        this.slots = slots;
    }

    /** Replaces the roles of a scope; the empty set means no scope. */
    void replace(RoleSet old, RoleSet now) {
        if (old.equals(now)) {
            return;
        }
        if (old.isMerged()) {
            usersChange.merge(old, -1, Integer::sum);
        }
        if (now.isMerged()) {
            usersChange.merge(now, 1, Integer::sum);
            predecessors.put(now, old);
        }
    }

    /** The sets afterwards. */
    ShardedMap<RoleSet, MergedRoles> apply(Collection<CompiledRole> changedRoles) {
        Map<RoleSet, MergedRoles> puts = withChangedRoles(changedRoles);
        List<RoleSet> removals = new ArrayList<>();
        Map<RoleSet, Integer> fresh = new HashMap<>();
        usersChange.forEach((set, change) -> {
            MergedRoles known = puts.getOrDefault(set, before.merged().get(set));
            int users = (known == null ? 0 : known.users()) + change;
            if (users <= 0) {
                removals.add(set);
            } else if (known == null) {
                fresh.put(set, users);
            } else {
                puts.put(set, new MergedRoles(known.permissions(), users));
            }
        });
        fresh.forEach((set, users) -> puts.put(set, new MergedRoles(merge(set, puts), users)));
        removals.forEach(puts::remove);
        return before.merged().with(puts, removals);
    }

    private Map<RoleSet, MergedRoles> withChangedRoles(Collection<CompiledRole> changedRoles) {
        List<CompiledRole> known = changedRoles.stream()
                .filter(role -> role.id() < before.nextId())
                .filter(role -> role.permissions() != before.slots().get(role.id()).permissions())
                .toList();
        Map<RoleSet, MergedRoles> puts = new HashMap<>();
        if (known.isEmpty()) {
            return puts;
        }
        before.merged().forEach((set, merged) -> {
            List<CompiledRule> minus = new ArrayList<>();
            List<CompiledRule> plus = new ArrayList<>();
            for (CompiledRole role : known) {
                if (set.position(role.id()) >= 0) {
                    minus.addAll(before.slots().get(role.id()).rules());
                    plus.addAll(role.rules());
                }
            }
            if (!minus.isEmpty() || !plus.isEmpty()) {
                puts.put(set, new MergedRoles(merged.permissions().change(minus, plus), merged.users()));
            }
        });
        return puts;
    }

    private RuleTree merge(RoleSet set, Map<RoleSet, MergedRoles> changed) {
        RoleSet old = predecessors.getOrDefault(set, RoleSet.EMPTY);
        MergedRoles known = changed.getOrDefault(old, before.merged().get(old));
        int[] removed = old.without(set);
        int[] added = set.without(old);
        return known == null || removed.length + added.length > set.size() / 2
                ? RuleTree.EMPTY.change(List.of(), rules(set.without(RoleSet.EMPTY)))
                : known.permissions().change(rules(removed), rules(added));
    }

    private List<CompiledRule> rules(int[] ids) {
        return Arrays.stream(ids)
                .mapToObj(slots::get)
                .flatMap(role -> role.rules().stream())
                .toList();
    }
}
