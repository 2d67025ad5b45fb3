package io.plat.apiserver.representation;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.operations.Scales;
import io.plat.apiserver.type.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cells of an object's row in a table, in the order of its type's columns: numbers and texts, as existing servers fill them in.
 */
final class Cells {
    /** The text in place of nothing. */
    static final String NONE = "<none>";

    private Cells() {}

    /**
     * Returns an object's cells. One of a type without a description shows what every object has, and blanks.
     *
     * @param object the object as it is shown, of which everything may be missing
     * @param now the time to which ages are counted
     */
    static List<Object> of(ResourceType type, JsonNode object, Instant now) {
        if (type.form() != null) {
            return type.form()
                    .cells(object)
                    .map(cells -> aged(cells, now))
                    .orElseGet(() -> DescribedCells.of(type, object, now));
        }
        if (type.equals(Scales.TYPE)) {
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
            default -> DescribedCells.of(type, object, now);
        };
    }

    /** Times as ages. */
    private static List<Object> aged(List<Object> cells, Instant now) {
        List<Object> shown = new ArrayList<>(cells.size());
        for (Object cell : cells) {
            shown.add(cell instanceof Instant time ? Ages.of(Duration.between(time, now)) : cell);
        }
        return shown;
    }

    /** The object's name. */
    static String name(JsonNode object) {
        return text(object.at("/metadata/name"));
    }

    /** The object's age. */
    static String age(JsonNode object, Instant now) {
        return Ages.since(text(object.at("/metadata/creationTimestamp")), now);
    }

    /** The text of a scalar, {@code ""} where there is none. */
    static String text(JsonNode node) {
        return node.asText("");
    }

    /** A text, or the word for none. */
    static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    /** Labels as one text, in the order of their names. */
    static String labels(JsonNode map) {
        Map<String, String> sorted = new TreeMap<>();
        map.properties()
                .forEach(label -> sorted.put(label.getKey(), label.getValue().asText("")));
        List<String> pairs = new ArrayList<>();
        sorted.forEach((name, value) -> pairs.add(name + "=" + value));
        return orNone(String.join(",", pairs));
    }
}
