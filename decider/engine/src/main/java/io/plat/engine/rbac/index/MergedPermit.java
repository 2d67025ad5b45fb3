package io.plat.engine.rbac.index;

import io.plat.engine.lookup.ShardedMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Several rules for one resource or path pattern: those for any name, and those for certain names by name. */
final class MergedPermit implements Permit {
    static final MergedPermit EMPTY = new MergedPermit(RuleBucket.EMPTY, ShardedMap.empty());

    private final RuleBucket anyName;
    private final ShardedMap<String, RuleBucket> byName;

    private MergedPermit(RuleBucket anyName, ShardedMap<String, RuleBucket> byName) {
        this.anyName = anyName;
        this.byName = byName;
    }

    @Override
    public @Nullable CompiledRule find(long bit, String verb, String name) {
        CompiledRule found = anyName.find(bit, verb);
        if (found != null || name.isEmpty() || byName.isEmpty()) {
            return found;
        }
        RuleBucket named = byName.get(name);
        return named == null ? null : named.find(bit, verb);
    }

    @Nullable
    MergedPermit change(Set<CompiledRule> minus, Collection<CompiledRule> plus) {
        List<CompiledRule> unnamed =
                plus.stream().filter(rule -> rule.names().isEmpty()).toList();
        boolean anyChanges = !unnamed.isEmpty()
                || minus.stream().anyMatch(rule -> rule.names().isEmpty());
        RuleBucket any = anyChanges ? anyName.change(minus, unnamed) : anyName;
        ShardedMap<String, RuleBucket> named = changeNamed(minus, plus);
        return any.isEmpty() && named.isEmpty() ? null : new MergedPermit(any, named);
    }

    private ShardedMap<String, RuleBucket> changeNamed(Set<CompiledRule> minus, Collection<CompiledRule> plus) {
        Set<String> touched = new HashSet<>();
        minus.forEach(rule -> touched.addAll(rule.names()));
        Map<String, List<CompiledRule>> added = new HashMap<>();
        for (CompiledRule rule : plus) {
            for (String name : rule.names()) {
                added.computeIfAbsent(name, n -> new ArrayList<>()).add(rule);
            }
        }
        touched.addAll(added.keySet());
        if (touched.isEmpty()) {
            return byName;
        }
        Map<String, RuleBucket> puts = new HashMap<>();
        List<String> removals = new ArrayList<>();
        for (String name : touched) {
            RuleBucket before = byName.get(name);
            RuleBucket after =
                    (before == null ? RuleBucket.EMPTY : before).change(minus, added.getOrDefault(name, List.of()));
            if (after.isEmpty()) {
                removals.add(name);
            } else {
                puts.put(name, after);
            }
        }
        return byName.with(puts, removals);
    }
}
