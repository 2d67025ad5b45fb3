package io.plat.apiserver.type;

import io.plat.apiserver.schema.TypeSchema;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One served version of a resource type.
 *
 * @param id what it is called
 * @param kind the kind of its objects
 * @param singular the resource's name for one object
 * @param namespaced whether its objects live in a namespace
 * @param verbs the verbs it answers
 * @param shortNames further names that clients accept
 * @param categories groups of types that it belongs to, such as {@code all}
 * @param columns the columns of its table
 * @param subresources the parts of its objects that have paths of their own
 * @param identity the place of its objects in storage, one for all its versions
 * @param schema what its objects look like
 * @param form what is particular about it, where that is described elsewhere
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
        Objects.requireNonNull(id);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(singular);
        verbs = List.copyOf(verbs);
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        columns = List.copyOf(columns);
        subresources = List.copyOf(subresources);
        Objects.requireNonNull(identity);
        Objects.requireNonNull(schema);
    }

    /**
     * A part of an object under a path of its own.
     *
     * @param name the last element of its path
     * @param verbs the verbs it answers
     * @param operation what is sent there, where that is an operation on the object and not the object itself
     */
    public record Subresource(String name, List<String> verbs, Optional<Operation> operation) {
        public Subresource {
            Objects.requireNonNull(name);
            verbs = List.copyOf(verbs);
            Objects.requireNonNull(operation);
        }
    }

    /**
     * The type of an operation.
     *
     * @param group its API group
     * @param version its version within the group
     * @param kind its kind
     */
    public record Operation(String group, String version, String kind) {}

    /** The same type with what is particular about it. */
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

    /** Returns the warning of each answer about its objects, such as that the version is deprecated. */
    public Optional<String> warning() {
        String warning = TypeTraits.of(this).warning();
        return form != null ? form.warning() : warning.isEmpty() ? Optional.empty() : Optional.of(warning);
    }

    /** The part that a path names. */
    public Optional<Subresource> subresource(String name) {
        return subresources.stream().filter(part -> part.name().equals(name)).findFirst();
    }

    /**
     * What a path calls a type.
     *
     * @param group the API group, {@code ""} for the core group
     * @param version the version within the group
     * @param resource the name of the collection
     */
    public record Id(String group, String version, String resource) {}

    /** The API group, {@code ""} for the core group. */
    public String group() {
        return id.group();
    }

    /** The version within the group. */
    public String version() {
        return id.version();
    }

    /** The name of the collection, as in paths. */
    public String resource() {
        return id.resource();
    }

    /** Group and version as the field {@code apiVersion} holds them. */
    public String apiVersion() {
        return group().isEmpty() ? version() : group() + "/" + version();
    }

    /** The resource with its group, as messages name it: {@code roles.rbac.authorization.k8s.io}. */
    public String groupResource() {
        return group().isEmpty() ? resource() : resource() + "." + group();
    }

    /** The kind with its group, as messages name it: {@code Role.rbac.authorization.k8s.io}. */
    public String groupKind() {
        return group().isEmpty() ? kind : kind + "." + group();
    }

    /** Whether its objects are operations that are answered at once and kept nowhere. */
    public boolean virtual() {
        return storage().isEmpty();
    }

    /** The resource whose keys hold its objects; {@code ""} for a virtual type. */
    public String storage() {
        return identity.resource();
    }
}
