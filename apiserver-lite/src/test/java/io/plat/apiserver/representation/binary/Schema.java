package io.plat.apiserver.representation.binary;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a type.
 *
 * @param properties its fields by name
 * @param required the names of those that every object has
 * @param kinds the kinds whose objects have this form
 */
record Schema(Map<String, Property> properties, Set<String> required, List<TypeMeta> kinds) {
    Schema {
        properties = Map.copyOf(properties);
        required = Set.copyOf(required);
        kinds = List.copyOf(kinds);
    }

    /**
     * The values of a field, or the elements of an array or map.
     *
     * @param type the JSON type, {@code ""} for another definition's
     * @param format the format of the type, or {@code ""}
     * @param definition the definition that the values follow, or {@code ""}
     * @param elements what an array or map holds, else null
     */
    record Property(
            String type,
            String format,
            String definition,
            @Nullable Property elements) {}
}
