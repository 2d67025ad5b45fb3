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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Resource defaults and limits that the LimitRange objects of a namespace set for its pods and claims, as the LimitRanger plug-in does. */
public final class LimitRanges {
    private static final String PODS = "pods";
    private static final String CLAIMS = "persistentvolumeclaims";
    private static final String ANNOTATION = "kubernetes.io/limit-ranger";
    private static final String REQUESTS = "requests";
    private static final String LIMITS = "limits";
    private static final String CONTAINER = "Container";
    private static final List<String> POD_LEVEL = List.of("cpu", "memory");

    private LimitRanges() {}

    /** Returns the limits of a namespace. Each element of a range has a type and bounds. */
    private static List<JsonNode> limits(Target target, Snapshot snapshot) {
        return snapshot.page(KeyRange.of("limitranges", target.namespace()), "", 0).entries().stream()
                .flatMap(entry -> StoredForm.decode(entry.value(), 0).at("/spec/limits").valueStream())
                .toList();
    }

    /** Sets the default requests and limits of a new pod's containers. */
    public static void setDefaults(Target target, ObjectNode pod, Snapshot snapshot) {
        if (!target.type().storage().equals(PODS)) {
            return;
        }
        List<String> changes = new ArrayList<>();
        for (JsonNode limit : limits(target, snapshot)) {
            if (!Json.text(limit, "type").equals(CONTAINER)) {
                continue;
            }
            pod.at("/spec/containers").forEach(each -> setDefaults(limit, "container", (ObjectNode) each, changes));
            pod.at("/spec/initContainers")
                    .forEach(each -> setDefaults(limit, "init container", (ObjectNode) each, changes));
        }
        if (!changes.isEmpty()) {
            Json.child(Json.child(pod, "metadata"), "annotations")
                    .put(ANNOTATION, "LimitRanger plugin set: " + String.join("; ", changes));
        }
    }

    private static void setDefaults(JsonNode limit, String kind, ObjectNode container, List<String> changes) {
        setDefaults(limit.path("defaultRequest"), REQUESTS, " request for " + kind, container, changes);
        setDefaults(limit.path("default"), LIMITS, " limit for " + kind, container, changes);
    }

    private static void setDefaults(
            JsonNode defaults, String list, String what, ObjectNode container, List<String> changes) {
        Set<String> set = new TreeSet<>();
        for (Map.Entry<String, JsonNode> value : defaults.properties()) {
            if (!container.path("resources").path(list).has(value.getKey())) {
                Json.child(Json.child(container, "resources"), list).set(value.getKey(), value.getValue());
                set.add(value.getKey());
            }
        }
        if (!set.isEmpty()) {
            changes.add(String.join(", ", set) + what + " " + Json.text(container, "name"));
        }
    }

    /**
     * Requires that an object is within the limits.
     *
     * @param before its state before an update; null if it is new
     * @throws StatusException 403 with all violations
     */
    public static void check(
            Target target, String part, JsonNode object, @Nullable JsonNode before, Snapshot snapshot)
            throws StatusException {
        boolean pod = target.type().storage().equals(PODS) && (before == null || part.equals("resize"));
        boolean claim = target.type().storage().equals(CLAIMS) && part.isEmpty();
        if (!(pod || claim) || (before != null && before.path("metadata").hasNonNull("deletionTimestamp"))) {
            return;
        }
        Set<String> problems = new LinkedHashSet<>();
        JsonNode spec = object.path("spec");
        for (JsonNode limit : limits(target, snapshot)) {
            String type = Json.text(limit, "type");
            if (claim && type.equals("PersistentVolumeClaim")) {
                check(limit, new Usage(REQUESTS, spec.path("resources").path(REQUESTS), null), problems);
            } else if (pod && type.equals(CONTAINER)) {
                Stream.concat(spec.path("containers").valueStream(), spec.path("initContainers").valueStream())
                        .forEach(each -> check(limit, Usage.of(each.path("resources")), problems));
            } else if (pod && type.equals("Pod")) {
                check(limit, new Usage(LIMITS, total(spec, REQUESTS), total(spec, LIMITS)), problems);
            }
        }
        if (!problems.isEmpty()) {
            String all = String.join(", ", problems);
            throw ApiErrors.forbidden(target, problems.size() == 1 ? all : "[" + all + "]");
        }
    }

    /**
     * Resources of a container, pod or claim.
     *
     * @param bounded the list that a maximum applies to first
     * @param limits null if the type has none
     */
    private record Usage(String bounded, JsonNode requests, @Nullable JsonNode limits) {
        static Usage of(JsonNode resources) {
            return new Usage(LIMITS, resources.path(REQUESTS), resources.path(LIMITS));
        }

        String text(String list, String name) {
            JsonNode values = list.equals(REQUESTS) ? requests : limits;
            return values == null ? "" : Json.text(values, name);
        }
    }

