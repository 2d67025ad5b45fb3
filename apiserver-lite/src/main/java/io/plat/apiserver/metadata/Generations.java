package io.plat.apiserver.metadata;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.TypeTraits;
import java.util.List;

/**
 * {@code metadata.generation}: how often what is wanted of an object has changed. Which types have one, and what changes it, is data
 * ({@link TypeTraits}). Types go by the resource that stores them; no client sets the number.
 */
public final class Generations {
    private static final String FIELD = "generation";

    private Generations() {}

    /** A new object. */
    public static void begin(String storage, ObjectNode object) {
        if (TypeTraits.of(storage).generation() != null) {
            Json.child(object, "metadata").put(FIELD, 1);
        }
    }

    /** A new state of an object, which still has the generation of the state before. */
    public static void change(String storage, ObjectNode before, ObjectNode object) {
        List<JsonPointer> counted = TypeTraits.of(storage).generation();
        if (counted != null
                && counted.stream().anyMatch(field -> !object.at(field).equals(before.at(field)))) {
            grow(object);
        }
    }

    /** The deletion of an object begins, of whichever type. */
    public static void beginDeletion(ObjectNode object) {
        if (object.path("metadata").path(FIELD).asLong() > 0) {
            grow(object);
        }
    }

    private static void grow(ObjectNode object) {
        ObjectNode metadata = Json.child(object, "metadata");
        metadata.put(FIELD, metadata.path(FIELD).asLong() + 1);
    }
}
