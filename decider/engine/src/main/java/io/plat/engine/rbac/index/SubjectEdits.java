package io.plat.engine.rbac.index;

import io.plat.engine.lookup.ShardedMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes of subjects, by name and namespace, while one index becomes the next. */
final class SubjectEdits {
    private final Map<String, Map<String, ScopeChange>> changes = new HashMap<>();

    /** The change of one scope; {@code ""} is the cluster. */
    ScopeChange change(String subject, String namespace) {
        return changes.computeIfAbsent(subject, name -> new HashMap<>(2))
                .computeIfAbsent(namespace, name -> new ScopeChange());
    }

    ShardedMap<String, SubjectEntry> applyTo(ShardedMap<String, SubjectEntry> before, MergedEdit merged) {
        Map<String, SubjectEntry> puts = HashMap.newHashMap(changes.size());
        List<String> removals = new ArrayList<>();
        changes.forEach((subject, scopes) -> {
            SubjectEntry known = before.get(subject);
            SubjectEntry after = change(known == null ? SubjectEntry.EMPTY : known, scopes, merged);
            if (after.isEmpty()) {
                removals.add(subject);
            } else {
                puts.put(subject, after);
            }
        });
        return before.with(puts, removals);
    }

    private static SubjectEntry change(SubjectEntry before, Map<String, ScopeChange> scopes, MergedEdit merged) {
        Scope cluster = before.cluster();
        Map<String, Scope> puts = new HashMap<>();
        List<String> removals = new ArrayList<>();
        for (Map.Entry<String, ScopeChange> change : scopes.entrySet()) {
            String namespace = change.getKey();
            Scope old =
                    namespace.isEmpty() ? before.cluster() : before.namespaces().get(namespace);
            Scope after = change.getValue().applyTo(old);
            merged.replace(roles(old), roles(after));
            if (namespace.isEmpty()) {
                cluster = after;
            } else if (after == null) {
                removals.add(namespace);
            } else {
                puts.put(namespace, after);
            }
        }
        return new SubjectEntry(cluster, before.namespaces().with(puts, removals));
    }

    private static RoleSet roles(@Nullable Scope scope) {
        return scope == null ? RoleSet.EMPTY : scope.merged();
    }
}
