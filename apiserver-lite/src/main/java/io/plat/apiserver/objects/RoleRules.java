package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.tree.Json;
import io.plat.engine.rbac.FieldProblem;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacValidation;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of role objects: valid by the authorizer's model, with an immutable roleRef. */
record RoleRules(RbacKind kind) implements TypeRules {
    /** Maximum number of combinations; the largest default role has some hundreds. */
    static final long MAX_COMBINATIONS = 1_000_000;

    private static final Set<String> REQUEST_VERBS =
            Set.of("* get list watch create update patch delete deletecollection proxy redirect".split(" ", -1));

    @Override
    public void prepare(ObjectNode object, @Nullable ObjectNode before) {
        if (kind.isRole() && !object.has("rules")) {
            object.putNull("rules");
        }
    }

    /** Sets absent rules to null, as Kubernetes shows them. */
    @Override
    public void generate(ObjectNode object, @Nullable ObjectNode before) {
        if (kind.isRole() && object.path("rules").isEmpty()) {
            object.putNull("rules");
        }
    }

    @Override
    public void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        if (isTooLarge(object, causes)) {
            return;
        }
        for (FieldProblem problem : RbacValidation.problemsOf(RoleConversion.model(kind, object))) {
            if (!problem.field().startsWith("metadata.")) {
                causes.add(problem.reason().word(), problem.message(), problem.field());
            }
        }
        Rules.check("clusterroles.rbac.authorization.k8s.io", Field.of(object, causes));
        if (before != null && !kind.isRole() && !object.path("roleRef").equals(before.path("roleRef"))) {
            causes.field("roleRef", "").invalidLiteral(formatted(object.path("roleRef")), "cannot change roleRef");
        }
    }

    /** Formats a roleRef as in Kubernetes' messages. */
    private static String formatted(JsonNode roleRef) {
        return "{\"APIGroup\":" + FieldErrorMessages.quoted(Json.text(roleRef, "apiGroup")) + ",\"Kind\":"
                + FieldErrorMessages.quoted(Json.text(roleRef, "kind")) + ",\"Name\":"
                + FieldErrorMessages.quoted(Json.text(roleRef, "name"))
                + "}";
    }

    /** Returns whether an object's rules exceed the maximum, and reports it. */
    static boolean isTooLarge(JsonNode role, Causes causes) {
        long total = 0;
        for (JsonNode rule : role.path("rules")) {
            total += combinations(rule);
            if (total > MAX_COMBINATIONS) {
                causes.add(
                        "FieldValueTooMany",
                        "Too many: " + total + ": the rules must stand for at most " + MAX_COMBINATIONS
                                + " combinations of apiGroups, resources, resourceNames and additional verbs",
                        "rules");
                return true;
            }
        }
        return false;
    }

    /** Lists are limited by the size of the body, so the product of four does not overflow. */
    private static long combinations(JsonNode rule) {
        long verbs = 0;
        for (JsonNode verb : rule.path("verbs")) {
            verbs += REQUEST_VERBS.contains(verb.asText()) ? 0 : 1;
        }
        long groups = Math.max(1, rule.path("apiGroups").size());
        long resources = Math.max(1, rule.path("resources").size());
        long names = Math.max(1, rule.path("resourceNames").size());
        long product = Math.max(1, verbs) * groups;
        product = product > MAX_COMBINATIONS ? product : product * resources;
        return product > MAX_COMBINATIONS ? product : product * names;
    }
}
