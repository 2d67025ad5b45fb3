package io.plat.engine.rbac;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a role object.
 *
 * @param kind its type
 * @param namespace its namespace, {@code ""} for a type without one
 */
public record ObjectKey(RbacKind kind, String namespace, String name) implements Comparable<ObjectKey> {
    private static final Comparator<ObjectKey> ORDER = Comparator.comparing(ObjectKey::kind)
            .thenComparing(ObjectKey::namespace)
            .thenComparing(ObjectKey::name);

    /** Returns the same hash code as a record's generated method, which would be slower. */
    @Override
    public int hashCode() {
        return 31 * (31 * kind.hashCode() + namespace.hashCode()) + name.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ObjectKey key
                && kind == key.kind
                && name.equals(key.name)
                && namespace.equals(key.namespace);
    }

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }

    /** Returns {@code kind/namespace/name}, or {@code kind/name} for a type without a namespace. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? kind.kind() + "/" + name : kind.kind() + "/" + namespace + "/" + name;
    }
}
