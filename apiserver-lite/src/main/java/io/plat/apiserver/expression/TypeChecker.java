package io.plat.apiserver.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import io.plat.apiserver.custom.cel.Language;
import io.plat.apiserver.schema.TypeSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks the expressions of a validating admission policy against the types of the objects that it matches. */
public final class TypeChecker {
    private static final String PREFIX = "compilation failed: ";

    private final JsonNode spec;
    private final Map<String, TypeSchema> objects;
    private final @Nullable TypeSchema params;
    private final Budget budget = new Budget();

    /**
     * A checker for one policy.
     *
     * @param spec the policy's spec
     * @param objects the types of matched objects, by their names in warnings, such as {@code apps/v1, Kind=Deployment}
     * @param params the type of the parameters; null where there are none or their type is unknown
     */
    public TypeChecker(JsonNode spec, Map<String, TypeSchema> objects, @Nullable TypeSchema params) {
        this.spec = spec;
        this.objects = objects;
        this.params = params;
    }

    /**
     * A warning.
     *
     * @param field the path of the expression
     * @param text what is wrong with it
     */
    public record Warning(String field, String text) {}

    /** Returns what is wrong with the expressions of validations. */
    public List<Warning> check() {
        var warnings = new ArrayList<Warning>();
        JsonNode validations = spec.path("validations");
        for (int i = 0; i < validations.size(); i++) {
            for (String field : List.of("expression", "messageExpression")) {
                String text = validations.path(i).path(field).asText("");
                String problems = text.isBlank() ? "" : problems(text);
                if (!problems.isEmpty()) {
                    warnings.add(new Warning("spec.validations[" + i + "]." + field, problems));
                }
            }
        }
        return warnings;
    }

    private String problems(String expression) {
        var problems = new ArrayList<String>();
        objects.forEach((name, schema) -> {
            String problem =
                    budget.spend(expression, one -> compile(one, schema)).problem();
            if (!problem.isEmpty()) {
                problems.add(name + ": " + (problem.startsWith(PREFIX) ? problem.substring(PREFIX.length()) : problem)
                        + "\n");
            }
        });
        return String.join("\n", problems);
    }

    private Compiled compile(String expression, TypeSchema schema) {
        var types = new ObjectTypes();
        CelType object = types.of("object", schema);
        CelType parameters = params == null ? SimpleType.DYN : types.of("params", params);
        Scope scope = new Scope(spec.has("paramKind"), true, false);
        Map<String, CelType> variables = new HashMap<>();
        for (JsonNode variable : expression.contains("variables") ? spec.path("variables") : List.<JsonNode>of()) {
            String text = variable.path("expression").asText("");
            variables.put(
                    variable.path("name").asText(""),
                    budget.spend(text, one -> compile(scope, types, object, parameters, variables, one))
                            .type());
        }
        return compile(scope, types, object, parameters, variables, expression);
    }

    private static Compiled compile(
            Scope scope,
            ObjectTypes types,
            CelType object,
            CelType parameters,
            Map<String, CelType> variables,
            String expression) {
        CelValidationResult checked =
                scope.compiler(types, object, parameters, variables).compile(expression);
        try {
            return checked.hasError()
                    ? Compiled.unusable(Language.failure(checked))
                    : new Compiled(checked.getAst().getResultType(), "");
        } catch (CelValidationException e) {
            throw new IllegalStateException("an expression without errors has no tree", e);
        }
    }
}
