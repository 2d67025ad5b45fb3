package io.plat.apiserver.type;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.tree.ProgramData;
import io.plat.engine.lookup.Frozen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Types, and fields of types, that kube-apiserver itself enforces and this server only stores ({@code unenforced-types.json}). A write of
 * such an object carries a warning. Types for controllers and nodes are not among them.
 */
public final class UnenforcedTypes {
    private static final Map<String, List<Row>> ROWS = read();

    private UnenforcedTypes() {}

    /**
     * Warning.
     *
     * @param when required field values; {@code ""} for any value; no field for every object
     */
    private record Row(String warning, Map<JsonPointer, String> when) {
        boolean concerns(JsonNode object) {
            return when.isEmpty()
                    || when.entrySet().stream().anyMatch(field -> {
                        JsonNode value = object.at(field.getKey());
                        return !value.isMissingNode()
                                && (field.getValue().isEmpty() || value.asText().equals(field.getValue()));
                    });
        }
    }

    private static Map<String, List<Row>> read() {
        var rows = new HashMap<String, List<Row>>();
        for (JsonNode row : ProgramData.json(UnenforcedTypes.class, "unenforced-types.json")) {
            var when = new HashMap<JsonPointer, String>();
            row.path("when")
                    .properties()
                    .forEach(field -> when.put(
                            JsonPointer.compile(field.getKey()),
                            field.getValue().asText()));
            rows.computeIfAbsent(row.path("storage").asText(), storage -> new ArrayList<>())
                    .add(new Row(row.path("warning").asText(), Frozen.copyOf(when)));
        }
        return Frozen.copyOf(rows);
    }

    /** Returns whether no object of a type has an effect on this server. */
    public static boolean contains(ResourceType type) {
        return ROWS.getOrDefault(type.storage(), List.of()).stream()
                .anyMatch(row -> row.when().isEmpty());
    }

    /** Returns the warnings about a written object. */
    public static List<String> warnings(ResourceType type, Supplier<? extends JsonNode> written) {
        List<Row> rows = ROWS.get(type.storage());
        if (rows == null) {
            return List.of();
        }
        JsonNode object = written.get();
        return rows.stream()
                .filter(row -> row.concerns(object))
                .map(Row::warning)
                .toList();
    }
}
