package io.plat.apiserver.expression;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.cel.CompileBudget;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Checks the device selectors of one object. Each distinct expression is compiled once. */
final class DeviceExpressions {
    private static final int MAX_LENGTH = 10 * 1024;

    private final Causes causes;
    private final CompileBudget budget = CompileBudget.ofObject();
    private final Map<String, String> problems = new HashMap<>();

    DeviceExpressions(Causes causes) {
        this.causes = causes;
    }

    void check(String storage, FieldPath at, JsonNode spec) {
        switch (storage) {
            case "deviceclasses.resource.k8s.io" -> checkSelectors(at, spec);
            case "resourceclaims.resource.k8s.io" ->
                checkClaim(at.field("devices").field("requests"), spec);
            default -> checkClaim(at.field("spec").field("devices").field("requests"), spec.path("spec"));
        }
    }

    private void checkClaim(FieldPath at, JsonNode claim) {
        JsonNode requests = claim.path("devices").path("requests");
        for (int i = 0; i < requests.size(); i++) {
            checkSelectors(at.at(i).field("exactly"), requests.path(i).path("exactly"));
            JsonNode alternatives = requests.path(i).path("firstAvailable");
            for (int j = 0; j < alternatives.size(); j++) {
                checkSelectors(at.at(i).field("firstAvailable").at(j), alternatives.path(j));
            }
        }
    }

    private void checkSelectors(FieldPath at, JsonNode holder) {
        JsonNode selectors = holder.path("selectors");
        for (int i = 0; i < selectors.size(); i++) {
            String expression = selectors.path(i).path("cel").path("expression").asText("");
            FieldPath field = at.field("selectors").at(i).field("cel").field("expression");
            if (expression.getBytes(StandardCharsets.UTF_8).length > MAX_LENGTH) {
                causes.tooLong(field, MAX_LENGTH);
            } else if (!expression.isEmpty()) {
                String problem = problems.computeIfAbsent(
                        expression,
                        text -> budget.spend(text, ExpressionScope::ofDevice)
                                .requiringBoolean()
                                .problem());
                if (!problem.isEmpty()) {
                    causes.invalid(field, FieldErrorMessages.quoted(FieldErrorMessages.clipped(expression)), problem);
                }
            }
        }
    }
}
