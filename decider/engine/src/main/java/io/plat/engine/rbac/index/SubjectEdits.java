package io.plat.engine.rbac.index;

import io.plat.engine.lookup.ShardedMap;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.index.Scope.Bound;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes of subjects for the next index, by name and namespace. */
final class SubjectEdits {
    private final Map<String, Map<String, ScopeChange>> changes = new HashMap<>();

    /** Returns the change of one scope; {@code ""} is the cluster. */
    ScopeChange change(String subject, String namespace) {
        return changes.computeIfAbsent(subject, name -> new HashMap<>(2))
                .computeIfAbsent(namespace, name -> new ScopeChange());
    }

    ShardedMap<String, SubjectEntry> applyTo(ShardedMap<String, SubjectEntry> before, MergedEdit merged) {
        Map<String, @Nullable SubjectEntry> after = HashMap.newHashMap(changes.size());
        changes.forEach((subject, scopes) -> {
            SubjectEntry known = before.get(subject);
            SubjectEntry changed = change(known == null ? SubjectEntry.EMPTY : known, scopes, merged);
            after.put(subject, changed.isEmpty() ? null : changed);
        });
        return before.with(after);
    }

    private static SubjectEntry change(SubjectEntry before, Map<String, ScopeChange> scopes, MergedEdit merged) {
        Scope cluster = before.cluster();
        Map<String, @Nullable Scope> namespaces = new HashMap<>();
        for (Map.Entry<String, ScopeChange> change : scopes.entrySet()) {
            String namespace = change.getKey();
            Scope old =
                    namespace.isEmpty() ? before.cluster() : before.namespaces().get(namespace);
            Scope after = change.getValue().applyTo(old);
            merged.replace(old == null ? RoleSet.EMPTY : old.roles(), after == null ? RoleSet.EMPTY : after.roles());
            if (namespace.isEmpty()) {
                cluster = after;
            } else {
                namespaces.put(namespace, after);
            }
        }
        return new SubjectEntry(cluster, before.namespaces().with(namespaces));
    }

    /** Removed and added bindings of a scope, by role. */
    static final class ScopeChange {
        private final TreeMap<Integer, RoleChange> roles = new TreeMap<>();

        private record RoleChange(Set<ObjectKey> minus, List<Bound> plus) {
            Bound[] applyTo(Bound[] before) {
                List<Bound> after = new ArrayList<>(before.length + plus.size());
                for (Bound bound : before) {
                    if (minus.isEmpty() || !minus.contains(bound.binding().key())) {
                        after.add(bound);
                    }
                }
                after.addAll(plus);
                return after.toArray(Bound[]::new);
            }
        }

        private RoleChange of(int role) {
            return roles.computeIfAbsent(role, one -> new RoleChange(new HashSet<>(), new ArrayList<>()));
        }

        /** Removes a binding of a role. */
        void remove(int role, ObjectKey binding) {
            of(role).minus.add(binding);
        }

        /** Adds a binding of a role. */
        void add(Bound bound) {
            of(bound.role()).plus.add(bound);
        }

        /** Returns the changed scope; null if it is empty. Unaffected roles are copied without accessing them. */
        private @Nullable Scope applyTo(@Nullable Scope before) {
            RoleSet oldRoles = before == null ? RoleSet.EMPTY : before.roles();
            Bound[][] oldBounds = before == null ? new Bound[0][] : before.bounds();
            int[] newRoles = new int[oldRoles.size() + roles.size()];
            Bound[][] newBounds = new Bound[newRoles.length][];
            int size = 0;
            int position = 0;
            for (Map.Entry<Integer, RoleChange> change : roles.entrySet()) {
                int role = change.getKey();
                for (; position < oldRoles.size() && oldRoles.id(position) < role; position++) {
                    newRoles[size] = oldRoles.id(position);
                    newBounds[size++] = oldBounds[position];
                }
                boolean known = position < oldRoles.size() && oldRoles.id(position) == role;
                Bound[] changed = change.getValue().applyTo(known ? oldBounds[position++] : new Bound[0]);
                if (changed.length > 0) {
                    newRoles[size] = role;
                    newBounds[size++] = changed;
                }
            }
            for (; position < oldRoles.size(); position++) {
                newRoles[size] = oldRoles.id(position);
                newBounds[size++] = oldBounds[position];
            }
            if (size == 0) {
                return null;
            }
            return size == 1 && newBounds[0].length == 1
                    ? newBounds[0][0]
                    : new Scope.Several(new RoleSet(Arrays.copyOf(newRoles, size)), Arrays.copyOf(newBounds, size));
        }
    }
}
