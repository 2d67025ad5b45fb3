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
            case "services" -> service(object, now);
            case "events" -> event(object, now);
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

    static List<Object> event(JsonNode event, Instant now) {
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
                AgeFormat.since(last, now),
                Cells.text(event.path("type")),
                Cells.text(event.path("reason")),
                name.isEmpty() ? kind : kind + "/" + name,
                Cells.text(about.path("fieldPath")),
                source(event),
                Cells.text(event.path("message")).strip(),
                AgeFormat.since(first, now),
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

    static List<Object> service(JsonNode service, Instant now) {
        JsonNode spec = service.path("spec");
        return List.of(
                Cells.name(service),
                Cells.text(spec.path("type")),
                internal(spec),
                external(service),
                ports(spec.path("ports")),
                Cells.age(service, now),
                Cells.labels(spec.path("selector")));
    }

    private static String internal(JsonNode spec) {
        String first = Cells.text(spec.path("clusterIPs").path(0));
        return Cells.orNone(first.isEmpty() ? Cells.text(spec.path("clusterIP")) : first);
    }

    private static String external(JsonNode service) {
        JsonNode spec = service.path("spec");
        List<String> externalIps = new ArrayList<>();
        spec.path("externalIPs").forEach(address -> externalIps.add(Cells.text(address)));
        return switch (Cells.text(spec.path("type"))) {
            case "ClusterIP", "NodePort" -> Cells.orNone(String.join(",", externalIps));
            case "LoadBalancer" -> {
                List<String> all = new ArrayList<>(balanced(service));
                all.addAll(externalIps);
                yield all.isEmpty() ? "<pending>" : String.join(",", all);
            }
            case "ExternalName" -> Cells.text(spec.path("externalName"));
            default -> "<unknown>";
        };
    }

    private static Set<String> balanced(JsonNode service) {
        Set<String> addresses = new TreeSet<>();
        for (JsonNode ingress : service.at("/status/loadBalancer/ingress")) {
            String ip = Cells.text(ingress.path("ip"));
            String address = ip.isEmpty() ? Cells.text(ingress.path("hostname")) : ip;
            if (!address.isEmpty()) {
                addresses.add(address);
            }
        }
        return addresses;
    }

    private static String ports(JsonNode ports) {
        List<String> all = new ArrayList<>();
        for (JsonNode port : ports) {
            int onNodes = port.path("nodePort").asInt();
            all.add(port.path("port").asInt() + (onNodes > 0 ? ":" + onNodes : "") + "/"
                    + port.path("protocol").asText("TCP"));
        }
        return Cells.orNone(String.join(",", all));
    }
}
