package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What is wrong with how many pods there are and how they are replaced by others: in the words of existing servers. */
final class RolloutCheck {
    private static final List<String> COUNTS = List.of("replicas", "minReadySeconds", "revisionHistoryLimit");

    /** What of a stateful set may change. */
    private static final List<String> OF_STATEFUL_SETS = List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    private final JsonNode spec;
    private final Causes causes;

    private RolloutCheck(JsonNode spec, Causes causes) {
        this.spec = spec;
        this.causes = causes;
    }

    /** Checks a type that keeps pods running. */
    static void check(String storage, JsonNode object, Causes causes) {
        RolloutCheck check = new RolloutCheck(object.path("spec"), causes);
        COUNTS.forEach(count -> causes.notNegative("spec." + count, check.spec.path(count)));
        if (!storage.equals("replicationcontrollers")) {
            SelectorCheck.check("spec.selector", check.spec.path("selector"), causes);
        }
        switch (storage) {
            case "deployments.apps" -> check.deployment();
            case "daemonsets.apps" -> check.daemons();
            case "statefulsets.apps" -> check.stateful();
            default -> {}
        }
    }

    private void deployment() {
        JsonNode strategy = spec.path("strategy");
        JsonNode rolling = strategy.path("rollingUpdate");
        String field = "spec.strategy.rollingUpdate";
        if (Json.text(strategy, "type").equals("Recreate") && !rolling.isMissingNode()) {
            causes.forbidden(field, "may not be specified when strategy `type` is 'Recreate'");
        } else if (rolling.isObject()) {
            Percentages.check(field + ".maxUnavailable", rolling.path("maxUnavailable"), true, causes);
            Percentages.check(field + ".maxSurge", rolling.path("maxSurge"), false, causes);
            if (Percentages.isNone(rolling.path("maxUnavailable")) && Percentages.isNone(rolling.path("maxSurge"))) {
                causes.invalidValue(
                        field + ".maxUnavailable", rolling.path("maxUnavailable"), "may not be 0 when `maxSurge` is 0");
            }
        }
        JsonNode deadline = spec.path("progressDeadlineSeconds");
        causes.notNegative("spec.progressDeadlineSeconds", deadline);
        if (deadline.isNumber()
                && deadline.asLong() <= spec.path("minReadySeconds").asLong()) {
            causes.invalidValue("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds");
        }
    }

    private void daemons() {
        JsonNode rolling = spec.path("updateStrategy").path("rollingUpdate");
        String field = "spec.updateStrategy.rollingUpdate";
        if (!rolling.isObject()
                || !Json.text(spec.path("updateStrategy"), "type").equals("RollingUpdate")) {
            return;
        }
        JsonNode missing = rolling.path("maxUnavailable");
        JsonNode further = rolling.path("maxSurge");
        Percentages.check(field + ".maxUnavailable", missing, true, causes);
        Percentages.check(field + ".maxSurge", further, true, causes);
        if (Percentages.isNone(missing) && Percentages.isNone(further)) {
            causes.required(field + ".maxUnavailable", "cannot be 0 when maxSurge is 0");
        } else if (!Percentages.isNone(missing) && !Percentages.isNone(further)) {
            causes.invalidValue(field + ".maxSurge", further, "may not be set when maxUnavailable is non-zero");
        }
    }

    private void stateful() {
        JsonNode strategy = spec.path("updateStrategy");
        JsonNode rolling = strategy.path("rollingUpdate");
        String field = "spec.updateStrategy.rollingUpdate";
        if (Json.text(strategy, "type").equals("OnDelete") && !rolling.isMissingNode()) {
            causes.invalidValue(field, rolling, "only allowed for updateStrategy 'RollingUpdate'");
        }
        causes.notNegative(field + ".partition", rolling.path("partition"));
        causes.notNegative("spec.ordinals.start", spec.path("ordinals").path("start"));
    }

    /** Checks that of a stateful set nothing changes but what may. */
    static void checkUpdate(ObjectNode object, ObjectNode before, Causes causes) {
        if (!rest(object).equals(rest(before))) {
            causes.forbidden(
                    "spec",
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                            + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
                            + " 'minReadySeconds' are forbidden");
        }
    }

    private static ObjectNode rest(ObjectNode object) {
        ObjectNode rest = Json.object();
        object.path("spec").properties().forEach(field -> {
            if (!OF_STATEFUL_SETS.contains(field.getKey())) {
                rest.set(field.getKey(), field.getValue());
            }
        });
        return rest;
    }
}
