package io.plat.apiserver.representation;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.tree.ProgramData;
import io.plat.apiserver.type.Column;
import io.plat.apiserver.type.ResourceType;
import io.plat.engine.lookup.Frozen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** Cells of types whose tables are described by data ({@code cells.txt}); any field of an object may be absent. */
final class DeclarativeCells {
    private static final String UNKNOWN = "<unknown>";
    private static final int SHOWN_METRICS = 2;
    private static final int SHOWN_PARTS = 3;
    private static final String ROLE = "node-role.kubernetes.io/";
    private static final String OTHER_ROLE = "kubernetes.io/role";

    private static final Map<String, BiFunction<JsonNode, Instant, Object>> BY_COLUMN = read();

    /** Access modes, each followed by its abbreviation. */
    private static final List<String> MODES =
            List.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");

    private DeclarativeCells() {}

    private static Map<String, BiFunction<JsonNode, Instant, Object>> read() {
        Map<String, BiFunction<JsonNode, Instant, Object>> cells = new HashMap<>();
        ProgramData.lines(DeclarativeCells.class, "cells.txt")
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
                        case "Age" -> Cells.age(object, now);
                        case "Created At" -> Cells.text(object.at("/metadata/creationTimestamp"));
                        default ->
                            cell != null
                                    ? cell.apply(object, now)
                                    : column.name().equals("Name") ? Cells.name(object) : "";
                    });
        }
        var unnamed = BY_COLUMN.get(type.storage() + "/");
        if (unnamed != null) {
            cells.add(unnamed.apply(object, now));
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
            case "duration" ->
                (object, now) -> object.at(at).isNumber()
                        ? AgeFormat.of(Duration.ofSeconds(object.at(at).asLong()))
                        : Cells.NONE;
            case "since" -> {
                JsonPointer end = pointer(words[2]);
                yield (object, now) -> since(Cells.text(object.at(at)), Cells.text(object.at(end)), now);
            }
            case "fixed" -> (object, now) -> words[1];
            case "pair" -> (object, now) -> pair(object.at(at), words);
            case "value" ->
                (object, now) -> object.at(at).isNumber() ? object.at(at).asInt() : Cells.NONE;
            case "first" -> (object, now) -> first(object, words);
            case "if" -> {
                var cell = cell(Arrays.copyOfRange(words, 2, words.length));
                yield (object, now) -> object.at(at).isMissingNode() ? "" : cell.apply(object, now);
            }
            case "name" -> (object, now) -> Cells.name(object) + (isMarked(object, words[1]) ? " (default)" : "");
            case "with" -> {
                JsonPointer more = pointer(words[2]);
                yield (object, now) -> or(object.at(at), words[3]) + enclosed(object.at(more));
            }
            case "some" -> (object, now) -> some(object.at(at), words[2], words[3]);
            case "quota" -> (object, now) -> quota(object.path("status"), words[1].equals("limits"));
            case "completions" -> (object, now) -> completions(object.path("spec"), object.path("status"));
            case "controller" -> (object, now) -> controller(object.at("/metadata/ownerReferences"));
            case "condition" -> (object, now) -> condition(object, words);
            case "address" -> (object, now) -> address(object.at("/status/addresses"), words[1]);
            case "roles" -> (object, now) -> roles(object.at(at));
            case "addresses" -> (object, now) -> String.join(",", Cells.addresses(object.at(at)));
            case "endpoints" -> (object, now) -> endpoints(object.at(at));
            case "ports" -> (object, now) -> object.at(at).isEmpty() ? "80" : "80, 443";
            case "modes" -> (object, now) -> modes(object.at(at));
            case "metrics" -> (object, now) -> metrics(object);
            default -> throw new IllegalStateException("unknown cell: " + String.join(" ", words));
        };
    }

    private static JsonPointer pointer(String path) {
        return JsonPointer.compile(path.startsWith("/") ? path : "/" + path.replace('.', '/'));
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

    /** Returns a label selector as text, sorted by key. */
    private static String selector(JsonNode selector) {
        Map<String, String> parts = new TreeMap<>();
        Json.textsByName(selector.path("matchLabels")).forEach((key, value) -> parts.put(key, key + "=" + value));
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = Cells.text(expression.path("key"));
            Set<String> values = new TreeSet<>(Json.texts(expression.path("values")));
            String list = " (" + String.join(",", values) + ")";
            String part = switch (Cells.text(expression.path("operator"))) {
                case "In" -> key + " in" + list;
                case "NotIn" -> key + " notin" + list;
                case "DoesNotExist" -> "!" + key;
                default -> key;
            };
            parts.put(key + " " + parts.size(), part);
        }
        return Cells.orNone(String.join(",", parts.values()));
    }

    private static boolean isMarked(JsonNode object, String marks) {
        return joined(object.at("/metadata/annotations"), marks, " ").contains("true");
    }

    private static String enclosed(JsonNode text) {
        return Cells.text(text).replaceFirst("^(.+)$", " ($1)");
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
        String first = joined(value, words[2], ".");
        String second = joined(value, words[3], "/");
        if (second.isEmpty()) {
            return words[4].replaceFirst("^\\.$", "");
        }
        return (first.isEmpty() && words.length > 5 ? words[5] : first) + "/" + second;
    }

    private static String joined(JsonNode value, String parts, String separator) {
        return Arrays.stream(parts.split(",", -1))
                .map(part -> Cells.text(value.path(part)))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(separator));
    }

    /** Returns the first alternative that holds in each group. */
    private static String first(JsonNode object, String[] words) {
        List<String> found = new ArrayList<>();
        boolean open = true;
        for (String word : words) {
            int end = word.indexOf('=');
            boolean condition = word.endsWith("?");
            JsonNode value = end < 0 ? object : object.at(pointer(word.substring(0, end)));
            String text = condition ? word.substring(0, word.length() - 1) : word.substring(end + 1);
            if (word.equals("+") || word.equals("first")) {
                open = true;
            } else if (open && !value.isMissingNode() && (!condition || isTrue(object, text))) {
                open = false;
                found.add(text.isEmpty() ? Cells.text(value) : text);
            }
        }
        return found.stream().filter(text -> !text.equals(".")).collect(Collectors.joining(","));
    }

    private static boolean isTrue(JsonNode object, String condition) {
        return Cells.text(Json.find(object.at("/status/conditions"), "type", condition)
                        .path("status"))
                .equals("True");
    }

    /** Returns the first parts of a list, and the number of others. */
    private static String some(JsonNode list, String parts, String none) {
        List<String> all = new ArrayList<>();
        for (JsonNode item : list) {
            JsonNode value = Arrays.stream(parts.split(",", -1))
                    .map(part -> part.equals("*") ? TextNode.valueOf(part) : item.path(part))
                    .filter(part -> !part.isMissingNode())
                    .findFirst()
                    .orElse(MissingNode.getInstance());
            (value.isArray() ? value : List.of(value)).forEach(text -> all.add(Cells.text(text)));
        }
        List<String> shown =
                all.stream().filter(text -> !text.isEmpty()).limit(SHOWN_PARTS).toList();
        String text = shown.isEmpty() ? none : String.join(",", shown);
        return shown.size() < SHOWN_PARTS ? text : text + more(all.size(), SHOWN_PARTS);
    }

    /** Returns used and hard amounts of a quota: of limits, or of everything else. */
    private static String quota(JsonNode status, boolean limits) {
        List<String> amounts = new ArrayList<>();
        new TreeMap<>(Json.textsByName(status.path("hard"))).forEach((name, hard) -> {
            if (name.startsWith("limits.") == limits) {
                amounts.add(name + ": " + status.path("used").path(name).asText("0") + "/" + hard);
            }
        });
        return String.join(", ", amounts);
    }

    private static String completions(JsonNode spec, JsonNode status) {
        int parallel = spec.path("parallelism").asInt();
        return status.path("succeeded").asInt() + "/"
                + (spec.has("completions")
                        ? spec.path("completions").asText()
                        : parallel > 1 ? "1 of " + parallel : "1");
    }

    private static String controller(JsonNode owners) {
        JsonNode owner = Json.find(owners, "controller", "true");
        String version = "." + Cells.text(owner.path("apiVersion"));
        String group = version.substring(0, Math.max(version.indexOf('/'), 0));
        String kind = Cells.text(owner.path("kind")) + group;
        return owner.isMissingNode()
                ? Cells.NONE
                : kind.toLowerCase(Locale.ROOT) + "/" + Cells.text(owner.path("name"));
    }

    /** Returns one of two words for a condition's status, or unknown. */
    private static String condition(JsonNode object, String[] words) {
        String state = "Unknown";
        for (JsonNode condition : object.at("/status/conditions")) {
            if (Cells.text(condition.path("type")).equals(words[1])) {
                String status = Cells.text(condition.path("status"));
                state = status.equals("True")
                        ? words[2]
                        : words.length > 3 ? words[3] : status + enclosed(condition.path("reason"));
            }
        }
        return object.at("/spec/unschedulable").asBoolean() ? state + ",SchedulingDisabled" : state;
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
        roles.add(Cells.text(labels.path(OTHER_ROLE)));
        return Cells.orNone(String.join(
                ",",
                roles.stream()
                        .filter(role -> !role.isEmpty())
                        .distinct()
                        .sorted()
                        .toList()));
    }

    /** Returns the first few pairs of address and port; a headless service may have no ports. */
    private static String endpoints(JsonNode subsets) {
        List<String> all = new ArrayList<>();
        for (JsonNode subset : subsets) {
            JsonNode ports = subset.path("ports");
            for (JsonNode port : ports.isEmpty() ? List.of(MissingNode.getInstance()) : ports) {
                String suffix =
                        port.isMissingNode() ? "" : ":" + port.path("port").asInt();
                for (JsonNode address : subset.path("addresses")) {
                    String ip = Cells.text(address.path("ip"));
                    all.add((ip.contains(":") && !suffix.isEmpty() ? "[" + ip + "]" : ip) + suffix);
                }
            }
        }
        String text = String.join(",", all.subList(0, Math.min(SHOWN_PARTS, all.size())));
        return Cells.orNone(text + more(all.size(), SHOWN_PARTS));
    }

    /** Returns the number of elements of a list that are not shown, {@code ""} if all are. */
    private static String more(int all, int shown) {
        return all > shown ? " + " + (all - shown) + " more..." : "";
    }

    private static String metrics(JsonNode autoscaler) {
        JsonNode desired = autoscaler.at("/spec/metrics");
        JsonNode present = autoscaler.at("/status/currentMetrics");
        List<String> all = new ArrayList<>();
        for (int i = 0; i < Math.min(desired.size(), SHOWN_METRICS); i++) {
            all.add(metric(desired.path(i), present.path(i)));
        }
        return Cells.orNone(String.join(", ", all)) + more(desired.size(), SHOWN_METRICS);
    }

    private static String metric(JsonNode desired, JsonNode present) {
        String type = Cells.text(desired.path("type"));
        if (type.isEmpty()) {
            return "<unknown type>";
        }
        String field = Character.toLowerCase(type.charAt(0)) + type.substring(1);
        JsonNode target = desired.path(field).path("target");
        JsonNode current = present.path(field).path("current");
        String name = type.endsWith("esource") ? Cells.text(desired.path(field).path("name")) + ": " : "";
        if (!name.isEmpty() && !target.has("averageValue")) {
            return name + percent(current.path("averageUtilization")) + "/"
                    + (target.has("averageUtilization")
                            ? target.path("averageUtilization").asText() + "%"
                            : "<auto>");
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
