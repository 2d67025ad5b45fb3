package io.plat.apiserver.roles.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.objects.RoleObjects;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.coverage.Coverage;
import io.plat.engine.rbac.coverage.CoverageResult;
import io.plat.review.ApiGroups;
import java.util.ArrayList;
import java.util.List;

/** Reconciliation of an existing object with its default: missing parts are added, additional ones stay. */
final class Reconciliation {
    /** Annotation that enables reconciliation at each start. */
    static final String AUTOUPDATE = "rbac.authorization.kubernetes.io/autoupdate";

    private static final String RULES = "rules";
    private static final String SUBJECTS = "subjects";
    private static final String AGGREGATION = "aggregationRule";

    private Reconciliation() {}

    /** Result of the reconciliation. */
    sealed interface Reconciled {
        /** The existing object is complete, or protected. */
        record Unchanged() implements Reconciled {}

        /**
         * Parts were missing.
         *
         * @param object completed object
         */
        record Completed(ObjectNode object) implements Reconciled {}

        /** The binding refers to another role, which cannot be updated. */
        record Replaced() implements Reconciled {}
    }

    static Reconciled of(DefaultRoles.DefaultRoleObject expected, ObjectNode existing) {
        JsonNode autoupdate = existing.path("metadata").path("annotations").path(AUTOUPDATE);
        if (autoupdate.asText("").equals("false")) {
            return new Reconciled.Unchanged();
        }
        ObjectNode object = existing.deepCopy();
        complete("annotations", expected.object(), object);
        complete("labels", expected.object(), object);
        if (expected.kind().isRole()) {
            addRules(expected.object(), object);
            addSelectors(expected.object().path(AGGREGATION), object);
        } else {
            if (!sameRole(expected.object(), object)) {
                return new Reconciled.Replaced();
            }
            addSubjects(expected.object(), object);
        }
        return object.equals(existing) ? new Reconciled.Unchanged() : new Reconciled.Completed(object);
    }

    /** Adds missing keys; existing ones keep their values. */
    private static void complete(String map, JsonNode expected, ObjectNode object) {
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        expected.path("metadata").path(map).properties().forEach(entry -> {
            ObjectNode there = metadata.withObjectProperty(map);
            if (!there.has(entry.getKey())) {
                there.set(entry.getKey(), entry.getValue());
            }
        });
    }

    private static void addRules(JsonNode expected, ObjectNode object) {
        List<RbacRule> wanted = RoleObjects.rules(expected.path(RULES));
        List<RbacRule> there = new ArrayList<>(RoleObjects.rules(object.path(RULES)));
        // The report of missing objects is bounded; the next round covers the rest.
        while (Coverage.of(there, wanted) instanceof CoverageResult.Missing missing) {
            there.addAll(missing.rules());
            missing.rules().forEach(rule -> list(object, RULES).add(RoleObjects.json(rule)));
        }
    }

    private static void addSelectors(JsonNode expected, ObjectNode object) {
        if (expected.isMissingNode()) {
            object.remove(AGGREGATION);
            return;
        }
        ArrayNode selectors = list(object.withObjectProperty(AGGREGATION), "clusterRoleSelectors");
        for (JsonNode selector : expected.path("clusterRoleSelectors")) {
            if (!contains(selectors, selector)) {
                selectors.add(selector);
            }
        }
    }

    private static void addSubjects(JsonNode expected, ObjectNode object) {
        for (JsonNode subject : expected.path(SUBJECTS)) {
            if (!contains(object.path(SUBJECTS), subject)) {
                list(object, SUBJECTS).add(subject);
            }
        }
    }

    private static boolean contains(JsonNode list, JsonNode wanted) {
        return list.valueStream().anyMatch(wanted::equals);
    }

    private static ArrayNode list(ObjectNode object, String field) {
        return object.path(field) instanceof ArrayNode there ? there : object.putArray(field);
    }

    private static boolean sameRole(JsonNode expected, JsonNode object) {
        JsonNode wanted = expected.path("roleRef");
        JsonNode there = object.path("roleRef");
        return wanted.path("kind").equals(there.path("kind"))
                && wanted.path("name").equals(there.path("name"))
                && ApiGroups.canonical(there.path("apiGroup").asText())
                        .equals(wanted.path("apiGroup").asText());
    }
}
