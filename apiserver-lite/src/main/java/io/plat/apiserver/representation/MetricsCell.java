package io.plat.apiserver.representation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Cell of the metrics of a HorizontalPodAutoscaler: current and target value of each metric, the first two in words. */
final class MetricsCell {
    private static final String UNKNOWN = "<unknown>";
    private static final int SHOWN = 2;

    private MetricsCell() {}

    /** Formats the metrics of both versions; the earlier one has a single metric. */
    static String of(JsonNode autoscaler) {
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

    private static String measure(JsonNode wanted, JsonNode present) {
        String type = Cells.text(wanted.path("type"));
        if (type.isEmpty()) {
            return UNKNOWN;
        }
        String field = Character.toLowerCase(type.charAt(0)) + type.substring(1);
        JsonNode target = wanted.path(field).path("target");
        JsonNode current = present.path(field).path("current");
        String name = type.endsWith("esource") ? Cells.text(wanted.path(field).path("name")) + ": " : "";
        if (target.has("averageUtilization")) {
            return name + percent(current.path("averageUtilization")) + "/"
                    + target.path("averageUtilization").asText() + "%";
        }
        if (target.has("averageValue")) {
            return name + known(current.path("averageValue")) + "/"
                    + target.path("averageValue").asText() + (type.equals("Resource") ? "" : " (avg)");
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
