package io.plat.apiserver.custom.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelVariableResolver;
import io.plat.apiserver.custom.cel.RuleCompiler.UnusableException;
import io.plat.apiserver.custom.schema.Findings;
import io.plat.apiserver.custom.schema.SchemaNode;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.FieldWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of a schema, compiled. Immutable, for any number of threads. */
public final class Rules {
    /** There are none. */
    public static final Rules NONE = new Rules(SchemaNode.of(MissingNode.getInstance()), Map.of(), Set.of());

    private static final String RULES = "x-kubernetes-validations";

    private final SchemaNode root;
    private final Map<SchemaNode, List<Rule>> byNode;
    private final Set<SchemaNode> above;

    private Rules(SchemaNode root, Map<SchemaNode, List<Rule>> byNode, Set<SchemaNode> above) {
        this.root = root;
        this.byNode = byNode;
        this.above = above;
    }

    /** Whether a schema has any. */
    public static boolean any(SchemaNode schema) {
        return !schema.rules().isEmpty()
                || schema.properties().values().stream().anyMatch(Rules::any)
                || (schema.items() != null && any(schema.items()))
                || (schema.additional() != null && any(schema.additional()));
    }

    /**
     * Compiles the rules of a schema.
     *
     * @param at where the schema stands in its definition
     * @param findings where to say which can't be used; those are left out
     */
    public static Rules compile(SchemaNode root, FieldPath at, Findings findings) {
        var compiling = new Compiling(new RuleCompiler(root), new EstimateLimits(findings), findings);
        compiling.node(root, at, true, 1);
        compiling.limits.checkTotal(at);
        return new Rules(root, compiling.byNode, compiling.above);
    }

    /** A walk along the schema. */
    private static final class Compiling {
        private final RuleCompiler compiler;
        private final EstimateLimits limits;
        private final Findings findings;
        private final Map<SchemaNode, List<Rule>> byNode = new HashMap<>();
        private final Set<SchemaNode> above = new HashSet<>();

        Compiling(RuleCompiler compiler, EstimateLimits limits, Findings findings) {
            this.compiler = compiler;
            this.limits = limits;
            this.findings = findings;
        }

        /**
         * Whether there are rules at a node or below it.
         *
         * @param times how many values may be there; {@link EstimateLimits#UNLIMITED} where the schema does not limit them
         */
        private boolean node(SchemaNode schema, FieldPath at, boolean correlated, long times) {
            List<JsonNode> sources = schema.rules();
            var rules = new ArrayList<Rule>();
            for (int i = 0; i < sources.size(); i++) {
                FieldPath place = at.field(RULES).at(i);
                rule(schema, sources.get(i), place, correlated).ifPresent(rule -> {
                    limits.check(rule, times == EstimateLimits.UNLIMITED ? compiler.times(schema) : times, place);
                    rules.add(rule);
                });
            }
            if (!rules.isEmpty()) {
                byNode.put(schema, List.copyOf(rules));
            }
            boolean any = !rules.isEmpty();
            long below = EstimateLimits.timesBelow(schema, times);
            boolean fields = correlated && !schema.mapType().equals("atomic");
            for (Map.Entry<String, SchemaNode> field : schema.properties().entrySet()) {
                any |= node(field.getValue(), at.field("properties").key(field.getKey()), fields, below);
            }
            if (schema.items() != null) {
                boolean keyed = correlated && schema.listType().equals("map");
                any |= node(schema.items(), at.field("items"), keyed, below);
            }
            if (schema.additional() != null) {
                any |= node(schema.additional(), at.field("additionalProperties"), fields, below);
            }
            if (any) {
                above.add(schema);
            }
            return any;
        }

        private Optional<Rule> rule(SchemaNode schema, JsonNode source, FieldPath at, boolean correlated) {
            try {
                Rule rule = compiler.compile(schema, source);
                if (rule.usesOld() && !correlated) {
                    findings.invalid(
                            at.field("rule"),
                            FieldWords.quoted(rule.text()),
                            "oldSelf cannot be used on the uncorrelatable portion of the schema");
                }
                return Optional.of(rule);
            } catch (UnusableException e) {
                findings.invalid(at.field(e.ofMessage() ? "messageExpression" : "rule"), source.toString(), e.why());
                return Optional.empty();
            }
        }
    }

    /**
     * Says which rules an object breaks.
     *
     * @param object the object, which is what its schema says, with kind and apiVersion
     * @param before its present state; null for a creation
     */
    public void check(JsonNode object, @Nullable JsonNode before, Findings findings) {
        if (byNode.isEmpty()) {
            return;
        }
        Object self = CelValues.of(root, object, true);
        @Nullable Object old = before == null ? null : CelValues.of(root, before, true);
        new Evaluation(findings).node(root, self, old, FieldPath.ROOT);
    }

