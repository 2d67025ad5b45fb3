package io.plat.apiserver.resource;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Validation of HorizontalPodAutoscaler objects, with the messages of kube-apiserver. */
final class AutoscalerCheck {
    /** The fields that describe each kind of metric; sorted, as messages list them. */
    private static final SortedMap<String, String> SOURCES = new TreeMap<>(Map.of(
            "ContainerResource", "containerResource",
            "External", "external",
            "Object", "object",
            "Pods", "pods",
            "Resource", "resource"));

    private static final List<String> TARGETS = List.of("AverageValue", "Utilization", "Value");
    private static final List<String> POLICIES = List.of("Percent", "Pods");
    private static final List<String> SELECTED = List.of("Disabled", "Max", "Min");
    private static final int LONGEST_PERIOD = 1800;
    private static final int LONGEST_WINDOW = 3600;

    private AutoscalerCheck() {}

    /** Checks the spec of one, in the version that is stored. */
    static void check(Field spec) {
        int most = spec.value().path("maxReplicas").asInt();
        int least = spec.value().path("minReplicas").asInt(1);
        if (least < 1) {
            spec.at("minReplicas").invalidLiteral(Integer.toString(least), "must be greater than or equal to 1");
        }
        if (most < 1) {
            spec.at("maxReplicas").invalidLiteral(Integer.toString(most), "must be greater than 0");
        }
        if (most < least) {
            spec.at("maxReplicas")
                    .invalidLiteral(Integer.toString(most), "must be greater than or equal to `minReplicas`");
        }
        spec.at("metrics").forEach(AutoscalerCheck::metric);
        for (String direction : List.of("scaleUp", "scaleDown")) {
            Field rules = spec.at("behavior").at(direction);
            if (rules.value().isObject()) {
                rules(rules);
            }
        }
    }

    private static void metric(Field metric) {
        Field type = metric.at("type");
        type.oneOf(List.copyOf(SOURCES.keySet()));
        String source = SOURCES.get(type.text());
        if (source == null) {
            return;
        }
        if (!metric.has(source)) {
            metric.at(source).required("must populate information for the given metric source");
        }
        for (String other : SOURCES.values()) {
            if (!other.equals(source) && metric.has(other)) {
                metric.at(other).forbidden("must populate the given metric source only");
            }
        }
        if (metric.has(source)) {
            target(metric.at(source).at("target"), source);
        }
    }

    private static void target(Field target, String source) {
        Field type = target.at("type");
        if (type.require("must specify a metric target type") && !TARGETS.contains(type.text())) {
            type.invalid("must be either Utilization, Value, or AverageValue");
        }
        for (String amount : List.of("value", "averageValue")) {
            if (target.has(amount)
                    && QualityOfService.amount(target.at(amount).value()).signum() <= 0) {
                target.at(amount).invalid("must be positive");
            }
        }
        target.at("averageUtilization").range(1, Long.MAX_VALUE, "must be greater than 0");
        wanted(target, source);
    }

    private static void wanted(Field target, String source) {
        Field average = target.at("averageValue");
        switch (source) {
            case "resource", "containerResource" ->
                one(
                        target.at("averageUtilization"),
                        average,
                        "a target raw value or a target utilization",
                        "a target raw value and a target utilization");
            case "pods" -> required(average, "must specify a positive target averageValue");
            case "external" ->
                one(
                        average,
                        target.at("value"),
                        "a target value for metric or a per-pod target",
                        "a target value for metric and a per-pod target");
            default -> {
                if (!target.has("value")) {
                    required(average, "must set either a target value or averageValue");
                }
            }
        }
    }

    private static void required(Field field, String why) {
        if (field.isMissing()) {
            field.required(why);
        }
    }

    /** Checks that there is exactly one of two. */
    private static void one(Field first, Field second, String either, String both) {
        if (second.isMissing()) {
            required(first, "must set either " + either);
        } else if (!first.isMissing()) {
            second.forbidden("may not set both " + both);
        }
    }

    private static void rules(Field rules) {
        Field window = rules.at("stabilizationWindowSeconds");
        window.range(0, Long.MAX_VALUE, "must be greater than or equal to zero");
        window.range(Long.MIN_VALUE, LONGEST_WINDOW, "must be less than or equal to " + LONGEST_WINDOW);
        rules.at("selectPolicy").oneOf(SELECTED);
        for (Field policy : rules.at("policies")) {
            policy.at("type").oneOf(POLICIES);
            for (Field amount : List.of(policy.at("value"), policy.at("periodSeconds"))) {
                if (amount.number() <= 0) {
                    amount.invalidLiteral(amount.value().asText("0"), "must be greater than zero");
                }
            }
            policy.at("periodSeconds")
                    .range(Long.MIN_VALUE, LONGEST_PERIOD, "must be less than or equal to " + LONGEST_PERIOD);
        }
    }
}
