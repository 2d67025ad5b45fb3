package io.plat.apiserver.representation;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.operations.ScaleOperations;
import io.plat.apiserver.type.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Cells of an object's table row, in the order of its type's columns: numbers and strings, as in kube-apiserver. */
final class Cells {
    /** Text of an empty cell. */
    static final String NONE = "<none>";

    private Cells() {}

    /**
     * Returns an object's cells. Types without a description show the common columns, and blanks.
     *
     * @param object object as served; any field may be absent
     * @param now time for ages
     */
    static List<Object> of(ResourceType type, JsonNode object, Instant now) {
        if (type.form() != null) {
            return type.form()
                    .cells(object)
                    .map(cells -> aged(cells, now))
                    .orElseGet(() -> DeclarativeCells.of(type, object, now));
        }
        if (type.equals(ScaleOperations.TYPE)) {
            return List.of(
                    name(object),
                    object.at("/spec/replicas").asInt(),
                    object.at("/status/replicas").asInt(),
                    age(object, now));
        }
        return switch (type.storage()) {
            case "pods" -> PodCells.of(object, now);
            case "services" -> ServiceCells.of(object, now);
            case "events" -> EventCells.of(object, now);
            default -> DeclarativeCells.of(type, object, now);
        };
    }

    /** Replaces timestamps by ages. */
    private static List<Object> aged(List<Object> cells, Instant now) {
        return cells.stream()
                .map(cell -> cell instanceof Instant time ? AgeFormat.of(Duration.between(time, now)) : cell)
                .toList();
    }

    static String name(JsonNode object) {
        return text(object.at("/metadata/name"));
    }

    static String age(JsonNode object, Instant now) {
        return AgeFormat.since(text(object.at("/metadata/creationTimestamp")), now);
    }

    /** Returns the text of a scalar, {@code ""} if absent. */
    static String text(JsonNode node) {
        return node.asText("");
    }

    /** Returns a text, or the placeholder if it is empty. */
    static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    /** Returns labels as one text, sorted by key. */
    static String labels(JsonNode map) {
        Map<String, String> sorted = new TreeMap<>();
        map.properties()
                .forEach(label -> sorted.put(label.getKey(), label.getValue().asText("")));
        List<String> pairs = new ArrayList<>();
        sorted.forEach((name, value) -> pairs.add(name + "=" + value));
        return orNone(String.join(",", pairs));
    }
}
