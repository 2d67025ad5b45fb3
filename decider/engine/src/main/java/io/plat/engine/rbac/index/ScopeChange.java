package io.plat.engine.rbac.index;

import io.plat.engine.rbac.ObjectKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The bindings that go from a scope, and those that come, by role. */
final class ScopeChange {
    private final TreeMap<Integer, Row> rows = new TreeMap<>();

    /** A binding no longer gives the role. */
    void remove(int role, ObjectKey binding) {
        rows.computeIfAbsent(role, r -> new Row()).minus.add(binding);
    }

    /** A binding gives a role. */
    void add(Bound bound) {
        rows.computeIfAbsent(bound.role(), r -> new Row()).plus.add(bound);
    }

    /** The scope afterwards; null where nothing is left. The roles that are not concerned are copied, not looked at. */
    @Nullable
    Scope applyTo(@Nullable Scope before) {
        return switch (before) {
            case null -> merge(RoleSet.EMPTY, new Bound[0][]);
            case Bound bound -> merge(new RoleSet(new int[] {bound.role()}), new Bound[][] {{bound}});
            case BoundRoles several -> merge(several.roles(), several.all());
        };
    }

    private @Nullable Scope merge(RoleSet roles, Bound[][] bounds) {
        int[] newRoles = new int[roles.size() + rows.size()];
        Bound[][] newBounds = new Bound[newRoles.length][];
        int size = 0;
        int position = 0;
        for (Map.Entry<Integer, Row> row : rows.entrySet()) {
            int from = position;
            while (position < roles.size() && roles.id(position) < row.getKey()) {
                newRoles[size + position - from] = roles.id(position);
                position++;
            }
            System.arraycopy(bounds, from, newBounds, size, position - from);
            size += position - from;
            boolean known = position < roles.size() && roles.id(position) == row.getKey();
            Bound[] changed = row.getValue().applyTo(known ? bounds[position++] : new Bound[0]);
            if (changed.length > 0) {
                newRoles[size] = row.getKey();
                newBounds[size++] = changed;
            }
        }
        for (; position < roles.size(); position++) {
            newRoles[size] = roles.id(position);
            newBounds[size++] = bounds[position];
        }
        return scope(Arrays.copyOf(newRoles, size), Arrays.copyOf(newBounds, size));
    }

    private static @Nullable Scope scope(int[] roles, Bound[][] bounds) {
        if (roles.length == 0) {
            return null;
        }
        return roles.length == 1 && bounds[0].length == 1 ? bounds[0][0] : new BoundRoles(new RoleSet(roles), bounds);
    }

    /** What changes for one role. */
    private static final class Row {
        private final Set<ObjectKey> minus = new HashSet<>();
        private final List<Bound> plus = new ArrayList<>();

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
}
