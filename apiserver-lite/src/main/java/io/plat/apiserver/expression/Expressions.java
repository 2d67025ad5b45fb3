package io.plat.apiserver.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.apiserver.custom.schema.Findings;
import io.plat.apiserver.resource.ExpressionCheck;
import io.plat.apiserver.schema.FieldPath;
import io.plat.review.status.Status;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles the expressions of objects of the catalog's types: those that are new, or mean something else than before. */
public final class Expressions implements ExpressionCheck {
    private static final FieldPath SPEC = FieldPath.of("spec");

    @Override
    public List<Status.Cause> check(String storage, JsonNode object, @Nullable JsonNode before) {
        return switch (storage) {
            case "validatingadmissionpolicies.admissionregistration.k8s.io",
                    "mutatingadmissionpolicies.admissionregistration.k8s.io" ->
                differs("spec", object, before)
                        ? Findings.of(findings -> new PolicyExpressions(object, before, findings).check())
                        : List.of();
            case "validatingwebhookconfigurations.admissionregistration.k8s.io",
                    "mutatingwebhookconfigurations.admissionregistration.k8s.io" ->
                Findings.of(findings -> webhooks(object, before, findings));
            case "deviceclasses.resource.k8s.io",
                    "resourceclaims.resource.k8s.io",
                    "resourceclaimtemplates.resource.k8s.io" ->
                Findings.of(findings -> devices(storage, object, before, findings));
            default -> List.of();
        };
    }

    private static boolean differs(String field, JsonNode object, @Nullable JsonNode before) {
        return before == null || !object.path(field).equals(before.path(field));
    }

    private static void webhooks(JsonNode object, @Nullable JsonNode before, Findings findings) {
        JsonNode hooks = object.path("webhooks");
        JsonNode old = before == null ? MissingNode.getInstance() : before.path("webhooks");
        var budget = new Budget();
        for (int i = 0; i < hooks.size(); i++) {
            JsonNode conditions = hooks.path(i).path("matchConditions");
            if (conditions.equals(old.path(i).path("matchConditions"))) {
                continue;
            }
            FieldPath at = FieldPath.of("webhooks").at(i).field("matchConditions");
            for (int j = 0; j < conditions.size(); j++) {
                PolicyExpressions.condition(at.at(j), conditions.path(j), Scope.REQUEST, Set.of(), budget, findings);
            }
        }
    }

    private static void devices(String storage, JsonNode object, @Nullable JsonNode before, Findings findings) {
        if (differs("spec", object, before)) {
            var devices = new DeviceExpressions(findings);
            switch (storage) {
                case "deviceclasses.resource.k8s.io" ->
                    devices.selectors(
                            SPEC.field("selectors"), object.path("spec").path("selectors"));
                case "resourceclaims.resource.k8s.io" -> devices.claim(SPEC, object.path("spec"));
                default -> devices.claim(SPEC.field("spec"), object.path("spec").path("spec"));
            }
        }
    }
}
