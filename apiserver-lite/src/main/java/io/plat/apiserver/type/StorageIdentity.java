package io.plat.apiserver.type;

import io.plat.apiserver.stored.StorageRegistry;
import io.plat.engine.rbac.RbacKind;
import io.plat.review.ApiGroups;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * The identity of a stored type: the key prefix that holds its objects. All versions and aliases of a type share one, no two types do, and it
 * never changes. Checks that protect a type's objects hang on it, not on a path, a kind or a version that a client chose.
 *
 * <p>The catalog makes those of built-in types; a {@link StorageRegistry} makes those of custom types.
 */
public final class StorageIdentity {
    /** The identity of types whose objects are not stored. */
    public static final StorageIdentity NONE = new StorageIdentity("", Set.of(), "");

    private final String resource;
    private final Set<String> apiVersions;
    private final String kind;
    private final Optional<RbacKind> role;

    public StorageIdentity(String resource, Set<String> apiVersions, String kind) {
        this.resource = resource;
        this.apiVersions = Set.copyOf(apiVersions);
        this.kind = kind;
        this.role = Arrays.stream(RbacKind.values())
                .filter(each -> resource.equals(each.resource() + "." + ApiGroups.RBAC))
                .findFirst();
    }

    /** The resource, with its group, that begins every key of the type's objects; {@code ""} where none are stored. */
    public String resource() {
        return resource;
    }

    /** The kind of role object that is stored here, if it is one. */
    public Optional<RbacKind> role() {
        return role;
    }

    /** Whether its objects grant something by what they say. */
    public boolean guarded() {
        return role.isPresent() || resource.equals(ResourceCatalog.CERTIFICATE_REQUESTS);
    }

    /**
     * Whether the type may have been written in a version: one that it serves, or one of another group. A group without a dot has no custom
     * types; exports of other servers name their earlier versions.
     */
    public boolean mayBeWrittenIn(String apiVersion) {
        String group = group(apiVersion);
        return group.indexOf('.') < 0
                || apiVersions.contains(apiVersion)
                || apiVersions.stream().noneMatch(own -> group(own).equals(group));
    }

    private static String group(String apiVersion) {
        return ApiGroups.canonical(apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/'))));
    }

    /** Whether an object that is stored with this apiVersion and kind is one of the type's. */
    public boolean stores(String apiVersion, String ofKind) {
        return (apiVersion.isEmpty() || apiVersions.contains(apiVersion)) && (ofKind.isEmpty() || ofKind.equals(kind));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StorageIdentity identity && resource.equals(identity.resource);
    }

    @Override
    public int hashCode() {
        return resource.hashCode();
    }

    @Override
    public String toString() {
        return resource;
    }
}
