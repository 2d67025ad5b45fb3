package io.plat.apiserver.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.View;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.review.status.Status;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is particular about a type that is described elsewhere: one that was defined at run time, and definitions themselves. Operations
 * on its objects ask this, as they ask the rules of a built-in type. For any number of threads.
 */
public interface TypeForm {
    /** Whether objects get their shape by {@link #shape}, and not by a schema that ships with the server. */
    default boolean shapes() {
        return false;
    }

    /**
     * Takes out what the type does not have and fills in what was not said.
     *
     * @param object in the served version, without kind and apiVersion; changed in place
     * @return the fields that were taken out, by path
     */
    default List<String> shape(ObjectNode object) {
        return List.of();
    }

    /** The same for what somebody applies: what was not said is not meant. */
    default List<String> shapeApplied(ObjectNode object) {
        return shape(object);
    }

    /** An object of the served version as it is stored; the argument is changed. */
    default ObjectNode store(ObjectNode served) {
        return served;
    }

    /** The same of what somebody applies, which is not the whole object. */
    default ObjectNode storeApplied(ObjectNode served) {
        return store(served);
    }

    /** Whether what was stored under a revision is shown just as it is. */
    default boolean storedAsServed(long revision) {
        return true;
    }

    /** A stored object in the served version; the argument is changed. */
    default ObjectNode serve(ObjectNode stored) {
        return stored;
    }

    /**
     * Fills in and takes back what is not the client's to set.
     *
     * @param object the object to be stored; changed in place
     * @param before its present state; null for a creation
     * @param part the part of the object that is written, {@code ""} for the object itself
     */
    default void prepare(ObjectNode object, @Nullable ObjectNode before, String part) {}

    /** Says what is wrong with an object to be stored; the arguments are those of {@link #prepare}. */
    default List<Status.Cause> check(ObjectNode object, @Nullable ObjectNode before, String part) {
        return List.of();
    }

    /**
     * The deletion of an object begins.
     *
     * @param object changed in place
     * @param now the time, as metadata has it
     * @return whether the object changed
     */
    default boolean beginDeletion(ObjectNode object, String now) {
        return false;
    }

    /** What whole objects look like as they are stored: by it, owners of fields are told apart. */
    default TypeSchema structure() {
        return TypeSchema.UNKNOWN;
    }

    /** What a version of the type, by its apiVersion, has of stored objects: in its words the owners of fields are told that wrote it. */
    default View view(String apiVersion) {
        return View.whole(structure());
    }

    /** Where the numbers of replicas stand, if objects can be scaled. */
    default Optional<ScaleFields> scale() {
        return Optional.empty();
    }

    /** The fields, beside name and namespace, that a field selector may name. */
    default Set<String> selectableFields() {
        return Set.of();
    }

    /**
     * The cells of an object's row in a table: texts, numbers, truth values, times that are shown as ages, and empty Optionals for
     * nothing. Empty where they are those that every type has.
     */
    default Optional<List<Object>> cells(JsonNode object) {
        return Optional.empty();
    }

    /** What whoever uses this version is told each time. */
    default Optional<String> warning() {
        return Optional.empty();
    }

    /** What objects look like, as OpenAPI says it; empty where schemas that ship with the server say it. */
    default Optional<Described> described() {
        return Optional.empty();
    }

    /**
     * What objects look like.
     *
     * @param schema in the form of OpenAPI v3; not to be changed
     * @param stamp another one for each state of the description
     */
    record Described(JsonNode schema, String stamp) {}
}