    /** One object's evaluation; it ends where it takes too long. */
    private final class Evaluation {
        private final Findings findings;
        private final CostBudget budget = new CostBudget(CostBudget.OBJECT);
        private boolean ended;

        Evaluation(Findings findings) {
            this.findings = findings;
        }

        private void node(SchemaNode schema, Object self, @Nullable Object old, FieldPath at) {
            if (!above.contains(schema) || ended || self == dev.cel.common.values.NullValue.NULL_VALUE) {
                return;
            }
            for (Rule rule : byNode.getOrDefault(schema, List.of())) {
                evaluate(rule, schema, self, old, at);
            }
            if (self instanceof Map<?, ?> fields) {
                fields(schema, fields, old instanceof Map<?, ?> had ? had : Map.of(), at);
            } else if (self instanceof List<?> list && schema.items() != null) {
                elements(schema, schema.items(), list, old instanceof List<?> had ? had : List.of(), at);
            }
        }

        private void fields(SchemaNode schema, Map<?, ?> fields, Map<?, ?> had, FieldPath at) {
            for (Map.Entry<String, SchemaNode> field : schema.properties().entrySet()) {
                String name = Names.escaped(field.getKey());
                @Nullable Object value = fields.get(name);
                if (value != null) {
                    node(field.getValue(), value, had.get(name), at.field(field.getKey()));
                }
            }
            if (schema.additional() != null) {
                for (Map.Entry<?, ?> field : fields.entrySet()) {
                    String name = String.valueOf(field.getKey());
                    @Nullable Object value = field.getValue();
                    if (value != null && !schema.properties().containsKey(name)) {
                        node(schema.additional(), value, had.get(name), at.key(name));
                    }
                }
            }
        }

        private void elements(SchemaNode list, SchemaNode items, List<?> elements, List<?> had, FieldPath at) {
            Map<Object, Object> byKey = new HashMap<>();
            if (list.listType().equals("map")) {
                had.forEach(element -> byKey.put(key(list, element), element));
            }
            for (int i = 0; i < elements.size(); i++) {
                Object element = elements.get(i);
                node(items, element, byKey.get(key(list, element)), at.at(i));
            }
        }

        private Object key(SchemaNode list, Object element) {
            var key = new ArrayList<Object>();
            if (element instanceof Map<?, ?> fields) {
                for (String name : list.listKeys()) {
                    key.add(Optional.ofNullable(fields.get(Names.escaped(name))));
                }
            }
            return key;
        }

        private void evaluate(Rule rule, SchemaNode schema, Object self, @Nullable Object old, FieldPath at) {
            if (rule.usesOld() && old == null && !rule.oldOptional()) {
                return;
            }
            if (ended) {
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
                if (!Boolean.TRUE.equals(rule.program().eval(resolver(variables), budget))) {
                    broken(rule, schema, variables, at);
                }
            } catch (CelEvaluationException e) {
                ended = CostBudget.isExceeded(e);
                findings.invalid(at, FieldWords.quoted(schema.type()), failure(e, rule));
            }
        }

        private String failure(CelEvaluationException e, Rule rule) {
            if (!ended) {
                return e.getErrorCode() + " evaluating rule: " + rule.fixedMessage();
            }
            return CostBudget.SPENT.equals(e.getMessage())
                    ? CostBudget.SPENT
                    : "'" + e.getMessage()
                            + "': no further validation rules will be run due to call cost exceeds limit for rule: "
                            + rule.named();
        }

        private static CelVariableResolver resolver(Map<String, Object> variables) {
            return name -> Optional.ofNullable(variables.get(name));
        }

        private void broken(Rule rule, SchemaNode schema, Map<String, Object> variables, FieldPath at) {
            String message = message(rule, variables);
            String path = rule.source().path("fieldPath").asText("");
            FieldPath told = path.isEmpty() ? at : at.field(path.startsWith(".") ? path.substring(1) : path);
            switch (rule.source().path("reason").asText("")) {
                case "FieldValueRequired" -> findings.required(told, message);
                case "FieldValueForbidden" -> findings.forbidden(told, message);
                case "FieldValueDuplicate" -> findings.duplicate(told, FieldWords.quoted(schema.type()));
                default -> findings.invalid(told, FieldWords.quoted(schema.type()), message);
            }
        }

        private String message(Rule rule, Map<String, Object> variables) {
            if (rule.message() != null) {
                try {
                    String made = String.valueOf(rule.message().eval(resolver(variables), budget))
                            .strip();
                    if (!made.isEmpty() && made.length() <= 5120 && made.indexOf('\n') < 0) {
                        return made;
                    }
                } catch (CelEvaluationException unmade) {
                    ended = CostBudget.isExceeded(unmade);
                    return rule.fixedMessage();
                }
            }
            return rule.fixedMessage();
        }
    }
}
