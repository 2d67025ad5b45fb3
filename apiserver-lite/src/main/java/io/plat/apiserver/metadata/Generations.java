package io.plat.apiserver.metadata;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.TypeTraits;
import java.util.List;

/**
 * {@code metadata.generation}: the number of changes of the desired state. Types with a generation, and the fields that count, are data
 * ({@link TypeTraits}), by stored resource; clients never set it for these.
 */
public final class Generations {
    private static final String FIELD = "generation";

    private Generations() {}

    /**
     * Sets the generation of a new object.
     *
     * @param sent value sent by the client, which types without a generation keep; a missing node for none
     */
    public static void initialize(String storage, ObjectNode object, JsonNode sent) {
        ObjectNode metadata = Json.child(object, "metadata");
        if (TypeTraits.of(storage).generation() != null) {
            metadata.put(FIELD, 1);
        } else if (!metadata.has(FIELD) && sent.asLong() != 0) {
            metadata.set(FIELD, sent);
        }
    }

    /** Updates the generation of a new state, which still has that of the previous one. */
    public static void change(String storage, ObjectNode before, ObjectNode object) {
        List<JsonPointer> counted = TypeTraits.of(storage).generation();
        for (JsonPointer field : counted == null ? List.<JsonPointer>of() : counted) {
            if (!object.at(field).equals(before.at(field))) {
                increment(object);
                return;
            }
        }
    }

    /** Updates the generation at the start of a deletion, for all types. */
    public static void beginDeletion(ObjectNode object) {
        if (object.path("metadata").path(FIELD).asLong() > 0) {
            increment(object);
        }
    }

    private static void increment(ObjectNode object) {
        ObjectNode metadata = Json.child(object, "metadata");
        metadata.put(FIELD, metadata.path(FIELD).asLong() + 1);
    }
}
