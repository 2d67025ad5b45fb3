package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Validation of how many pods a workload has and how they are replaced, with the messages of kube-apiserver. */
final class RolloutCheck {
    private static final List<String> COUNTS = List.of("replicas", "minReadySeconds", "revisionHistoryLimit");

    /** The fields of a stateful set that may change. */
    private static final List<String> OF_STATEFUL_SETS = List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    private RolloutCheck() {}

    /** Checks the spec of a type that keeps pods running. */
    static void check(String storage, Field spec) {
        COUNTS.forEach(count -> spec.at(count).notNegative());
        if (!storage.equals("replicationcontrollers")) {
            SelectorCheck.check(spec.at("selector"));
        }
        switch (storage) {
            case "deployments.apps" -> deployment(spec);
            case "daemonsets.apps" -> daemons(spec.at("updateStrategy"));
            case "statefulsets.apps" -> stateful(spec);
            default -> {}
        }
    }

    private static void deployment(Field spec) {
        Field strategy = spec.at("strategy");
        Field rolling = strategy.at("rollingUpdate");
        if (strategy.at("type").is("Recreate") && !rolling.isMissing()) {
            rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
        } else if (rolling.value().isObject()) {
            Field missing = rolling.at("maxUnavailable");
            Percentages.check(missing, true);
            Percentages.check(rolling.at("maxSurge"), false);
            if (Percentages.isNone(missing) && Percentages.isNone(rolling.at("maxSurge"))) {
                missing.invalidValue("may not be 0 when `maxSurge` is 0");
            }
        }
        Field deadline = spec.at("progressDeadlineSeconds");
        deadline.notNegative();
        deadline.range(spec.at("minReadySeconds").number() + 1, Long.MAX_VALUE, "must be greater than minReadySeconds");
    }

    private static void daemons(Field strategy) {
        Field rolling = strategy.at("rollingUpdate");
        if (!rolling.value().isObject() || !strategy.at("type").is("RollingUpdate")) {
            return;
        }
        Field missing = rolling.at("maxUnavailable");
        Field further = rolling.at("maxSurge");
        Percentages.check(missing, true);
        Percentages.check(further, true);
        if (Percentages.isNone(missing) && Percentages.isNone(further)) {
            missing.required("cannot be 0 when maxSurge is 0");
        } else if (!Percentages.isNone(missing) && !Percentages.isNone(further)) {
            further.invalidValue("may not be set when maxUnavailable is non-zero");
        }
    }

    private static void stateful(Field spec) {
        Field strategy = spec.at("updateStrategy");
        Field rolling = strategy.at("rollingUpdate");
        if (strategy.at("type").is("OnDelete") && !rolling.isMissing()) {
            rolling.invalidValue("only allowed for updateStrategy 'RollingUpdate'");
        }
        rolling.at("partition").notNegative();
        spec.at("ordinals").at("start").notNegative();
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
