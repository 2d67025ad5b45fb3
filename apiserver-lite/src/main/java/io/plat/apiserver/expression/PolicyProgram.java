package io.plat.apiserver.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.plat.apiserver.custom.cel.CostBudget;
import io.plat.apiserver.custom.cel.Language;
import io.plat.apiserver.custom.cel.MeteredProgram;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The compiled expressions of one validating admission policy. Immutable, for any number of threads. */
public final class PolicyProgram {
    private static final int LONGEST_MESSAGE = 5 * 1024;
    private static final int LONGEST_ANNOTATION = 10 * 1024;

    private final boolean ignoresErrors;
    private final List<Expression> conditions = new ArrayList<>();
    private final Map<String, Expression> variables = new LinkedHashMap<>();
    private final List<Validation> validations = new ArrayList<>();
    private final Map<String, Expression> annotations = new LinkedHashMap<>();

    /**
     * An expression.
     *
     * @param program what runs it; null where it does not compile
     * @param problem why it does not compile
     */
    record Expression(String text, @Nullable MeteredProgram program, String problem) {}

    private record Validation(
            Expression expression, @Nullable Expression messageExpression, String message, String reason) {}

    /** The library is loaded with the first policy. */
    private static final class Runtimes {
        static final CelRuntime POLICIES =
                Language.runtime().addLibraries(Authorizers.INSTANCE).build();
    }

    /** Compiles the expressions of a policy's spec. */
    public PolicyProgram(JsonNode spec) {
        boolean params = spec.has("paramKind");
        ignoresErrors = spec.path("failurePolicy").asText("Fail").equals("Ignore");
        Scope scope = new Scope(params, true, false);
        Map<String, CelType> types = new HashMap<>();
        spec.path("matchConditions").forEach(one -> conditions.add(compile(scope, one, "expression", Map.of())));
        for (JsonNode variable : spec.path("variables")) {
            String text = variable.path("expression").asText("");
            String name = variable.path("name").asText("");
            variables.put(name, compile(scope, variable, "expression", Map.copyOf(types)));
            types.put(
                    name,
                    text.isBlank()
                            ? SimpleType.DYN
                            : scope.compile(text, Map.copyOf(types)).type());
        }
        Scope ofMessage = new Scope(params, false, false);
        for (JsonNode validation : spec.path("validations")) {
            validations.add(new Validation(
                    compile(scope, validation, "expression", types),
                    validation.path("messageExpression").asText("").isBlank()
                            ? null
                            : compile(ofMessage, validation, "messageExpression", types),
                    validation.path("message").asText("").strip(),
                    validation.path("reason").asText("Invalid")));
        }
        spec.path("auditAnnotations")
                .forEach(one ->
                        annotations.put(one.path("key").asText(""), compile(scope, one, "valueExpression", types)));
    }

    private static Expression compile(Scope scope, JsonNode from, String field, Map<String, CelType> variables) {
        String text = from.path(field).asText("").strip();
        CelValidationResult checked = scope.compiler(text, variables).compile(text);
        if (checked.hasError()) {
            return new Expression(text, null, "compilation error: " + Language.failure(checked));
        }
        try {
            CelAbstractSyntaxTree tree = checked.getAst();
            return new Expression(text, new MeteredProgram(Runtimes.POLICIES, tree), "");
        } catch (CelValidationException | CelEvaluationException e) {
            return new Expression(text, null, "compilation error: " + e.getMessage());
        }
    }

