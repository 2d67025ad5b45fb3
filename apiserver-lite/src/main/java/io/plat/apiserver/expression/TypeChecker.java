package io.plat.apiserver.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.types.CelType;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.CompileBudget;
import io.plat.cel.CompiledExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Type checker for the expressions of a validating admission policy.
 *
 * @param objects schemas of matched types by their names in warnings, such as {@code apps/v1, Kind=Deployment}
 * @param params schema of the parameters; null if there are none or it is unknown
 */
public record TypeChecker(
        JsonNode spec,
        Map<String, TypeSchema> objects,
        @Nullable TypeSchema params) {
    private static final String PREFIX = "compilation failed: ";

    public record Warning(String field, String text) {}

    public List<Warning> check() {
        var warnings = new ArrayList<Warning>();
        var budget = CompileBudget.ofObject();
        JsonNode validations = spec.path("validations");
        for (int i = 0; i < validations.size(); i++) {
            for (String field : List.of("expression", "messageExpression")) {
                String text = validations.path(i).path(field).asText("");
                String problems = text.isBlank() ? "" : problems(text, budget);
                if (!problems.isEmpty()) {
                    warnings.add(new Warning("spec.validations[" + i + "]." + field, problems));
                }
            }
        }
        return warnings;
    }

    private String problems(String expression, CompileBudget budget) {
        var problems = new ArrayList<String>();
        objects.forEach((name, schema) -> {
            String problem = budget.spend(expression, one -> compile(one, schema, budget))
                    .problem();
            if (!problem.isEmpty()) {
                problems.add(name + ": " + (problem.startsWith(PREFIX) ? problem.substring(PREFIX.length()) : problem)
                        + "\n");
            }
        });
        return String.join("\n", problems);
    }

    private CompiledExpression compile(String expression, TypeSchema schema, CompileBudget budget) {
        ExpressionScope scope = new ExpressionScope(spec.has("paramKind"), true, false);
        Map<String, CelType> variables = new HashMap<>();
        for (JsonNode variable : expression.contains("variables") ? spec.path("variables") : List.<JsonNode>of()) {
            String text = variable.path("expression").asText("");
            CompiledExpression compiled = budget.spend(text, one -> scope.compile(one, schema, params, variables));
            variables.put(variable.path("name").asText(""), compiled.type());
        }
        return scope.compile(expression, schema, params, variables);
    }
}
