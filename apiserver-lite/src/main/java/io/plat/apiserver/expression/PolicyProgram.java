package io.plat.apiserver.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.plat.cel.CelEnvironment;
import io.plat.cel.CompiledExpression;
import io.plat.cel.CostBudget;
import io.plat.cel.MeteredProgram;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiled expressions of one validating admission policy. Immutable and thread-safe. */
public final class PolicyProgram {
    private static final int MAX_MESSAGE_LENGTH = 5 * 1024;
    private static final int MAX_ANNOTATION_LENGTH = 10 * 1024;

    private final boolean ignoresErrors;
    private final List<Expression> conditions = new ArrayList<>();
    private final Map<String, Expression> variables = new LinkedHashMap<>();
    private final List<Validation> validations = new ArrayList<>();
    private final Map<String, Expression> annotations = new LinkedHashMap<>();

    /**
     * Compiled expression.
     *
     * @param program program; null if it does not compile
     */
    record Expression(String text, CelType type, @Nullable MeteredProgram program, String problem) {}

    private record Validation(
            Expression expression, @Nullable Expression messageExpression, String message, String reason) {}

    /** CEL runtimes, loaded with the first policy. */
    private static final class Runtimes {
        static final CelRuntime POLICIES = CelEnvironment.runtime()
                .addLibraries(ExpressionScope.AuthorizerFunctions.INSTANCE)
                .build();
    }

    public PolicyProgram(JsonNode spec) {
        boolean params = spec.has("paramKind");
        ignoresErrors = text(spec, "failurePolicy").equals("Ignore");
        ExpressionScope scope = new ExpressionScope(params, true, false);
        ExpressionScope ofMessages = new ExpressionScope(params, false, false);
        Map<String, CelType> types = new HashMap<>();
        spec.path("matchConditions").forEach(one -> conditions.add(compile(scope, one, "expression", types)));
        for (JsonNode variable : spec.path("variables")) {
            Expression compiled = compile(scope, variable, "expression", types);
            variables.put(text(variable, "name"), compiled);
            types.put(text(variable, "name"), compiled.type());
        }
        for (JsonNode validation : spec.path("validations")) {
            String message = text(validation, "messageExpression");
            validations.add(new Validation(
                    compile(scope, validation, "expression", types),
                    message.isEmpty() ? null : compile(ofMessages, validation, "messageExpression", types),
                    text(validation, "message"),
                    validation.path("reason").asText("Invalid")));
        }
        spec.path("auditAnnotations")
                .forEach(one ->
                        annotations.put(one.path("key").asText(""), compile(scope, one, "valueExpression", types)));
    }

    private static String text(JsonNode from, String field) {
        return from.path(field).asText("").strip();
    }

    private static Expression compile(
            ExpressionScope scope, JsonNode from, String field, Map<String, CelType> variables) {
        String text = text(from, field);
        CompiledExpression compiled = scope.compile(text, variables);
        String problem = compiled.problem();
        if (compiled.tree() != null) {
            try {
                return new Expression(
                        text, compiled.type(), new MeteredProgram(Runtimes.POLICIES, compiled.tree()), "");
            } catch (CelEvaluationException e) {
                problem = String.valueOf(e.getMessage());
            }
        }
        return new Expression(text, compiled.type(), null, "compilation error: " + problem);
    }

    /**
     * Validation that failed or could not be evaluated.
     *
     * @param reason reason of the Status; {@code ""} for the default
     */
    public record Failure(int index, String message, String reason) {}

    public record Outcome(List<Failure> failures, Map<String, String> annotations, List<String> annotationErrors) {
        static final Outcome NOTHING = new Outcome(List.of(), Map.of(), List.of());
    }

    public boolean ignoresErrors() {
        return ignoresErrors;
    }

    /**
     * Evaluates all expressions. Failures that are due to the budget of the request are never ignored: other policies, and the object of a
     * client's choice, could have spent it.
     *
     * @param input values of the variables by name; null for absent ones
     */
    public Outcome evaluate(Map<String, Object> input, CostBudget budget) {
        var errors = new ArrayList<String>();
        var conditionRun = new PolicyRun(input, Map.of(), budget.part(CostBudget.MATCH_CONDITIONS));
        for (Expression condition : conditions) {
            switch (conditionRun.evaluate(condition)) {
                case PolicyRun.Value.Of(Object value) -> {
                    if (!value.equals(true)) {
                        return Outcome.NOTHING;
                    }
                }
                case PolicyRun.Value.Failed(String message) -> errors.add(message);
            }
        }
        if (!errors.isEmpty()) {
            String all = errors.size() == 1 ? errors.getFirst() : "[" + String.join(", ", errors) + "]";
            return ignores(budget)
                    ? Outcome.NOTHING
                    : new Outcome(List.of(new Failure(0, all, "")), Map.of(), List.of());
        }
        var run = new PolicyRun(input, variables, budget.part(CostBudget.OBJECT));
        var failures = new ArrayList<Failure>();
        for (int i = 0; i < validations.size(); i++) {
            Validation validation = validations.get(i);
            switch (run.evaluate(validation.expression())) {
                case PolicyRun.Value.Of(Object value) -> {
                    if (!value.equals(true)) {
                        failures.add(new Failure(i, message(run, validation), validation.reason()));
                    }
                }
                case PolicyRun.Value.Failed(String message) -> {
                    if (!ignores(budget)) {
                        failures.add(new Failure(i, message, ""));
                    }
                }
            }
        }
        return annotated(failures, new PolicyRun(input, variables, budget.part(CostBudget.OBJECT)));
    }

    private boolean ignores(CostBudget budget) {
        return ignoresErrors && !budget.isExhausted();
    }

    private static String message(PolicyRun run, Validation validation) {
        if (validation.messageExpression() != null
                && run.evaluate(validation.messageExpression()) instanceof PolicyRun.Value.Of(Object value)
                && value instanceof String text
                && !text.isBlank()
                && text.strip().indexOf('\n') < 0
                && text.strip().getBytes(StandardCharsets.UTF_8).length <= MAX_MESSAGE_LENGTH) {
            return text.strip();
        }
        return validation.message().isEmpty()
                ? "failed expression: " + validation.expression().text()
                : validation.message();
    }

    private Outcome annotated(List<Failure> failures, PolicyRun run) {
        var values = new LinkedHashMap<String, String>();
        var errors = new ArrayList<String>();
        annotations.forEach((key, expression) -> {
            switch (run.evaluate(expression)) {
                case PolicyRun.Value.Of(Object value) -> {
                    if (value instanceof String text && !text.isBlank()) {
                        String kept = text.strip();
                        values.put(key, kept.substring(0, Math.min(kept.length(), MAX_ANNOTATION_LENGTH)));
                    }
                }
                case PolicyRun.Value.Failed(String message) -> {
                    if (!ignoresErrors) {
                        errors.add(message);
                    }
                }
            }
        });
        return new Outcome(failures, values, errors);
    }
}
