package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldWords;
import io.plat.apiserver.tree.Json;
import io.plat.engine.rbac.FieldProblem;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacValidation;
import org.jspecify.annotations.Nullable;

/** Role objects: valid as the authorizer's own model has it, and a binding never comes to mean another role. */
final class RoleRules implements TypeRules {
    private final RbacKind kind;

    RoleRules(RbacKind kind) {
        this.kind = kind;
    }

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

    /** A roleRef as messages of the field write it. */
    private static String written(JsonNode roleRef) {
        return "{\"APIGroup\":" + FieldWords.quoted(Json.text(roleRef, "apiGroup")) + ",\"Kind\":"
                + FieldWords.quoted(Json.text(roleRef, "kind")) + ",\"Name\":"
                + FieldWords.quoted(Json.text(roleRef, "name"))
                + "}";
    }
}
