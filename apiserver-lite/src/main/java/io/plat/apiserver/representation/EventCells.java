package io.plat.apiserver.representation;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Cells of an event: age, subject and message, for both event groups. */
final class EventCells {
    private EventCells() {}

    static List<Object> of(JsonNode event, Instant now) {
        String first = firstOf(
                Cells.text(either(event, "firstTimestamp", "deprecatedFirstTimestamp")),
                Cells.text(event.path("eventTime")));
        String last = firstOf(Cells.text(either(event, "lastTimestamp", "deprecatedLastTimestamp")), first);
        int count = Math.max(1, either(event, "count", "deprecatedCount").asInt());
        JsonNode series = event.path("series");
        if (series.isObject()) {
            last = Cells.text(series.path("lastObservedTime"));
            count = series.path("count").asInt();
        }
        JsonNode about = either(event, "involvedObject", "regarding");
        String name = Cells.text(about.path("name"));
        String kind = Cells.text(about.path("kind")).toLowerCase(Locale.ROOT);
        return List.of(
                AgeFormat.since(last, now),
                Cells.text(event.path("type")),
                Cells.text(event.path("reason")),
                name.isEmpty() ? kind : kind + "/" + name,
                Cells.text(about.path("fieldPath")),
                source(event),
                Cells.text(either(event, "message", "note")).strip(),
                AgeFormat.since(first, now),
                count,
                Cells.name(event));
    }

    private static String source(JsonNode event) {
        JsonNode source = either(event, "source", "deprecatedSource");
        String component = firstOf(
                Cells.text(source.path("component")),
                Cells.text(either(event, "reportingComponent", "reportingController")));
        String host = firstOf(Cells.text(source.path("host")), Cells.text(event.path("reportingInstance")));
        return host.isEmpty() ? component : component + ", " + host;
    }

    private static JsonNode either(JsonNode event, String name, String other) {
        JsonNode value = event.path(name);
        return value.isMissingNode() ? event.path(other) : value;
    }

    private static String firstOf(String text, String other) {
        return text.isEmpty() ? other : text;
    }
}
