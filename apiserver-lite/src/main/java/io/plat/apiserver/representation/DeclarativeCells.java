package io.plat.apiserver.representation;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.tree.ProgramData;
import io.plat.apiserver.type.Column;
import io.plat.apiserver.type.ResourceType;
import io.plat.engine.lookup.Frozen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** Cells of types whose tables are described by data ({@code cells.txt}); any field of an object may be absent. */
final class DeclarativeCells {
    private static final String UNKNOWN = "<unknown>";
    private static final int SHOWN = 2;
    private static final String FILE = "cells.txt";
    private static final String ROLE = "node-role.kubernetes.io/";
    private static final Map<String, BiFunction<JsonNode, Instant, Object>> BY_COLUMN = read();

    /** Access modes, each followed by its abbreviation. */
    private static final List<String> MODES =
            List.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");

    private DeclarativeCells() {}

    private static Map<String, BiFunction<JsonNode, Instant, Object>> read() {
        Map<String, BiFunction<JsonNode, Instant, Object>> cells = new HashMap<>();
        ProgramData.lines(DeclarativeCells.class, FILE)
                .map(line -> line.split(" \\| ", -1))
                .forEach(row -> cells.put(row[0] + "/" + row[1], cell(row[2].split(" ", -1))));
        return Frozen.copyOf(cells);
    }

    /** Returns an object's cells, in the order of its type's columns. */
    static List<Object> of(ResourceType type, JsonNode object, Instant now) {
        List<Object> cells = new ArrayList<>();
        for (Column column : type.columns()) {
            var cell = BY_COLUMN.get(type.storage() + "/" + column.name());
            cells.add(
                    switch (column.name()) {
                        case "Name" -> Cells.name(object);
                        case "Age" -> Cells.age(object, now);
                        case "Created At" -> Cells.text(object.at("/metadata/creationTimestamp"));
                        default -> cell == null ? "" : cell.apply(object, now);
                    });
        }
        return cells;
    }

    private static BiFunction<JsonNode, Instant, Object> cell(String[] words) {
        JsonPointer at = pointer(words[1]);
        return switch (words[0]) {
            case "text" -> (object, now) -> Cells.orNone(Cells.text(object.at(at)));
            case "or" -> (object, now) -> or(object.at(at), words[2].equals(".") ? "" : words[2]);
            case "number" -> (object, now) -> object.at(at).asInt();
            case "flag" -> (object, now) -> object.at(at).asBoolean();
            case "boolean" -> (object, now) -> object.at(at).asBoolean() ? "True" : "False";
            case "count" -> {
                List<JsonPointer> counted = Arrays.stream(words)
                        .skip(1)
                        .map(DeclarativeCells::pointer)
                        .toList();
                yield (object, now) -> counted.stream()
                        .mapToInt(each -> object.at(each).size())
                        .sum();
            }
            case "subjects" -> (object, now) -> subjects(object.path("subjects"), words[1]);
            case "of" -> {
                JsonPointer all = pointer(words[2]);
                yield (object, now) ->
                        object.at(at).asInt() + "/" + object.at(all).asInt();
            }
            case "join" -> (object, now) -> join(object.at(at), words[2]);
            case "labels" -> (object, now) -> Cells.labels(object.at(at));
            case "selector" -> (object, now) -> selector(object.at(at));
            case "age" -> (object, now) -> age(object.at(at), now);
            case "since" -> {
                JsonPointer end = pointer(words[2]);
                yield (object, now) -> since(Cells.text(object.at(at)), Cells.text(object.at(end)), now);
            }
            case "fixed" -> (object, now) -> words[1];
            case "pair" -> (object, now) -> pair(object.at(at), words);
            case "value" ->
                (object, now) -> object.at(at).isNumber() ? object.at(at).asInt() : Cells.NONE;
            case "conditions" -> (object, now) -> lastTrue(object.at("/status/conditions"), words[1]);
            case "condition" -> (object, now) -> condition(object, words);
            case "address" -> (object, now) -> address(object.at("/status/addresses"), words[1]);
            case "roles" -> (object, now) -> roles(object.at(at));
            case "addresses" -> (object, now) -> addresses(object.at(at));
            case "endpoints" -> (object, now) -> EndpointCells.endpoints(object.at(at));
            case "ports" -> (object, now) -> object.at(at).isEmpty() ? "80" : "80, 443";
            case "modes" -> (object, now) -> modes(object.at(at));
            case "metrics" -> (object, now) -> metrics(object);
            default -> throw new IllegalStateException("unknown cell: " + String.join(" ", words));
        };
    }

