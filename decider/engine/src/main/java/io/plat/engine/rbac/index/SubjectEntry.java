package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import io.plat.engine.lookup.ShardedMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bindings of one user or group. */
final class SubjectEntry {
    static final SubjectEntry EMPTY = new SubjectEntry(null, ShardedMap.empty());

    private final @Nullable Scope cluster;
    private final ShardedMap<String, Scope> namespaces;
    /** The only namespace and its scope, as most subjects have one, which is read without a map lookup. */
    private final @Nullable String onlyNamespace;

    private final @Nullable Scope onlyScope;

    /**
     * Creates an entry.
     *
     * @param cluster its scope through cluster bindings, or null
     * @param namespaces its scopes through role bindings, by namespace
     */
    SubjectEntry(@Nullable Scope cluster, ShardedMap<String, Scope> namespaces) {
        this.cluster = cluster;
        this.namespaces = namespaces;
        Map.Entry<String, Scope> only = namespaces.onlyEntry();
        this.onlyNamespace = only == null ? null : only.getKey();
        this.onlyScope = only == null ? null : only.getValue();
    }

    @Nullable
    Scope cluster() {
        return cluster;
    }

    ShardedMap<String, Scope> namespaces() {
        return namespaces;
    }

    /** Returns an Allow if this subject is granted the request, else null. */
    Decision.@Nullable Allow find(RbacIndex index, CompiledRequest request) {
        Decision.Allow allow = cluster == null ? null : cluster.find(index, request);
        if (allow != null || request.namespace.isEmpty()) {
            return allow;
        }
        Scope scope = onlyNamespace == null
                ? namespaces.get(request.namespace)
                : (onlyNamespace.equals(request.namespace) ? onlyScope : null);
        return scope == null ? null : scope.find(index, request);
    }

    boolean isEmpty() {
        return cluster == null && namespaces.isEmpty();
    }
}
