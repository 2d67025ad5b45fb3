package io.plat.apiserver.type;

import io.plat.apiserver.stored.StorageRegistry;
import io.plat.engine.lookup.Frozen;
import io.plat.engine.rbac.RbacKind;
import io.plat.review.ApiGroups;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Identity of a stored type: the key prefix of its objects. It is shared by all versions and aliases of a type, unique to the type, and
 * never changes. Security checks depend on it, not on a path, kind or version that a client chose.
 *
 * <p>Created by the catalog for built-in types, and by the {@link StorageRegistry} for custom types.
 */
public final class StorageIdentity {
    /** Identity of types without stored objects. */
    public static final StorageIdentity NONE = new StorageIdentity("", Set.of(), "");

    private final String resource;
    private final Set<String> apiVersions;
    private final String kind;
    private final Optional<RbacKind> role;

    public StorageIdentity(String resource, Set<String> apiVersions, String kind) {
        this.resource = resource;
        this.apiVersions = Frozen.copyOf(apiVersions);
        this.kind = kind;
        this.role = Arrays.stream(RbacKind.values())
                .filter(each -> resource.equals(each.resource() + "." + ApiGroups.RBAC))
                .findFirst();
    }

    /** Returns the resource, with its group, that starts every key of the type's objects; {@code ""} for none. */
    public String resource() {
        return resource;
    }

    public Optional<RbacKind> role() {
        return role;
    }

    /** Returns whether its objects grant permissions by their content. */
    public boolean guarded() {
        return role.isPresent() || resource.equals(ResourceCatalog.CERTIFICATE_REQUESTS);
    }

    /**
     * Returns whether objects may have been written in a version: one that the type serves, or one of another group. A group without a
     * dot has no custom types; exports of other servers name their earlier versions.
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

    /** Returns whether an object with this apiVersion and kind belongs to the type. */
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
