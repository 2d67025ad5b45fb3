package io.plat.apiserver.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.FieldNames;
import io.plat.apiserver.memory.ClientJson;
import io.plat.apiserver.rules.GoForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.tree.ProgramData;
import io.plat.apiserver.type.ResourceType;
import java.io.IOException;
import java.util.List;

/**
 * Conversion of HorizontalPodAutoscalers between {@code v1}, which has one metric, CPU utilization, as a number, and the stored {@code
 * v2}, which has a list of metrics. Fields that {@code v1} lacks are preserved in annotations with kube-apiserver's names.
 */
public final class AutoscalerConversion {
    static final String STORAGE = "horizontalpodautoscalers.autoscaling";

    private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
    private static final String BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";
    private static final String TARGET = "targetCPUUtilizationPercentage";

    /** Fields of each type of metric in {@code v1}, in Go's order, with their paths in {@code v2} and the type of the target. */
    private static final JsonNode METRIC_FIELDS =
            ProgramData.json(AutoscalerConversion.class, "autoscaler-metrics.json");

    /** Fields that {@code v1} names differently, or has as one value. */
    static final FieldNames FIELDS = new FieldNames(
            "autoscaling/v1",
            List.of(
                    new FieldNames.Alias(List.of("spec", "metrics"), List.of("spec", TARGET), List.of()),
                    new FieldNames.Alias(
                            List.of("spec", "scaleTargetRef"),
                            List.of("spec", "scaleTargetRef"),
                            List.of("apiVersion", "kind", "name")),
                    new FieldNames.Alias(
                            List.of("spec", "behavior"), List.of("metadata", "annotations", BEHAVIOR), List.of())));

    /** Maximum length of an annotation, in characters. */
    private static final int MAX_LENGTH = 256 << 10;

    /** Memory of an annotation in trees of its size: its own tree, and metrics, each with two additional objects. */
    private static final int TREES = 4;

    private AutoscalerConversion() {}

    public static boolean is(ResourceType type) {
        return type.group().equals("autoscaling")
                && type.version().equals("v1")
                && type.kind().equals("HorizontalPodAutoscaler");
    }

    static ObjectNode serve(ObjectNode stored) {
        ObjectNode spec = Json.child(stored, "spec");
        ArrayNode others = Json.object().putArray("others");
        JsonNode metrics = spec.path("metrics");
        spec.remove("metrics");
        for (JsonNode metric : metrics) {
            if (isCpuUtilization(metric) && !spec.has(TARGET)) {
                spec.set(TARGET, metric.at("/resource/target/averageUtilization"));
            } else {
                others.add(metric(metric, false));
            }
        }
        JsonNode behavior = spec.remove("behavior");
        if (!others.isEmpty()) {
            annotate(stored, METRICS, others);
        }
        if (behavior != null) {
            annotate(stored, BEHAVIOR, GoForm.of("HorizontalPodAutoscalerBehavior", behavior));
        }
        if (stored.path("status") instanceof ObjectNode status) {
            status.remove("currentMetrics");
            status.remove("conditions");
            if (!status.has("currentReplicas")) {
                status.put("currentReplicas", 0);
            }
        }
        return stored;
    }

    /** Converts a metric from {@code v2} to {@code v1}, or back. */
    private static ObjectNode metric(JsonNode metric, boolean back) {
        String type = Json.text(metric, "type");
        JsonNode source = metric.path(GoForm.served(type));
        ObjectNode converted = Json.object().put("type", type);
        ObjectNode fields = converted.putObject(GoForm.served(type));
        METRIC_FIELDS.path(type).properties().forEach(field -> {
            String[] place = field.getValue().asText().split(" ", -1);
            boolean direct = place.length == 1;
            JsonNode holder = direct ? source : source.path(place[0]);
            String name = direct ? place[0] : place[1];
            JsonNode value = back ? source.path(field.getKey()) : holder.path(name);
            if (!value.isMissingNode()) {
                ObjectNode parent = back && !direct ? Json.child(fields, place[0]) : fields;
                if (back && place.length == 3) {
                    parent.put("type", place[2]);
                }
                parent.set(back ? name : field.getKey(), value);
            }
        });
        return converted;
    }

    private static boolean isCpuUtilization(JsonNode metric) {
        return Json.text(metric, "type").equals("Resource")
                && metric.at("/resource/name").asText().equals("cpu")
                && metric.at("/resource/target/averageUtilization").isNumber();
    }

    private static void annotate(ObjectNode object, String name, JsonNode value) {
        Json.child(Json.child(object, "metadata"), "annotations").put(name, value.toString());
    }

    static ObjectNode store(ObjectNode served) {
        ObjectNode spec = Json.child(served, "spec");
        ArrayNode metrics = Json.object().putArray("metrics");
        JsonNode target = spec.remove(TARGET);
        if (target != null) {
            ObjectNode metric = metrics.addObject().put("type", "Resource");
            ObjectNode utilization =
                    metric.putObject("resource").put("name", "cpu").putObject("target");
            utilization.put("type", "Utilization").set("averageUtilization", target);
        }
        for (JsonNode other : annotation(served, METRICS)) {
            metrics.add(metric(other, true));
        }
        if (!metrics.isEmpty()) {
            spec.set("metrics", metrics);
        }
        JsonNode behavior = annotation(served, BEHAVIOR);
        if (behavior.isObject()) {
            spec.set("behavior", GoForm.served(behavior));
        }
        return served;
    }

    /** Removes an annotation and returns its value; a missing node if it is malformed. */
    private static JsonNode annotation(ObjectNode object, String name) {
        if (!(object.path("metadata").path("annotations") instanceof ObjectNode annotations)
                || !annotations.has(name)) {
            return Json.object().path("");
        }
        String text = annotations.path(name).asText();
        if (text.length() > MAX_LENGTH) {
            // More than an object's annotations may have together, so it is refused.
            return Json.object().path("");
        }
        try {
            JsonNode value = ClientJson.read(Json.MAPPER, text, TREES);
            annotations.remove(name);
            return value;
        } catch (IOException e) {
            // Left in place: it is the client's own annotation.
            return Json.object().path("");
        }
    }
}
