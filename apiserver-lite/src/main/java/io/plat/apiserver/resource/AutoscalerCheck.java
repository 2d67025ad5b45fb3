package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** What is wrong with how many pods there may be, and by which measures: in the words of existing servers. */
final class AutoscalerCheck {
    /** Where each kind of measure is described. */
    private static final Map<String, String> SOURCES = Map.of(
            "ContainerResource", "containerResource",
            "External", "external",
            "Object", "object",
            "Pods", "pods",
            "Resource", "resource");

    private static final List<String> TARGETS = List.of("AverageValue", "Utilization", "Value");
    private static final List<String> POLICIES = List.of("Percent", "Pods");
    private static final List<String> SELECTED = List.of("Disabled", "Max", "Min");
    private static final int LONGEST_PERIOD = 1800;
    private static final int LONGEST_WINDOW = 3600;

    private final JsonNode spec;
    private final Causes causes;

    private AutoscalerCheck(JsonNode spec, Causes causes) {
        this.spec = spec;
        this.causes = causes;
    }

    /** Checks one, in the version that is stored. */
    static void check(JsonNode autoscaler, Causes causes) {
        AutoscalerCheck check = new AutoscalerCheck(autoscaler.path("spec"), causes);
        check.bounds();
        for (int i = 0; i < check.spec.path("metrics").size(); i++) {
            check.metric("spec.metrics[" + i + "]", check.spec.path("metrics").path(i));
        }
        for (String direction : List.of("scaleUp", "scaleDown")) {
            JsonNode rules = check.spec.path("behavior").path(direction);
            if (rules.isObject()) {
                check.rules("spec.behavior." + direction, rules);
            }
        }
    }

    private void bounds() {
        int most = spec.path("maxReplicas").asInt();
        int least = spec.path("minReplicas").asInt(1);
        if (least < 1) {
            causes.invalidLiteral("spec.minReplicas", Integer.toString(least), "must be greater than or equal to 1");
        }
        if (most < 1) {
            causes.invalidLiteral("spec.maxReplicas", Integer.toString(most), "must be greater than 0");
        }
        if (most < least) {
            causes.invalidLiteral(
                    "spec.maxReplicas", Integer.toString(most), "must be greater than or equal to `minReplicas`");
        }
    }

    private void metric(String field, JsonNode metric) {
        String type = Json.text(metric, "type");
        String source = SOURCES.getOrDefault(type, "");
        if (source.isEmpty()) {
            if (!type.isEmpty()) {
                causes.notSupported(
                        field + ".type",
                        type,
                        SOURCES.keySet().stream().sorted().toList());
            }
            return;
        }
        if (!metric.has(source)) {
            causes.required(field + "." + source, "must populate information for the given metric source");
        }
        SOURCES.values().stream()
                .filter(other -> !other.equals(source) && metric.has(other))
                .sorted()
                .forEach(other -> causes.forbidden(field + "." + other, "must populate the given metric source only"));
        if (metric.has(source)) {
            target(field + "." + source + ".target", metric.path(source).path("target"), source);
        }
    }

    private void target(String field, JsonNode target, String source) {
        String type = Json.text(target, "type");
        if (type.isEmpty()) {
            causes.required(field + ".type", "must specify a metric target type");
        } else if (!TARGETS.contains(type)) {
            causes.invalid(field + ".type", type, "must be either Utilization, Value, or AverageValue");
        }
        for (String amount : List.of("value", "averageValue")) {
            if (target.has(amount)
                    && QualityOfService.amount(target.path(amount)).signum() <= 0) {
                causes.invalid(field + "." + amount, target.path(amount).asText(), "must be positive");
            }
        }
        JsonNode use = target.path("averageUtilization");
        if (use.isNumber() && use.asLong() < 1) {
            causes.invalidValue(field + ".averageUtilization", use, "must be greater than 0");
        }
        wanted(field, target, source);
    }

    private void wanted(String field, JsonNode target, String source) {
        boolean average = target.has("averageValue");
        boolean value = target.has("value");
        switch (source) {
            case "resource", "containerResource" -> {
                boolean use = target.has("averageUtilization");
                if (!use && !average) {
                    causes.required(
                            field + ".averageUtilization",
                            "must set either a target raw value or a target utilization");
                } else if (use && average) {
                    causes.forbidden(
                            field + ".averageValue", "may not set both a target raw value and a target utilization");
                }
            }
            case "pods" -> {
                if (!average) {
                    causes.required(field + ".averageValue", "must specify a positive target averageValue");
                }
            }
            case "external" -> {
                if (!average && !value) {
                    causes.required(
                            field + ".averageValue", "must set either a target value for metric or a per-pod target");
                } else if (average && value) {
                    causes.forbidden(
                            field + ".value", "may not set both a target value for metric and a per-pod target");
                }
            }
            default -> {
                if (!average && !value) {
                    causes.required(field + ".averageValue", "must set either a target value or averageValue");
                }
            }
        }
    }

    private void rules(String field, JsonNode rules) {
        JsonNode window = rules.path("stabilizationWindowSeconds");
        if (window.isNumber() && window.asLong() < 0) {
            causes.invalidValue(field + ".stabilizationWindowSeconds", window, "must be greater than or equal to zero");
        } else if (window.asLong() > LONGEST_WINDOW) {
            causes.invalidValue(
                    field + ".stabilizationWindowSeconds", window, "must be less than or equal to " + LONGEST_WINDOW);
        }
        String selected = Json.text(rules, "selectPolicy");
        causes.oneOf(field + ".selectPolicy", selected, SELECTED);
        for (int i = 0; i < rules.path("policies").size(); i++) {
            policy(field + ".policies[" + i + "]", rules.path("policies").path(i));
        }
    }

    private void policy(String field, JsonNode policy) {
        String type = Json.text(policy, "type");
        causes.oneOf(field + ".type", type, POLICIES);
        for (String amount : List.of("value", "periodSeconds")) {
            if (policy.path(amount).asLong() <= 0) {
                causes.invalidLiteral(
                        field + "." + amount, policy.path(amount).asText("0"), "must be greater than zero");
            }
        }
        if (policy.path("periodSeconds").asLong() > LONGEST_PERIOD) {
            causes.invalidValue(
                    field + ".periodSeconds",
                    policy.path("periodSeconds"),
                    "must be less than or equal to " + LONGEST_PERIOD);
        }
    }
}