    private static void check(JsonNode limit, Usage usage, Set<String> problems) {
        for (Map.Entry<String, JsonNode> bound : limit.path("min").properties()) {
            bound(limit, "minimum", REQUESTS, -1, bound, usage, problems);
        }
        for (Map.Entry<String, JsonNode> bound : limit.path("max").properties()) {
            bound(limit, "maximum", usage.bounded(), 1, bound, usage, problems);
        }
        for (Map.Entry<String, JsonNode> bound : limit.path("maxLimitRequestRatio").properties()) {
            ratio(Json.text(limit, "type"), bound, usage, problems);
        }
    }

    /**
     * Checks both amounts of a resource against a bound, and reports one violation.
     *
     * @param required the list that must have the resource
     * @param sign 1 if greater amounts violate the bound, -1 if lesser ones do
     */
    private static void bound(
            JsonNode limit,
            String word,
            String required,
            int sign,
            Map.Entry<String, JsonNode> bound,
            Usage usage,
            Set<String> problems) {
        String name = bound.getKey();
        String text = bound.getValue().asText();
        String start = word + " " + name + " usage per " + Json.text(limit, "type") + " is " + text;
        String other = required.equals(REQUESTS) ? LIMITS : REQUESTS;
        if (usage.text(required, name).isEmpty()) {
            problems.add(start + ".  No " + required.substring(0, required.length() - 1) + " is specified");
            return;
        }
        for (String list : List.of(required, other)) {
            String amount = usage.text(list, name);
            if (!amount.isEmpty() && Quantity.of(amount).compareTo(Quantity.of(text)) == sign) {
                problems.add(start + ", but " + list.substring(0, list.length() - 1) + " is " + amount);
                return;
            }
        }
    }

    private static void ratio(String type, Map.Entry<String, JsonNode> bound, Usage usage, Set<String> problems) {
        String name = bound.getKey();
        String start = name + " max limit to request ratio per " + type + " is "
                + bound.getValue().asText() + ", but ";
        for (String list : List.of(REQUESTS, LIMITS)) {
            if (Quantity.of(usage.text(list, name)).signum() == 0) {
                String one = list.substring(0, list.length() - 1);
                problems.add(start + "no " + one + " is specified or " + one + " is 0");
                return;
            }
        }
        double ratio = Quantity.of(usage.text(LIMITS, name)).doubleValue()
                / Quantity.of(usage.text(REQUESTS, name)).doubleValue();
        if (ratio > Quantity.of(bound.getValue().asText()).doubleValue()) {
            problems.add(start + String.format(Locale.ROOT, "provided ratio is %f", ratio));
        }
    }

    /** Returns the amounts of a pod: the sum of its containers, or the most that an init container needs. */
    private static ObjectNode total(JsonNode spec, String list) {
        Map<String, String> sums = new TreeMap<>();
        spec.path("containers").forEach(each -> merge(sums, each.path("resources").path(list), LimitRanges::sum));
        Map<String, String> sidecars = new TreeMap<>();
        Map<String, String> starting = new TreeMap<>();
        for (JsonNode each : spec.path("initContainers")) {
            JsonNode amounts = each.path("resources").path(list);
            boolean sidecar = Json.text(each, "restartPolicy").equals("Always");
            if (sidecar) {
                merge(sums, amounts, LimitRanges::sum);
                merge(sidecars, amounts, LimitRanges::sum);
            }
            Map<String, String> needed = new TreeMap<>(sidecars);
            if (!sidecar) {
                merge(needed, amounts, LimitRanges::sum);
            }
            needed.forEach((name, amount) -> starting.merge(name, amount, LimitRanges::max));
        }
        starting.forEach((name, amount) -> sums.merge(name, amount, LimitRanges::max));
        for (String name : POD_LEVEL) {
            String amount = Json.text(spec.path("resources").path(list), name);
            if (!amount.isEmpty()) {
                sums.put(name, amount);
            }
        }
        ObjectNode total = Json.object();
        sums.forEach(total::put);
        return total;
    }

    private static void merge(Map<String, String> into, JsonNode amounts, BinaryOperator<String> how) {
        amounts.properties()
                .forEach(each -> into.merge(each.getKey(), each.getValue().asText(), how));
    }

    private static String max(String one, String other) {
        return Quantity.of(one).compareTo(Quantity.of(other)) >= 0 ? one : other;
    }

    /** Returns the sum of two quantities, with the kind of suffix of the first. */
    private static String sum(String one, String other) {
        BigDecimal sum = Quantity.of(one).add(Quantity.of(other));
        return Quantity.canonical(
                one.endsWith("i")
                        ? sum.divide(BigDecimal.valueOf(1024)).toPlainString() + "Ki"
                        : sum.toPlainString());
    }
}
