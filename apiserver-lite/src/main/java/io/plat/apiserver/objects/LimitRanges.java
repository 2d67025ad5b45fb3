package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.Target;
import io.plat.cel.text.Quantity;
import io.plat.review.status.StatusException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Resource defaults and limits that the LimitRange objects of a namespace set for its pods and claims, as the LimitRanger plug-in does. */
public final class LimitRanges {
    private static final String PODS = "pods";
    private static final String CLAIMS = "persistentvolumeclaims";
    private static final String CLAIM = "PersistentVolumeClaim";
    private static final String CONTAINER = "Container";
    private static final String REQUEST = "request";
    private static final String LIMIT = "limit";
    private static final List<String> LISTS = List.of(REQUEST, LIMIT);
    private static final List<String> POD_LEVEL = List.of("cpu", "memory");
    private static final BinaryOperator<String> MAX = BinaryOperator.maxBy(Comparator.comparing(Quantity::of));
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    private LimitRanges() {}

    /** Returns the limits in a namespace, by their types. */
    private static Map<String, List<JsonNode>> limits(Target target, Snapshot snapshot) {
        return snapshot.page(KeyRange.of("limitranges", target.namespace()), "", 0).entries().stream()
                .flatMap(entry ->
                        StoredForm.decode(entry.value(), 0).at("/spec/limits").valueStream())
                .collect(Collectors.groupingBy(limit -> Json.text(limit, "type"), TreeMap::new, Collectors.toList()));
    }

    /** Sets the default requests and limits of a new pod's containers. */
    public static void setDefaults(Target target, ObjectNode pod, Snapshot snapshot) {
        if (!target.type().storage().equals(PODS)) {
            return;
        }
        List<String> changes = new ArrayList<>();
        for (JsonNode limit : limits(target, snapshot).getOrDefault(CONTAINER, List.of())) {
            for (String list : PodRules.CONTAINERS) {
                String kind = list.equals("containers") ? " for container " : " for init container ";
                for (JsonNode container : pod.path("spec").path(list)) {
                    fill(limit.path("defaultRequest"), REQUEST, kind, (ObjectNode) container, changes);
                    fill(limit.path("default"), LIMIT, kind, (ObjectNode) container, changes);
                }
            }
        }
        if (!changes.isEmpty()) {
            Json.child(Json.child(pod, "metadata"), "annotations")
                    .put("kubernetes.io/limit-ranger", "LimitRanger plugin set: " + String.join("; ", changes));
            Json.child(pod, "status").put("qosClass", PodRules.qosClass(pod.path("spec")));
        }
    }

    private static void fill(JsonNode defaults, String word, String kind, ObjectNode container, List<String> changes) {
        Set<String> set = new TreeSet<>();
        for (Map.Entry<String, JsonNode> value : defaults.properties()) {
            if (!container.path("resources").path(word + "s").has(value.getKey())) {
                Json.child(Json.child(container, "resources"), word + "s").set(value.getKey(), value.getValue());
                set.add(value.getKey());
            }
        }
        if (!set.isEmpty()) {
            changes.add(String.join(", ", set) + " " + word + kind + Json.text(container, "name"));
        }
    }

    /**
     * Requires that an object is within the limits.
     *
     * @param before its state before an update; null if it is new
     * @throws StatusException 403 with all violations
     */
    public static void check(Target target, String part, JsonNode object, @Nullable JsonNode before, Snapshot snapshot)
            throws StatusException {
        Set<String> problems = new LinkedHashSet<>();
        JsonNode spec = object.path("spec");
        if (before != null && before.path("metadata").hasNonNull("deletionTimestamp")) {
            return;
        }
        if (target.type().storage().equals(PODS) && (before == null || part.equals("resize"))) {
            Map<String, List<JsonNode>> limits = limits(target, snapshot);
            for (JsonNode limit : limits.getOrDefault(CONTAINER, List.of())) {
                for (String list : PodRules.CONTAINERS) {
                    spec.path(list).forEach(each -> new Comparison(limit, each.path("resources"), problems).compare());
                }
            }
            for (JsonNode limit : limits.getOrDefault("Pod", List.of())) {
                new Comparison(limit, total(spec), problems).compare();
            }
        } else if (target.type().storage().equals(CLAIMS) && part.isEmpty()) {
            JsonNode requests =
                    Json.object().set("requests", spec.path("resources").path("requests"));
            limits(target, snapshot)
                    .getOrDefault(CLAIM, List.of())
                    .forEach(limit -> new Comparison(limit, requests, problems).compare());
        }
        if (!problems.isEmpty()) {
            String all = String.join(", ", problems);
            throw ApiErrors.forbidden(target, problems.size() == 1 ? all : "[" + all + "]");
        }
    }

