package io.plat.apiserver.representation;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** An event's row: how long ago, about what, and what happened. */
final class EventCells {
    private EventCells() {}

    static List<Object> of(JsonNode event, Instant now) {
        String first = firstOf(Cells.text(event.path("firstTimestamp")), Cells.text(event.path("eventTime")));
        String last = firstOf(Cells.text(event.path("lastTimestamp")), first);
        int count = Math.max(1, event.path("count").asInt());
        JsonNode series = event.path("series");
        if (series.isObject()) {
            last = Cells.text(series.path("lastObservedTime"));
            count = series.path("count").asInt();
        }
        JsonNode about = event.path("involvedObject");
        String name = Cells.text(about.path("name"));
        String kind = Cells.text(about.path("kind")).toLowerCase(Locale.ROOT);
        return List.of(
                Ages.since(last, now),
                Cells.text(event.path("type")),
                Cells.text(event.path("reason")),
                name.isEmpty() ? kind : kind + "/" + name,
                Cells.text(about.path("fieldPath")),
                source(event),
                Cells.text(event.path("message")).strip(),
                Ages.since(first, now),
                count,
                Cells.name(event));
    }

    private static String source(JsonNode event) {
        JsonNode source = event.path("source");
        String component = firstOf(Cells.text(source.path("component")), Cells.text(event.path("reportingComponent")));
        String host = firstOf(Cells.text(source.path("host")), Cells.text(event.path("reportingInstance")));
        return host.isEmpty() ? component : component + ", " + host;
    }

    private static String firstOf(String text, String other) {
        return text.isEmpty() ? other : text;
    }
}
