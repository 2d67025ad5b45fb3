package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import io.plat.apiserver.cel.CelValues;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.CompileBudget;
import io.plat.cel.CostBudget;
import io.plat.cel.ExpressionIdentifiers;
import io.plat.cel.MeteredProgram;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiled rules of a schema ({@code x-kubernetes-validations}). Immutable and thread-safe. */
public final class ValidationRules {
    public static final ValidationRules NONE = new ValidationRules(TypeSchema.UNKNOWN, Map.of(), Set.of());

    private static final int MAX_MESSAGE_LENGTH = 5_120;

    private final TypeSchema root;
    private final Map<TypeSchema, List<Rule>> byNode;
    private final Set<TypeSchema> above;

    private ValidationRules(TypeSchema root, Map<TypeSchema, List<Rule>> byNode, Set<TypeSchema> above) {
        this.root = root;
        this.byNode = byNode;
        this.above = above;
    }

    /**
     * Compiled rule.
     *
     * @param program program of the rule; null if it does not compile
     * @param problem reason why it does not compile
     * @param message program of the failure message; null if the message is fixed
     * @param usesOld whether it is a transition rule
     * @param oldOptional whether it is evaluated even without an old value
     */
    record Rule(
            JsonNode source,
            @Nullable MeteredProgram program,
            String problem,
            @Nullable MeteredProgram message,
            boolean usesOld,
            boolean oldOptional) {
        private String text(String field) {
            return source.path(field).asText("").strip();
        }

        /** Returns its name in the error for an evaluation that exceeds its cost. */
        String named() {
            return text("message").isEmpty() ? text("rule") : text("message");
        }

        String fixedMessage() {
            return text("message").isEmpty() ? "failed rule: " + text("rule") : text("message");
        }
    }

    public static boolean any(TypeSchema schema) {
        return schema.any(one -> !one.rules().isEmpty());
    }

    public static ValidationRules compile(TypeSchema root) {
        return compile(root, FieldPath.ROOT, CompileBudget.unlimited(), new Causes());
    }

    /** Compiles the rules of a schema. */
    public static ValidationRules compile(TypeSchema root, FieldPath at, CompileBudget budget, Causes causes) {
        ValidationRuleCompiler compiler = ValidationRuleCompiler.compile(root, at, causes, budget);
        return new ValidationRules(root, compiler.byNode, compiler.above);
    }

    /** Returns the problem of a rule that does not compile, whose values are refused; {@code ""} if all compile. */
    public String problem() {
        return byNode.values().stream()
                .flatMap(List::stream)
                .map(Rule::problem)
                .filter(problem -> !problem.isEmpty())
                .findFirst()
                .orElse("");
    }

    /**
     * Reports the rules that an object violates.
     *
     * @param object valid object with kind and apiVersion
     * @param before current state; null for a creation
     */
    public void check(JsonNode object, @Nullable JsonNode before, Causes causes) {
        if (!byNode.isEmpty()) {
            Object self = CelValues.of(root, object, true);
            @Nullable Object old = before == null ? null : CelValues.of(root, before, true);
            new Evaluation(causes).node(root, self, old, FieldPath.ROOT);
        }
    }

    /** Reports the rules that the default value of a schema violates, both as a new value and as an unchanged one. */
    void checkDefault(TypeSchema schema, JsonNode value, FieldPath at, Causes causes) {
        if (above.contains(schema)) {
            Object self = CelValues.of(schema, value, schema == root);
            int found = causes.found();
            new Evaluation(causes).node(schema, self, null, at);
            if (causes.found() == found) {
                new Evaluation(causes).node(schema, self, self, at);
            }
        }
    }

    /** Evaluation of one object; it ends when its cost exceeds the budget. */
    private final class Evaluation {
        private final Causes causes;
        private final CostBudget budget = new CostBudget(CostBudget.OBJECT, RequestMemory.current());
        private boolean ended;

        Evaluation(Causes causes) {
            this.causes = causes;
        }

        private void node(TypeSchema schema, Object self, @Nullable Object old, FieldPath at) {
            if (!above.contains(schema) || ended || self == NullValue.NULL_VALUE) {
                return;
            }
            byNode.getOrDefault(schema, List.of()).forEach(rule -> evaluate(rule, schema, self, old, at));
            @Nullable TypeSchema items = schema.items();
            if (self instanceof Map<?, ?> fields) {
                fields(schema, fields, old instanceof Map<?, ?> had ? had : Map.of(), at);
            } else if (self instanceof List<?> list && items != null) {
                elements(schema, items, list, old instanceof List<?> had ? had : List.of(), at);
            }
        }

        private void fields(TypeSchema schema, Map<?, ?> fields, Map<?, ?> had, FieldPath at) {
            schema.properties().forEach((field, inner) -> {
                String name = ExpressionIdentifiers.escaped(field);
                @Nullable Object value = fields.get(name);
                if (value != null) {
                    node(inner, value, had.get(name), at.field(field));
                }
            });
            @Nullable TypeSchema others = schema.additional();
            if (others != null) {
                fields.forEach((key, value) -> {
                    String name = String.valueOf(key);
                    if (value != null && !schema.properties().containsKey(name)) {
                        node(others, value, had.get(name), at.key(name));
                    }
                });
            }
        }

