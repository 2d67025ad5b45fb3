package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.tree.Json;
import io.plat.engine.rbac.FieldProblem;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacValidation;
import org.jspecify.annotations.Nullable;

/** Rules of role objects: valid by the authorizer's model, with an immutable roleRef. */
record RoleRules(RbacKind kind) implements TypeRules {
    @Override
    public void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        if (RoleSize.isTooLarge(object, causes)) {
            return;
        }
        for (FieldProblem problem : RbacValidation.problemsOf(RoleObjects.model(kind, object))) {
            if (!problem.field().startsWith("metadata.")) {
                causes.add(problem.reason().word(), problem.message(), problem.field());
            }
        }
        if (before != null && !kind.isRole() && !object.path("roleRef").equals(before.path("roleRef"))) {
            causes.invalidLiteral("roleRef", written(object.path("roleRef")), "cannot change roleRef");
        }
    }

    /** Formats a roleRef as in Kubernetes' messages. */
    private static String written(JsonNode roleRef) {
        return "{\"APIGroup\":" + FieldErrorMessages.quoted(Json.text(roleRef, "apiGroup")) + ",\"Kind\":"
                + FieldErrorMessages.quoted(Json.text(roleRef, "kind")) + ",\"Name\":"
                + FieldErrorMessages.quoted(Json.text(roleRef, "name"))
                + "}";
    }
}
