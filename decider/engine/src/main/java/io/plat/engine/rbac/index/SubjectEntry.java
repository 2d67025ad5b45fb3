package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import io.plat.engine.lookup.ShardedMap;
import org.jspecify.annotations.Nullable;

/**
 * Where one user or group is bound.
 *
 * @param cluster through cluster bindings, or null
 * @param namespaces through role bindings, by namespace
 */
record SubjectEntry(@Nullable Scope cluster, ShardedMap<String, Scope> namespaces) {
    static final SubjectEntry EMPTY = new SubjectEntry(null, ShardedMap.empty());

    /**
     * An Allow where this subject may do what is asked, or null.
     *
     * @param namespace the request's namespace, {@code ""} where only cluster bindings count
     */
    Decision.@Nullable Allow find(RbacIndex index, Asked asked, String namespace) {
        Decision.Allow allow = cluster == null ? null : cluster.find(index, asked);
        if (allow != null || namespace.isEmpty()) {
            return allow;
        }
        Scope scope = namespaces.get(namespace);
        return scope == null ? null : scope.find(index, asked);
    }

    boolean isEmpty() {
        return cluster == null && namespaces.isEmpty();
    }
}