    /**
     * Comparison of the resources of a container, pod or claim with a limit of that type.
     *
     * @param resources its requests and limits
     */
    private record Comparison(JsonNode limit, JsonNode resources, Set<String> problems) {
        void compare() {
            List<String> most = type().equals(CLAIM) ? LISTS : LISTS.reversed();
            limit.path("min").properties().forEach(bound -> bound("minimum", bound, LISTS, -1));
            limit.path("max").properties().forEach(bound -> bound("maximum", bound, most, 1));
            limit.path("maxLimitRequestRatio").properties().forEach(this::ratio);
        }

        private String type() {
            return Json.text(limit, "type");
        }

        private String amount(String word, String name) {
            return Json.text(resources.path(word + "s"), name);
        }

        /**
         * Reports the first of both amounts that violates a bound.
         *
         * @param sign 1 if greater amounts violate it, -1 if lesser ones do
         */
        private void bound(String what, Map.Entry<String, JsonNode> bound, List<String> words, int sign) {
            String text = bound.getValue().asText();
            String usage = what + " " + bound.getKey() + " usage per " + type() + " is " + text;
            if (amount(words.getFirst(), bound.getKey()).isEmpty()) {
                problems.add(usage + ".  No " + words.getFirst() + " is specified");
                return;
            }
            words.stream()
                    .filter(word -> !amount(word, bound.getKey()).isEmpty())
                    .filter(word -> Quantity.of(amount(word, bound.getKey())).compareTo(Quantity.of(text)) == sign)
                    .findFirst()
                    .ifPresent(word -> problems.add(usage + ", but " + word + " is " + amount(word, bound.getKey())));
        }

        private void ratio(Map.Entry<String, JsonNode> bound) {
            String name = bound.getKey();
            String text = bound.getValue().asText();
            String start = name + " max limit to request ratio per " + type() + " is " + text + ", but ";
            for (String word : LISTS) {
                if (Quantity.of(amount(word, name)).signum() == 0) {
                    problems.add(start + "no " + word + " is specified or " + word + " is 0");
                    return;
                }
            }
            double ratio = Quantity.of(amount(LIMIT, name)).doubleValue()
                    / Quantity.of(amount(REQUEST, name)).doubleValue();
            if (ratio > Quantity.of(text).doubleValue()) {
                problems.add(start + String.format(Locale.ROOT, "provided ratio is %f", ratio));
            }
        }
    }

    /** Returns the resources of a pod: the sum of its containers, or the most that a step of its start needs. */
    private static ObjectNode total(JsonNode spec) {
        ObjectNode total = Json.object();
        for (String list : List.of("requests", "limits")) {
            Map<String, String> sum = new TreeMap<>();
            Map<String, String> most = new TreeMap<>();
            spec.path("containers").forEach(each -> add(sum, each, list));
            Map<String, String> sidecars = new TreeMap<>();
            for (JsonNode each : spec.path("initContainers")) {
                Map<String, String> step = new TreeMap<>(sidecars);
                add(step, each, list);
                if (Json.text(each, "restartPolicy").equals("Always")) {
                    add(sum, each, list);
                    add(sidecars, each, list);
                }
                step.forEach((name, amount) -> most.merge(name, amount, MAX));
            }
            most.forEach((name, amount) -> sum.merge(name, amount, MAX));
            sum.forEach(Json.child(total, list)::put);
            JsonNode declared = spec.path("resources").path(list);
            POD_LEVEL.stream()
                    .filter(declared::has)
                    .forEach(name -> Json.child(total, list).set(name, declared.path(name)));
        }
        return total;
    }

    private static void add(Map<String, String> sums, JsonNode container, String list) {
        container
                .path("resources")
                .path(list)
                .properties()
                .forEach(each -> sums.merge(each.getKey(), each.getValue().asText(), LimitRanges::sum));
    }

    /** Returns the sum of two quantities, with the kind of suffix of the first. */
    private static String sum(String one, String other) {
        BigDecimal sum = Quantity.of(one).add(Quantity.of(other));
        return Quantity.canonical(one.endsWith("i") ? sum.divide(KIBI).toPlainString() + "Ki" : sum.toPlainString());
    }
}
