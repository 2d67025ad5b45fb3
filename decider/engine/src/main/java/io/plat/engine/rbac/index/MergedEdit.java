package io.plat.engine.rbac.index;

import io.plat.engine.lookup.ShardedMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the merged sets of roles in step while one index becomes the next: those with a changed role are derived from what they
 * were, new ones from the set that a scope had before where most of it stays, and those that no scope uses are dropped.
 */
final class MergedEdit {
    private final RbacIndex.Parts before;
    private final RoleSlots slots;
    private final Map<RoleSet, Integer> usersChange = new HashMap<>();
    private final Map<RoleSet, RoleSet> predecessors = new HashMap<>();

    MergedEdit(RbacIndex.Parts before, RoleSlots slots) {
        this.before = before;
        this.slots = slots;
    }

    /** A scope used one set and uses another now; the empty set stands for none. */
    void replace(RoleSet old, RoleSet now) {
        if (old.equals(now)) {
            return;
        }
        if (old.size() > 0) {
            usersChange.merge(old, -1, Integer::sum);
        }
        if (now.size() > 0) {
            usersChange.merge(now, 1, Integer::sum);
            predecessors.put(now, old);
        }
    }

    /** The sets afterwards. */
    ShardedMap<RoleSet, MergedRoles> apply(Collection<CompiledRole> changedRoles) {
        Map<RoleSet, MergedRoles> puts = withChangedRoles(changedRoles);
        List<RoleSet> removals = new ArrayList<>();
        List<RoleSet> fresh = new ArrayList<>();
        usersChange.forEach((set, change) -> {
            MergedRoles known = puts.getOrDefault(set, before.merged().get(set));
            if (known == null) {
                fresh.add(set);
            } else if (known.users() + change > 0) {
                puts.put(set, new MergedRoles(set, known.permissions(), known.users() + change));
            } else {
                removals.add(set);
            }
        });
        for (RoleSet set : fresh) {
            int users = usersChange.getOrDefault(set, 0);
            if (users > 0) {
                puts.put(set, new MergedRoles(set, merge(set, puts), users));
            }
        }
        removals.forEach(puts::remove);
        return before.merged().with(puts, removals);
    }

    private Map<RoleSet, MergedRoles> withChangedRoles(Collection<CompiledRole> changedRoles) {
        List<CompiledRole> known = changedRoles.stream()
                .filter(role -> role.id() < before.nextId())
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
                puts.put(set, new MergedRoles(set, merged.permissions().change(minus, plus), merged.users()));
            }
        });
        return puts;
    }

    private PermissionSet merge(RoleSet set, Map<RoleSet, MergedRoles> changed) {
        RoleSet old = predecessors.getOrDefault(set, RoleSet.EMPTY);
        MergedRoles known = changed.getOrDefault(old, before.merged().get(old));
        if (known == null) {
            return PermissionSet.EMPTY.change(List.of(), rules(ids(set)));
        }
        int[] gone = old.without(set);
        int[] come = set.without(old);
        return gone.length + come.length > set.size() / 2
                ? PermissionSet.EMPTY.change(List.of(), rules(ids(set)))
                : known.permissions().change(rules(gone), rules(come));
    }

    private static int[] ids(RoleSet set) {
        return set.without(RoleSet.EMPTY);
    }

    private List<CompiledRule> rules(int[] ids) {
        return Arrays.stream(ids)
                .mapToObj(slots::get)
                .flatMap(role -> role.rules().stream())
                .toList();
    }
}