    /**
     * The values of the variables.
     *
     * @param object the object, or null
     * @param oldObject its state before, or null
     * @param request the fields of the request
     * @param params the parameters, or null
     * @param namespace the namespace, or null
     * @param authorizer the authorizer
     * @param requestResource the resource of the request
     */
    public record Input(
            @Nullable Object object,
            @Nullable Object oldObject,
            Map<String, Object> request,
            @Nullable Object params,
            @Nullable Object namespace,
            AuthorizerVariable authorizer,
            AuthorizerVariable.Resource requestResource) {
        @Nullable
        Object of(String name) {
            Object value = switch (name) {
                case "object" -> object;
                case "oldObject" -> oldObject;
                case "request" -> request;
                case "params" -> params;
                case "namespaceObject" -> namespace;
                case "authorizer" -> authorizer;
                case "authorizer.requestResource" -> requestResource;
                default -> null;
            };
            return value == null ? NullValue.NULL_VALUE : value;
        }
    }

    /**
     * A validation that does not hold, or could not be evaluated.
     *
     * @param index its place among the validations
     * @param reason the reason that the answer has; {@code ""} for the default
     */
    public record Failure(int index, String message, String reason) {}

    /**
     * The outcome of an evaluation.
     *
     * @param failures the validations that do not hold
     * @param annotations the audit annotations
     * @param annotationErrors why others could not be evaluated
     */
    public record Outcome(List<Failure> failures, Map<String, String> annotations, List<String> annotationErrors) {
        static final Outcome NOTHING = new Outcome(List.of(), Map.of(), List.of());

        static Outcome failure(String message) {
            return new Outcome(List.of(new Failure(0, message, "")), Map.of(), List.of());
        }
    }

    /** Returns whether a policy that can't be evaluated denies nothing. */
    public boolean ignoresErrors() {
        return ignoresErrors;
    }

    /** Evaluates all expressions. */
    public Outcome evaluate(Input input) {
        var conditionErrors = new ArrayList<String>();
        var conditionRun = new PolicyRun(input, Map.of(), CostBudget.MATCH_CONDITIONS);
        for (Expression condition : conditions) {
            switch (conditionRun.evaluate(condition)) {
                case PolicyRun.Value.Of(Object value)
                when !value.equals(true) -> {
                    return Outcome.NOTHING;
                }
                case PolicyRun.Value.Of of -> {}
                case PolicyRun.Value.Failed failed -> conditionErrors.add(failed.message());
            }
        }
        if (!conditionErrors.isEmpty()) {
            String all = String.join(", ", conditionErrors);
            return ignoresErrors
                    ? Outcome.NOTHING
                    : Outcome.failure(conditionErrors.size() == 1 ? all : "[" + all + "]");
        }
        var run = new PolicyRun(input, variables, CostBudget.OBJECT);
        var failures = new ArrayList<Failure>();
        for (int i = 0; i < validations.size(); i++) {
            switch (run.evaluate(validations.get(i).expression())) {
                case PolicyRun.Value.Of(Object value) when value.equals(true) -> {}
                case PolicyRun.Value.Of of ->
                    failures.add(new Failure(
                            i,
                            message(run, validations.get(i)),
                            validations.get(i).reason()));
                case PolicyRun.Value.Failed failed -> {
                    if (!ignoresErrors) {
                        failures.add(new Failure(i, failed.message(), ""));
                    }
                }
            }
        }
        return annotated(failures, new PolicyRun(input, variables, CostBudget.OBJECT));
    }

    private static String message(PolicyRun run, Validation validation) {
        if (validation.messageExpression() != null
                && run.evaluate(validation.messageExpression()) instanceof PolicyRun.Value.Of(Object value)
                && value instanceof String text
                && !text.isBlank()
                && text.strip().indexOf('\n') < 0
                && text.strip().getBytes(StandardCharsets.UTF_8).length <= LONGEST_MESSAGE) {
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
                case PolicyRun.Value.Of(String text)
                when !text.isBlank() ->
                    values.put(
                            key, text.strip().substring(0, Math.min(text.strip().length(), LONGEST_ANNOTATION)));
                case PolicyRun.Value.Of of -> {}
                case PolicyRun.Value.Failed failed -> {
                    if (!ignoresErrors) {
                        errors.add(failed.message());
                    }
                }
            }
        });
        return new Outcome(failures, values, errors);
    }
}
