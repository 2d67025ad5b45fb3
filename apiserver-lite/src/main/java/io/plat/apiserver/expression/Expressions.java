package io.plat.apiserver.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.apiserver.operations.ExpressionCheck;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldPath;
import io.plat.cel.CompileBudget;
import io.plat.review.status.Status;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles the expressions in objects of built-in types that are new or have changed their meaning. */
public final class Expressions implements ExpressionCheck {
    private static final FieldPath SPEC = FieldPath.of("spec");

    @Override
    public List<Status.Cause> check(String storage, JsonNode object, @Nullable JsonNode before) {
        return switch (storage) {
            case "validatingadmissionpolicies.admissionregistration.k8s.io",
                    "mutatingadmissionpolicies.admissionregistration.k8s.io" ->
                differs(object, before)
                        ? Causes.of(causes -> new PolicyExpressions(object, before, causes).check())
                        : List.of();
            case "validatingwebhookconfigurations.admissionregistration.k8s.io",
                    "mutatingwebhookconfigurations.admissionregistration.k8s.io" ->
                Causes.of(causes -> webhooks(object, before, causes));
            case "deviceclasses.resource.k8s.io",
                    "resourceclaims.resource.k8s.io",
                    "resourceclaimtemplates.resource.k8s.io" ->
                // Claims are immutable.
                before == null || (storage.startsWith("deviceclasses") && differs(object, before))
                        ? Causes.of(causes -> new DeviceExpressions(causes).check(storage, SPEC, object.path("spec")))
                        : List.of();
            default -> List.of();
        };
    }

    private static boolean differs(JsonNode object, @Nullable JsonNode before) {
        return before == null || !object.path("spec").equals(before.path("spec"));
    }

    private static void webhooks(JsonNode object, @Nullable JsonNode before, Causes causes) {
        JsonNode hooks = object.path("webhooks");
        JsonNode old = before == null ? MissingNode.getInstance() : before.path("webhooks");
        var budget = CompileBudget.ofObject();
        for (int i = 0; i < hooks.size(); i++) {
            JsonNode conditions = hooks.path(i).path("matchConditions");
            if (conditions.equals(old.path(i).path("matchConditions"))) {
                continue;
            }
            FieldPath at = FieldPath.of("webhooks").at(i).field("matchConditions");
            for (int j = 0; j < conditions.size(); j++) {
                PolicyExpressions.condition(
                        at.at(j), conditions.path(j), ExpressionScope.REQUEST, Set.of(), budget, causes);
            }
        }
    }
}
