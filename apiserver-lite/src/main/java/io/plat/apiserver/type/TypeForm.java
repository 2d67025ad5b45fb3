package io.plat.apiserver.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.View;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.review.status.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Special treatment of a type's objects: that of custom types, and of definitions themselves. Operations use it like the rules of a
 * built-in type. Thread-safe.
 */
public interface TypeForm {
    /** Returns whether objects are normalized by {@link #normalize}, rather than by a schema that ships with the server. */
    default boolean normalizes() {
        return false;
    }

    /**
     * Prunes unknown fields and applies defaults.
     *
     * @param object object in the served version, without kind and apiVersion; modified
     * @return paths of the removed fields
     */
    default List<String> normalize(ObjectNode object) {
        return List.of();
    }

    /** Prunes an apply configuration, without defaults. */
    default List<String> normalizeApplied(ObjectNode object) {
        return normalize(object);
    }

    default Map<FieldPath, JsonNode> embeddedMetadata(ObjectNode object) {
        return Map.of();
    }

    /** Converts an object of the served version to its stored form, in place. */
    default ObjectNode store(ObjectNode served) {
        return served;
    }

    /** Converts an apply configuration to its stored form, in place. */
    default ObjectNode storeApplied(ObjectNode served) {
        return store(served);
    }

    /** Returns the apiVersion of stored objects; {@code ""} for the served one. */
    default String storedIn() {
        return "";
    }

    default boolean storedAsServed(long revision) {
        return true;
    }

    /** Converts a stored object to the served version, in place. */
    default ObjectNode serve(ObjectNode stored) {
        return stored;
    }

    default void complete(ObjectNode sent, ObjectNode before) {}

    /**
     * Applies defaults and resets fields that clients cannot set.
     *
     * @param object object to be stored; modified
     * @param before current state; null for a creation
     * @param part subresource that is written, {@code ""} for the object itself
     */
    default void prepare(ObjectNode object, @Nullable ObjectNode before, String part) {}

    /** Validates an object to be stored; parameters are as for {@link #prepare}. */
    default List<Status.Cause> check(ObjectNode object, @Nullable ObjectNode before, String part) {
        return List.of();
    }

    /**
     * Starts the deletion of an object.
     *
     * @param object object; modified
     * @param now current time, as in metadata
     */
    default boolean beginDeletion(ObjectNode object, String now) {
        return false;
    }

    /** Returns the schema of stored objects for field ownership. */
    default TypeSchema structure() {
        return TypeSchema.UNKNOWN;
    }

    /** Returns the view of stored objects in a version, by apiVersion, for its field owners. */
    default View view(String apiVersion) {
        return View.whole(structure());
    }

    /** Returns the paths of the replica counts, if objects can be scaled. */
    default Optional<ScaleFields> scale() {
        return Optional.empty();
    }

    /** Returns the fields, in addition to name and namespace, that field selectors support. */
    default Set<String> selectableFields() {
        return Set.of();
    }

    /**
     * Returns the table cells of an object: strings, numbers, booleans, timestamps to be shown as ages, and empty Optionals for blanks.
     * Empty for the common cells.
     */
    default Optional<List<Object>> cells(JsonNode object) {
        return Optional.empty();
    }

    default Optional<String> warning() {
        return Optional.empty();
    }

    /** Returns the OpenAPI schema; empty if it ships with the server. */
    default Optional<OpenApiSchema> described() {
        return Optional.empty();
    }

    /**
     * OpenAPI schema of objects.
     *
     * @param schema OpenAPI v3 schema; not to be modified
     */
    record OpenApiSchema(JsonNode schema, String stamp) {}
}
