package io.plat.apiserver.type;

import io.plat.apiserver.schema.TypeSchema;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Served version of a resource type.
 *
 * @param id group, version and resource
 * @param kind kind of its objects
 * @param singular singular name
 * @param namespaced whether its objects are namespaced
 * @param verbs supported verbs
 * @param categories categories, such as {@code all}
 * @param columns table columns
 * @param identity identity in storage, shared by all its versions
 * @param form its form, if it is a custom type or has special treatment
 */
public record ResourceType(
        Id id,
        String kind,
        String singular,
        boolean namespaced,
        List<String> verbs,
        List<String> shortNames,
        List<String> categories,
        List<Column> columns,
        List<Subresource> subresources,
        StorageIdentity identity,
        TypeSchema schema,
        @Nullable TypeForm form) {
    public ResourceType {
        verbs = List.copyOf(verbs);
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        columns = List.copyOf(columns);
        subresources = List.copyOf(subresources);
    }

    /**
     * Subresource.
     *
     * @param operation type of its objects, if they are operations rather than the object itself
     */
    public record Subresource(String name, List<String> verbs, Optional<GroupVersionKind> operation) {
        public Subresource {
            verbs = List.copyOf(verbs);
        }
    }

    /**
     * Kind in a version.
     *
     * @param group API group, {@code ""} for the core group
     */
    public record GroupVersionKind(String group, String version, String kind) {}

    /** Returns a type whose objects are only parts of requests and responses; its singular name is that of the subresource. */
    public static ResourceType unstored(Id id, String kind, String part, List<String> verbs, List<Column> columns) {
        return new ResourceType(
                id,
                kind,
                part,
                true,
                verbs,
                List.of(),
                List.of(),
                columns,
                List.of(),
                StorageIdentity.NONE,
                Schemas.builtIn().find(id.group(), id.version(), kind).orElse(TypeSchema.UNKNOWN),
                null);
    }

    ResourceType formed(TypeForm by) {
        return new ResourceType(
                id,
                kind,
                singular,
                namespaced,
                verbs,
                shortNames,
                categories,
                columns,
                subresources,
                identity,
                schema,
                by);
    }

    /** Returns the warning of each response about its objects, such as a deprecation. */
    public Optional<String> warning() {
        String warning = TypeTraits.of(this).warning();
        return form != null ? form.warning() : warning.isEmpty() ? Optional.empty() : Optional.of(warning);
    }

    public boolean isCustom() {
        return form != null && form.normalizes();
    }

    public Optional<Subresource> subresource(String name) {
        for (Subresource part : subresources) {
            if (part.name().equals(name)) {
                return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    /**
     * Group, version and resource.
     *
     * @param group API group, {@code ""} for the core group
     */
    public record Id(String group, String version, String resource) {}

    /** Returns the API group, {@code ""} for the core group. */
    public String group() {
        return id.group();
    }

    public String version() {
        return id.version();
    }

    public String resource() {
        return id.resource();
    }

    public String apiVersion() {
        return group().isEmpty() ? version() : group() + "/" + version();
    }

    public GroupVersionKind groupVersionKind() {
        return new GroupVersionKind(group(), version(), kind);
    }

    /** Returns the resource with its group, as in messages: {@code roles.rbac.authorization.k8s.io}. */
    public String groupResource() {
        return group().isEmpty() ? resource() : resource() + "." + group();
    }

    /** Returns the kind with its group, as in messages: {@code Role.rbac.authorization.k8s.io}. */
    public String groupKind() {
        return group().isEmpty() ? kind : kind + "." + group();
    }

    /** Returns whether its objects are operations that are not stored. */
    public boolean virtual() {
        return storage().isEmpty();
    }

    /** Returns the stored resource; {@code ""} for a virtual type. */
    public String storage() {
        return identity.resource();
    }
}