    private static JsonPointer pointer(String path) {
        return JsonPointer.compile("/" + path.replace('.', '/'));
    }

    private static String subjects(JsonNode subjects, String kind) {
        List<String> names = new ArrayList<>();
        for (JsonNode subject : subjects) {
            if (Cells.text(subject.path("kind")).equals(kind)) {
                String name = Cells.text(subject.path("name"));
                names.add(kind.equals("ServiceAccount") ? Cells.text(subject.path("namespace")) + "/" + name : name);
            }
        }
        return String.join(", ", names);
    }

    private static String or(JsonNode value, String other) {
        String text = value.isContainerNode() ? join(value, "audience") : Cells.text(value);
        return text.isEmpty() ? other : text;
    }

    private static String join(JsonNode list, String part) {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : list) {
            JsonNode value = part.equals(".") ? item : item.path(part);
            if (value.isArray()) {
                value.forEach(inner -> texts.add(Cells.text(inner)));
            } else if (!Cells.text(value).isEmpty()) {
                texts.add(Cells.text(value));
            }
        }
        return Cells.orNone(String.join(",", texts));
    }

    private static String selector(JsonNode selector) {
        List<String> parts = new ArrayList<>();
        if (!selector.path("matchLabels").isEmpty()) {
            parts.add(Cells.labels(selector.path("matchLabels")));
        }
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = Cells.text(expression.path("key"));
            String values = "(" + join(expression.path("values"), ".") + ")";
            parts.add(
                    switch (Cells.text(expression.path("operator"))) {
                        case "In" -> key + " in " + values;
                        case "NotIn" -> key + " notin " + values;
                        case "DoesNotExist" -> "!" + key;
                        default -> key;
                    });
        }
        return Cells.orNone(String.join(",", parts));
    }

    private static String age(JsonNode time, Instant now) {
        return Cells.text(time).isEmpty() ? Cells.NONE : AgeFormat.since(Cells.text(time), now);
    }

    private static String since(String start, String end, Instant now) {
        if (start.isEmpty()) {
            return "";
        }
        return AgeFormat.since(
                start, end.isEmpty() ? now : Timestamps.parse(end).orElse(now));
    }

    private static String pair(JsonNode value, String[] words) {
        String first = Arrays.stream(words[2].split(",", -1))
                .map(part -> Cells.text(value.path(part)))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("."));
        String second = Cells.text(value.path(words[3]));
        return second.isEmpty() ? words[4].replaceFirst("^\\.$", "") : first + "/" + second;
    }

    private static String lastTrue(JsonNode conditions, String other) {
        String last = other;
        for (JsonNode condition : conditions) {
            if (Cells.text(condition.path("status")).equals("True")
                    || condition.path("status").isMissingNode()) {
                last = Cells.text(condition.path("type"));
            }
        }
        return last;
    }

    /** Returns one of two words for a condition's status, or unknown. */
    private static String condition(JsonNode object, String[] words) {
        String state = "Unknown";
        for (JsonNode condition : object.at("/status/conditions")) {
            if (Cells.text(condition.path("type")).equals(words[1])) {
                state = Cells.text(condition.path("status")).equals("True") ? words[2] : words[3];
            }
        }
        return object.at("/spec/unschedulable").asBoolean() ? state + ",SchedulingDisabled" : state;
    }

    private static String addresses(JsonNode list) {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : list) {
            String ip = Cells.text(item.path("ip"));
            String text = ip.isEmpty() ? Cells.text(item.path("hostname")) : ip;
            if (!text.isEmpty()) {
                texts.add(text);
            }
        }
        return String.join(",", texts);
    }

    /** Returns distinct access modes, in the order of kube-apiserver. */
    private static String modes(JsonNode list) {
        Set<String> modes = new HashSet<>();
        list.forEach(mode -> modes.add(Cells.text(mode)));
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < MODES.size(); i += 2) {
            if (modes.contains(MODES.get(i))) {
                texts.add(MODES.get(i + 1));
            }
        }
        return String.join(",", texts);
    }

    private static String address(JsonNode addresses, String type) {
        JsonNode address = Json.find(addresses, "type", type);
        return address.isMissingNode() ? Cells.NONE : Cells.text(address.path("address"));
    }

    private static String roles(JsonNode labels) {
        List<String> roles = new ArrayList<>();
        labels.fieldNames().forEachRemaining(label -> {
            if (label.startsWith(ROLE) && label.length() > ROLE.length()) {
                roles.add(label.substring(ROLE.length()));
            }
        });
        return Cells.orNone(String.join(",", roles.stream().sorted().toList()));
    }

    /** Cell of endpoints: the first few pairs of address and port. */
    private static final class EndpointCells {
        private static final int SHOWN = 3;

        /** Substitute for the ports of a headless service without any. */
        private static final JsonNode NO_PORT =
                JsonNodeFactory.instance.arrayNode().addNull();

        private EndpointCells() {}

        static String endpoints(JsonNode subsets) {
            List<String> all = new ArrayList<>();
            for (JsonNode subset : subsets) {
                for (JsonNode port : subset.path("ports").isEmpty() ? NO_PORT : subset.path("ports")) {
                    for (JsonNode address : subset.path("addresses")) {
                        all.add(at(Cells.text(address.path("ip")), port));
                    }
                }
            }
            String text = String.join(",", all.subList(0, Math.min(SHOWN, all.size())));
            return Cells.orNone(all.size() > SHOWN ? text + " + " + (all.size() - SHOWN) + " more..." : text);
        }

        private static String at(String address, JsonNode port) {
            if (port.isNull()) {
                return address;
            }
            return (address.contains(":") ? "[" + address + "]" : address) + ":"
                    + port.path("port").asInt();
        }
    }

    /** Formats the metrics of both versions; the earlier one has a single metric. */
    static String metrics(JsonNode autoscaler) {
        JsonNode spec = autoscaler.path("spec");
        JsonNode status = autoscaler.path("status");
        if (spec.has("targetCPUUtilizationPercentage")) {
            return "cpu: " + percent(status.path("currentCPUUtilizationPercentage")) + "/"
                    + spec.path("targetCPUUtilizationPercentage").asText() + "%";
        }
        List<String> all = new ArrayList<>();
        int count = spec.path("metrics").size();
        for (int i = 0; i < Math.min(count, SHOWN); i++) {
            all.add(measure(
                    spec.path("metrics").path(i), status.path("currentMetrics").path(i)));
        }
        if (count > SHOWN) {
            all.add((count - SHOWN) + " more...");
        }
        return all.isEmpty()
                ? Cells.NONE
                : String.join(", ", all).replace(", " + (count - SHOWN) + " more", " + " + (count - SHOWN) + " more");
    }

    private static String measure(JsonNode desired, JsonNode present) {
        String type = Cells.text(desired.path("type"));
        if (type.isEmpty()) {
            return UNKNOWN;
        }
        String field = Character.toLowerCase(type.charAt(0)) + type.substring(1);
        JsonNode target = desired.path(field).path("target");
        JsonNode current = present.path(field).path("current");
        String name = type.endsWith("esource") ? Cells.text(desired.path(field).path("name")) + ": " : "";
        if (target.has("averageUtilization")) {
            return name + percent(current.path("averageUtilization")) + "/"
                    + target.path("averageUtilization").asText() + "%";
        }
        if (target.has("averageValue")) {
            return name + known(current.path("averageValue")) + "/"
                    + target.path("averageValue").asText()
                    + (type.equals("External") || type.equals("Object") ? " (avg)" : "");
        }
        return name + known(current.path("value")) + "/" + Cells.text(target.path("value"));
    }

    private static String percent(JsonNode value) {
        return value.isNumber() ? value.asText() + "%" : UNKNOWN;
    }

    private static String known(JsonNode value) {
        return value.isValueNode() ? value.asText() : UNKNOWN;
    }
}
