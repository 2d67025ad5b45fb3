package io.plat.apiserver.representation;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.operations.ScaleOperations;
import io.plat.apiserver.type.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Cells of an object's table row, in the order of its type's columns: numbers and strings, as in kube-apiserver. */
final class Cells {
    /** Text of an empty cell. */
    static final String NONE = "<none>";

    private Cells() {}

    /**
     * Returns an object's cells. Types without a description show the common columns, and blanks.
     *
     * @param object object as stored, a custom one as served; any field may be absent
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
            case "services" -> service(object, now);
            case "events" -> event(object, now);
            default -> DeclarativeCells.of(type, object, now);
        };
    }

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

    static String text(JsonNode node) {
        return node.asText("");
    }

    /** Returns a text, or the placeholder if it is empty. */
    static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    static String labels(JsonNode map) {
        Map<String, String> sorted = new TreeMap<>();
        map.properties()
                .forEach(label -> sorted.put(label.getKey(), label.getValue().asText("")));
        List<String> pairs = new ArrayList<>();
        sorted.forEach((name, value) -> pairs.add(name + "=" + value));
        return orNone(String.join(",", pairs));
    }

    static List<Object> event(JsonNode event, Instant now) {
        String first = firstOf(text(event.path("firstTimestamp")), text(event.path("eventTime")));
        String last = firstOf(text(event.path("lastTimestamp")), first);
        int count = Math.max(1, event.path("count").asInt());
        JsonNode series = event.path("series");
        if (series.isObject()) {
            last = text(series.path("lastObservedTime"));
            count = series.path("count").asInt();
        }
        JsonNode about = event.path("involvedObject");
        String name = text(about.path("name"));
        String kind = text(about.path("kind")).toLowerCase(Locale.ROOT);
        return List.of(
                AgeFormat.since(last, now),
                text(event.path("type")),
                text(event.path("reason")),
                name.isEmpty() ? kind : kind + "/" + name,
                text(about.path("fieldPath")),
                source(event),
                text(event.path("message")).strip(),
                AgeFormat.since(first, now),
                count,
                name(event));
    }

    private static String source(JsonNode event) {
        JsonNode source = event.path("source");
        String component = firstOf(text(source.path("component")), text(event.path("reportingComponent")));
        String host = firstOf(text(source.path("host")), text(event.path("reportingInstance")));
        return host.isEmpty() ? component : component + ", " + host;
    }

    private static String firstOf(String text, String other) {
        return text.isEmpty() ? other : text;
    }

    static List<Object> service(JsonNode service, Instant now) {
        JsonNode spec = service.path("spec");
        return List.of(
                name(service),
                text(spec.path("type")),
                internal(spec),
                external(service),
                ports(spec.path("ports")),
                age(service, now),
                labels(spec.path("selector")));
    }

    private static String internal(JsonNode spec) {
        String first = text(spec.path("clusterIPs").path(0));
        return orNone(first.isEmpty() ? text(spec.path("clusterIP")) : first);
    }

    private static String external(JsonNode service) {
        JsonNode spec = service.path("spec");
        List<String> externalIps = new ArrayList<>();
        spec.path("externalIPs").forEach(address -> externalIps.add(text(address)));
        return switch (text(spec.path("type"))) {
            case "ClusterIP", "NodePort" -> orNone(String.join(",", externalIps));
            case "LoadBalancer" -> {
                List<String> all = new ArrayList<>(addresses(service.at("/status/loadBalancer/ingress")));
                all.addAll(externalIps);
                yield all.isEmpty() ? "<pending>" : String.join(",", all);
            }
            case "ExternalName" -> text(spec.path("externalName"));
            default -> "<unknown>";
        };
    }

    /** Returns the addresses or host names of a list, in order. */
    static Set<String> addresses(JsonNode list) {
        Set<String> addresses = new TreeSet<>();
        for (JsonNode item : list) {
            addresses.add(firstOf(text(item.path("ip")), text(item.path("hostname"))));
        }
        addresses.remove("");
        return addresses;
    }

    private static String ports(JsonNode ports) {
        List<String> all = new ArrayList<>();
        for (JsonNode port : ports) {
            int onNodes = port.path("nodePort").asInt();
            all.add(port.path("port").asInt() + (onNodes > 0 ? ":" + onNodes : "") + "/"
                    + port.path("protocol").asText("TCP"));
        }
        return orNone(String.join(",", all));
    }
}
