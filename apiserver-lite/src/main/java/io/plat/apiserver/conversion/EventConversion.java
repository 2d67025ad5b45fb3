package io.plat.apiserver.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.FieldNames;
import io.plat.apiserver.type.ResourceType;
import java.util.List;
import java.util.Map;

/** Conversion of {@code events.k8s.io} Events, which are core Events with other field names. */
public final class EventConversion {
    static final String STORAGE = "events";

    /** Field names in {@code events.k8s.io}, with the stored names. */
    private static final Map<String, String> NAMES = Map.of(
            "regarding", "involvedObject",
            "note", "message",
            "reportingController", "reportingComponent",
            "deprecatedSource", "source",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp",
            "deprecatedCount", "count");

    /** The same names, for field ownership. */
    static final FieldNames FIELDS = new FieldNames(
            "events.k8s.io/v1",
            NAMES.entrySet().stream()
                    .map(name -> new FieldNames.Renamed(List.of(name.getValue()), List.of(name.getKey()), List.of()))
                    .toList());

    private EventConversion() {}

    public static boolean is(ResourceType type) {
        return type.group().equals("events.k8s.io");
    }

    static ObjectNode serve(ObjectNode stored) {
        NAMES.forEach((there, here) -> rename(stored, here, there));
        for (String field : List.of("reportingController", "reportingInstance")) {
            if (stored.path(field).asText("").isEmpty()) {
                stored.remove(field);
            }
        }
        return stored;
    }

    static ObjectNode store(ObjectNode served) {
        NAMES.forEach((there, here) -> rename(served, there, here));
        return served;
    }

    private static void rename(ObjectNode object, String from, String to) {
        JsonNode value = object.remove(from);
        if (value != null) {
            object.set(to, value);
        }
    }
}
