package io.plat.apiserver.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.apiserver.operations.ExpressionCheck;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.schema.FieldPath;
import io.plat.cel.CompileBudget;
import io.plat.review.status.Status;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles the expressions in objects of built-in types that are new or have changed their meaning. */
public final class Expressions implements ExpressionCheck {
    /** Maximum length of a device selector, in bytes. */
    private static final int MAX_SELECTOR_LENGTH = 10 * 1024;

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
                        ? Causes.of(causes -> devices(storage, Field.of(object, causes)))
                        : List.of();
            default -> List.of();
        };
    }

    /** Checks the device selectors of an object. Each distinct expression is compiled once. */
    private static void devices(String storage, Field object) {
        String requests = (storage.startsWith("resourceclaimtemplates") ? "spec.spec" : "spec") + ".devices.requests[]";
        List<String> holders = storage.startsWith("deviceclasses")
                ? List.of("spec")
                : List.of(requests + ".exactly", requests + ".firstAvailable[]");
        var budget = CompileBudget.ofObject();
        Map<String, String> problems = new HashMap<>();
        holders.forEach(holder -> object.each(holder + ".selectors[].cel.expression", selector -> {
            String expression = selector.text();
            if (expression.getBytes(StandardCharsets.UTF_8).length > MAX_SELECTOR_LENGTH) {
                selector.tooLong(MAX_SELECTOR_LENGTH);
            } else if (!expression.isEmpty()) {
                String problem = problems.computeIfAbsent(
                        expression,
                        text -> budget.spend(text, ExpressionScope::ofDevice)
                                .requiringBoolean()
                                .problem());
                if (!problem.isEmpty()) {
                    selector.invalid(problem);
                }
            }
        }));
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
