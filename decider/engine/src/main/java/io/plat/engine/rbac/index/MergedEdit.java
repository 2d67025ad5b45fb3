package io.plat.engine.rbac.index;

import io.plat.engine.lookup.ShardedMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Update of the merged role sets for the next index: sets with a changed role are derived from their previous state, new ones from the previous set
 * of the scope if most of it is unchanged, and unused ones are dropped.
 */
final class MergedEdit {
    /** Maximum number of entries of all sets: about a seventh of the heap, as each takes some 150 bytes. */
    private static final long MAX_ENTRIES = Runtime.getRuntime().maxMemory() >> 10;

    private final RbacIndex.Parts before;
    private final CompiledRole[] slots;

    private long entries;
    private final Map<RoleSet, Integer> usersChange = new HashMap<>();
    private final Map<RoleSet, RoleSet> predecessors = new HashMap<>();

    /**
     * The rules of several roles as one index.
     *
     * @param permissions the index; null if there is no room, in which case the roles are looked up one by one
     * @param entries its approximate number of entries
     * @param users number of scopes that use it; an unused one is dropped
     */
    record MergedRoles(@Nullable RuleTree permissions, long entries, int users) {}

    MergedEdit(RbacIndex.Parts before, CompiledRole[] slots) {
        this.before = before;
        this.slots = slots;
        this.entries = before.mergedEntries();
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

    /** Returns the updated sets. */
    ShardedMap<RoleSet, MergedRoles> apply(Collection<CompiledRole> changedRoles) {
        Map<RoleSet, MergedRoles> puts = withChangedRoles(changedRoles);
        List<RoleSet> removals = new ArrayList<>();
        Map<RoleSet, Integer> added = new HashMap<>();
        usersChange.forEach((set, change) -> {
            MergedRoles known = puts.getOrDefault(set, before.merged().get(set));
            int users = (known == null ? 0 : known.users()) + change;
            if (users <= 0) {
                removals.add(set);
            } else if (known == null) {
                added.put(set, users);
            } else {
                puts.put(set, new MergedRoles(known.permissions(), known.entries(), users));
            }
        });
        removals.forEach(set -> entries -= entriesOf(set, puts));
        added.forEach((set, users) -> change(set, merged(set, users, puts), puts));
        removals.forEach(set -> puts.put(set, null));
        return before.merged().with(puts);
    }

    private void change(RoleSet set, MergedRoles after, Map<RoleSet, MergedRoles> puts) {
        entries += after.entries() - entriesOf(set, puts);
        puts.put(set, after);
    }

    private long entriesOf(RoleSet set, Map<RoleSet, MergedRoles> changed) {
        MergedRoles known = changed.getOrDefault(set, before.merged().get(set));
        return known == null ? 0 : known.entries();
    }

    /** Returns the number of entries of the updated sets. */
    long entries() {
        return entries;
    }

    private MergedRoles merged(RoleSet set, int users, Map<RoleSet, MergedRoles> changed) {
        long needed = Arrays.stream(set.without(RoleSet.EMPTY))
                .mapToLong(id -> slots[id].entries())
                .sum();
        return entries + needed > MAX_ENTRIES
                ? new MergedRoles(null, 0, users)
                : new MergedRoles(merge(set, changed), needed, users);
    }

    private Map<RoleSet, MergedRoles> withChangedRoles(Collection<CompiledRole> changedRoles) {
        List<CompiledRole> known = changedRoles.stream()
                .filter(role -> role.id() < before.nextId())
                .filter(role -> role.permissions() != before.slots()[role.id()].permissions())
                .toList();
        Map<RoleSet, MergedRoles> puts = new HashMap<>();
        if (known.isEmpty()) {
            return puts;
        }
        before.merged().forEach((set, merged) -> {
            RuleTree permissions = merged.permissions();
            if (permissions == null) {
                return;
            }
            List<CompiledRule> minus = new ArrayList<>();
            List<CompiledRule> plus = new ArrayList<>();
            long more = 0;
            for (CompiledRole role : known) {
                if (set.position(role.id()) >= 0) {
                    minus.addAll(before.slots()[role.id()].rules());
                    plus.addAll(role.rules());
                    more += role.entries() - before.slots()[role.id()].entries();
                }
            }
            if (!minus.isEmpty() || !plus.isEmpty()) {
                MergedRoles after = entries + more > MAX_ENTRIES
                        ? new MergedRoles(null, 0, merged.users())
                        : new MergedRoles(permissions.change(minus, plus), merged.entries() + more, merged.users());
                change(set, after, puts);
            }
        });
        return puts;
    }

    private RuleTree merge(RoleSet set, Map<RoleSet, MergedRoles> changed) {
        RoleSet old = predecessors.getOrDefault(set, RoleSet.EMPTY);
        MergedRoles known = changed.getOrDefault(old, before.merged().get(old));
        int[] removed = old.without(set);
        int[] added = set.without(old);
        return known == null || known.permissions() == null || removed.length + added.length > set.size() / 2
                ? RuleTree.EMPTY.change(List.of(), rules(set.without(RoleSet.EMPTY)))
                : known.permissions().change(rules(removed), rules(added));
    }

    private List<CompiledRule> rules(int[] ids) {
        return Arrays.stream(ids)
                .mapToObj(id -> slots[id])
                .flatMap(role -> role.rules().stream())
                .toList();
    }
}