        private void elements(TypeSchema list, TypeSchema items, List<?> elements, List<?> had, FieldPath at) {
            Map<String, Object> byKey = new HashMap<>();
            if (list.listKind() == TypeSchema.ListKind.MAP) {
                had.forEach(element -> byKey.put(key(list, element), element));
            }
            for (int i = 0; i < elements.size(); i++) {
                Object element = elements.get(i);
                @Nullable Object same = byKey.isEmpty() ? null : byKey.get(key(list, element));
                node(items, element, same, at.at(i));
            }
        }

        /** Returns the identity of an element of a keyed list as a string. Strings are comparable, so hash collisions cost little. */
        private static String key(TypeSchema list, Object element) {
            var key = new StringBuilder();
            if (element instanceof Map<?, ?> fields) {
                for (String name : list.keys()) {
                    @Nullable Object value = fields.get(ExpressionIdentifiers.escaped(name));
                    String text = String.valueOf(value);
                    // A number and its string form are distinct.
                    key.append(value instanceof String ? '"' : '=')
                            .append(text.length())
                            .append(':')
                            .append(text);
                }
            }
            return key.toString();
        }

        private void evaluate(Rule rule, TypeSchema schema, Object self, @Nullable Object old, FieldPath at) {
            @Nullable MeteredProgram program = rule.program();
            if (ended || (program != null && rule.usesOld() && old == null && !rule.oldOptional())) {
                return;
            }
            if (program == null) {
                causes.invalid(at, FieldErrorMessages.quoted(schema.type()), "rule compile error: " + rule.problem());
                return;
            }
            Map<String, Object> variables = new HashMap<>();
            variables.put("self", self);
            if (rule.oldOptional()) {
                variables.put("oldSelf", Optional.ofNullable(old));
            } else if (old != null) {
                variables.put("oldSelf", old);
            }
            try {
                // Unchanged values are exempt from newer rules.
                if (!Boolean.TRUE.equals(eval(program, variables)) && (rule.usesOld() || !self.equals(old))) {
                    report(rule, schema, self, message(rule, variables), at);
                }
            } catch (CelEvaluationException e) {
                ended = CostBudget.isExceeded(e);
                causes.invalid(shown(at), FieldErrorMessages.quoted(schema.type()), failure(e, rule));
            }
        }

        /** Returns a path as it is reported; Kubernetes states none for the object itself. */
        private static FieldPath shown(FieldPath at) {
            return at.isRoot() ? FieldPath.of("<nil>") : at;
        }

        private Object eval(MeteredProgram program, Map<String, Object> variables) throws CelEvaluationException {
            return program.eval(name -> Optional.ofNullable(variables.get(name)), budget);
        }

        /** Returns the reason of a failed evaluation, in Kubernetes' words if they are known. */
        private static String reason(CelEvaluationException e) {
            String message = String.valueOf(e.getMessage());
            String index = "ndex out of bounds: ";
            int at = message.indexOf(index);
            return switch (e.getErrorCode()) {
                case INDEX_OUT_OF_BOUNDS ->
                    at < 0
                            ? "index out of bounds"
                            : "i" + message.substring(at).lines().findFirst().orElse("");
                case DIVIDE_BY_ZERO -> "division by zero";
                default -> e.getErrorCode().toString();
            };
        }

        private String failure(CelEvaluationException e, Rule rule) {
            if (!ended) {
                return reason(e) + " evaluating rule: " + rule.named();
            }
            return CostBudget.BUDGET_EXCEEDED.equals(e.getMessage())
                    ? CostBudget.BUDGET_EXCEEDED
                    : "'" + e.getMessage()
                            + "': no further validation rules will be run due to call cost exceeds limit for rule: "
                            + rule.named();
        }

        private void report(Rule rule, TypeSchema schema, Object self, String message, FieldPath at) {
            String path = rule.source().path("fieldPath").asText("");
            FieldPath found = SchemaFieldPath.of(path, schema.json(), true).path();
            FieldPath where = path.isEmpty() ? shown(at) : at.field(found.toString());
            String text = FieldErrorMessages.clipped(String.valueOf(self));
            boolean omitted = schema.type().equals("object") || schema.type().equals("array");
            String shown = omitted ? "" : ": " + (self instanceof String ? FieldErrorMessages.quoted(text) : text);
            switch (rule.source().path("reason").asText("")) {
                case "FieldValueRequired" -> causes.required(where, message);
                case "FieldValueForbidden" -> causes.forbidden(where, message);
                case "FieldValueDuplicate" -> causes.add("FieldValueDuplicate", "Duplicate value" + shown, where);
                default -> causes.add("FieldValueInvalid", "Invalid value" + shown + ": " + message, where);
            }
        }

        private String message(Rule rule, Map<String, Object> variables) {
            if (rule.message() != null) {
                try {
                    String created =
                            String.valueOf(eval(rule.message(), variables)).strip();
                    if (!created.isEmpty() && created.length() <= MAX_MESSAGE_LENGTH && created.indexOf('\n') < 0) {
                        return created;
                    }
                } catch (CelEvaluationException e) {
                    ended = CostBudget.isExceeded(e);
                }
            }
            return rule.fixedMessage();
        }
    }
}
