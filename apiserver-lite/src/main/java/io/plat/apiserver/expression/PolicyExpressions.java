package io.plat.apiserver.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.cel.CompileBudget;
import io.plat.cel.CompiledExpression;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Checks the expressions of a validating or mutating admission policy. Blank ones are left to other checks, which require a value. */
final class PolicyExpressions {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final String CONDITIONS = "matchConditions";
    private static final int MAX_ANNOTATION_LENGTH = 5 * 1024;

    private final JsonNode spec;
    private final Causes causes;
    private final CompileBudget budget = CompileBudget.ofObject();
    private final ExpressionScope scope;

    /** Variables declared so far; null for kinds without variables. */
    private final @Nullable Map<String, CelType> variables;

    /** Expressions that existed before with the same meaning. */
    private final Set<String> known = new HashSet<>();

    PolicyExpressions(JsonNode policy, @Nullable JsonNode before, Causes causes) {
        this.spec = policy.path("spec");
        this.causes = causes;
        this.scope = new ExpressionScope(spec.has("paramKind"), true, false);
        this.variables = spec.path("variables").isEmpty() ? null : new HashMap<>();
        JsonNode old = before == null ? null : before.path("spec");
        if (old != null
                && old.path("variables").equals(spec.path("variables"))
                && old.has("paramKind") == scope.params()) {
            collect(old, CONDITIONS, "expression");
            collect(old, "validations", "expression");
            collect(old, "validations", "messageExpression");
            collect(old, "auditAnnotations", "valueExpression");
            for (JsonNode mutation : old.path("mutations")) {
                for (String kind : List.of("applyConfiguration", "jsonPatch")) {
                    known.add(key(kind, "expression", mutation.path(kind)));
                }
            }
        }
    }

    private void collect(JsonNode old, String list, String field) {
        old.path(list).forEach(one -> known.add(key(list, field, one)));
    }

    private static String key(String list, String field, JsonNode of) {
        return list + "." + field + "\n" + of.path(field).asText();
    }

    void check() {
        ExpressionScope ofMessages = new ExpressionScope(scope.params(), false, false);
        each(CONDITIONS, (at, one) -> condition(at, one, scope, known, budget, causes));
        each("variables", this::variable);
        each("validations", (at, one) -> {
            field(at, one, "validations", "expression", scope, SimpleType.BOOL);
            field(at, one, "validations", "messageExpression", ofMessages, SimpleType.STRING);
        });
        each("auditAnnotations", this::annotation);
        each("mutations", this::mutation);
    }

    private void each(String list, BiConsumer<FieldPath, JsonNode> check) {
        for (int i = 0; i < spec.path(list).size(); i++) {
            check.accept(SPEC.field(list).at(i), spec.path(list).path(i));
        }
    }

    /** Checks a condition on a request, which names no variables. */
    static void condition(
            FieldPath at,
            JsonNode condition,
            ExpressionScope scope,
            Set<String> known,
            CompileBudget budget,
            Causes causes) {
        String expression = condition.path("expression").asText("").strip();
        if (!expression.isEmpty() && !known.contains(key(CONDITIONS, "expression", condition))) {
            CompiledExpression compiled =
                    budget.spend(expression, one -> scope.compile(one, null)).requiring(SimpleType.BOOL);
            report(compiled, at.field("expression"), expression, causes);
        }
    }

    private void variable(FieldPath at, JsonNode variable) {
        String expression = variable.path("expression").asText("");
        String name = variable.path("name").asText("");
        CompiledExpression compiled =
                expression.isBlank() ? CompiledExpression.unusable("") : compile(scope, expression);
        report(compiled, at.field("expression"), expression, causes);
        if (!name.isEmpty() && variables != null) {
            variables.put(name, compiled.type());
        }
    }

    private void annotation(FieldPath at, JsonNode annotation) {
        String expression = annotation.path("valueExpression").asText("").strip();
        if (expression.getBytes(StandardCharsets.UTF_8).length > MAX_ANNOTATION_LENGTH) {
            causes.required(
                    at.field("valueExpression"), "must not exceed " + MAX_ANNOTATION_LENGTH + " bytes in length");
        } else {
            CelType[] desired = {SimpleType.STRING, SimpleType.NULL_TYPE};
            field(at, annotation, "auditAnnotations", "valueExpression", scope, desired);
        }
    }

    private void mutation(FieldPath at, JsonNode mutation) {
        switch (mutation.path("patchType").asText("")) {
            case "ApplyConfiguration" -> patch(at, mutation, "applyConfiguration", MutationTypes.APPLIED);
            case "JSONPatch" -> patch(at, mutation, "jsonPatch", MutationTypes.STEPS);
            default -> {}
        }
    }

    private void patch(FieldPath at, JsonNode mutation, String kind, CelType desired) {
        JsonNode source = mutation.path(kind);
        String expression = source.path("expression").asText("").strip();
        if (!expression.isEmpty() && !known.contains(key(kind, "expression", source))) {
            CompiledExpression compiled = compile(new ExpressionScope(scope.params(), true, true), expression);
            report(compiled.requiring(desired), at.field(kind).field("expression"), expression, causes);
        }
    }

    private void field(
            FieldPath at, JsonNode from, String list, String field, ExpressionScope within, CelType... desired) {
        String expression = from.path(field).asText("");
        if (!expression.isBlank() && !known.contains(key(list, field, from))) {
            report(compile(within, expression).requiring(desired), at.field(field), expression, causes);
        }
    }

    private CompiledExpression compile(ExpressionScope within, String expression) {
        return budget.spend(expression, one -> within.compile(one, variables));
    }

    private static void report(CompiledExpression compiled, FieldPath at, String expression, Causes causes) {
        if (!compiled.problem().isEmpty()) {
            causes.invalid(at, FieldErrorMessages.quoted(FieldErrorMessages.clipped(expression)), compiled.problem());
        }
    }
}
