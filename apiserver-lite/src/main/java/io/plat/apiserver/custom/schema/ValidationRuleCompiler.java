package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.runtime.CelEvaluationException;
import io.plat.apiserver.cel.SchemaSizes;
import io.plat.apiserver.cel.SchemaTypes;
import io.plat.apiserver.custom.schema.ValidationRules.Rule;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.GoForm;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.CelEnvironment;
import io.plat.cel.CompileBudget;
import io.plat.cel.CompiledExpression;
import io.plat.cel.CostEstimate;
import io.plat.cel.DeclaredSize;
import io.plat.cel.MeteredProgram;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Compiles the rules of one schema, with Kubernetes' limits on the estimated cost of each and of all together. */
final class ValidationRuleCompiler {
    /** Number of values without a {@code maxItems} or {@code maxProperties} limit. */
    private static final long UNLIMITED = -1;

    private static final long MAX_RULE_COST = 10_000_000;
    private static final long MAX_SCHEMA_COST = 100_000_000;

    /** Minimum cost of a rule that is blamed for exceeding the total. */
    private static final long CONTRIBUTES = MAX_SCHEMA_COST / 100;

    private static final int MAX_SHOWN = 4;

    final Map<TypeSchema, List<Rule>> byNode = new HashMap<>();
    final Set<TypeSchema> above = new HashSet<>();

    private final TypeSchema root;
    private final SchemaTypes types = SchemaTypes.ofRules();
    private final Map<TypeSchema, DeclaredSize> sizes;
    private final Causes causes;
    private final CompileBudget budget;

    /** The compilers of the current node, whose rules differ by their texts only. */
    private final Map<List<@Nullable CelType>, CelCompiler> compilers = new HashMap<>();

    private final List<Cost> contributors = new ArrayList<>();
    private long total;

    private ValidationRuleCompiler(TypeSchema root, Causes causes, CompileBudget budget) {
        this.budget = budget;
        this.root = root;
        this.sizes = SchemaSizes.all(root);
        this.causes = causes;
    }

    private record Cost(FieldPath at, long cost) {}

    /** Compiles all rules; those that do not compile are reported, and refuse every value. */
    static ValidationRuleCompiler compile(TypeSchema root, FieldPath at, Causes causes, CompileBudget budget) {
        var compiler = new ValidationRuleCompiler(root, causes, budget);
        compiler.node(root, "object", at, null, 1);
        compiler.checkTotal(at);
        return compiler;
    }

    /**
     * Returns whether there are rules at a node or below it.
     *
     * @param name name of its type; {@code ""} below a value that is opaque to expressions
     * @param uncorrelated path of the list whose elements cannot be correlated between states; null if its values can
     * @param times number of its values; {@link #UNLIMITED} if the schema does not limit it
     */
    private boolean node(TypeSchema schema, String name, FieldPath at, @Nullable FieldPath uncorrelated, long times) {
        List<JsonNode> sources = schema.rules();
        var rules = new ArrayList<Rule>();
        if (!sources.isEmpty()) {
            CelType self = schema == root
                    ? types.ofWhole(name, schema)
                    : name.isEmpty() ? SimpleType.DYN : types.of(name, schema);
            Optional<DeclaredSize> size = Optional.ofNullable(sizes.get(schema));
            long fitting = size.map(DeclaredSize::times).orElse(1L);
            compilers.clear();
            for (int i = 0; i < sources.size(); i++) {
                FieldPath path = at.field("x-kubernetes-validations").at(i);
                rules.add(rule(self, size, sources.get(i), path, uncorrelated, times == UNLIMITED ? fitting : times));
            }
        }
        boolean any = !rules.isEmpty();
        if (any) {
            byNode.put(schema, List.copyOf(rules));
        }
        long below = timesBelow(schema, times);
        boolean typed = !name.isEmpty()
                && Set.of(TypeSchema.Form.OBJECT, TypeSchema.Form.MAP, TypeSchema.Form.LIST)
                        .contains(schema.form());
        UnaryOperator<String> nameBelow = step -> typed ? name + "." + step : "";
        for (Map.Entry<String, TypeSchema> field : schema.properties().entrySet()) {
            String key = field.getKey();
            any |= node(
                    field.getValue(),
                    nameBelow.apply(key),
                    at.field("properties").key(key),
                    uncorrelated,
                    below);
        }
        @Nullable TypeSchema items = schema.items();
        if (items != null) {
            boolean keyed = uncorrelated != null || schema.listKind() == TypeSchema.ListKind.MAP;
            any |= node(items, nameBelow.apply("@items"), at.field("items"), keyed ? uncorrelated : at, below);
        }
        @Nullable TypeSchema additional = schema.additional();
        if (additional != null) {
            any |= node(additional, nameBelow.apply("@values"), at.field("additionalProperties"), uncorrelated, below);
        }
        if (any) {
            above.add(schema);
        }
        return any;
    }

    private static long timesBelow(TypeSchema schema, long times) {
        JsonNode source = schema.json();
        String limit = switch (schema.type()) {
            case "object" -> source.has("additionalProperties") ? "maxProperties" : "";
            case "array" -> "maxItems";
            default -> "";
        };
        if (limit.isEmpty() || times == UNLIMITED) {
            return times;
        }
        return source.has(limit)
                ? CostEstimate.product(times, Math.max(0, source.path(limit).asLong()))
                : UNLIMITED;
    }

    private Rule rule(
            CelType self,
            Optional<DeclaredSize> size,
            JsonNode source,
            FieldPath at,
            @Nullable FieldPath uncorrelated,
            long times) {
        String text = source.path("rule").asText("");
        String message = source.path("messageExpression").asText("");
        boolean optional = source.path("optionalOldSelf").asBoolean();
        CelType old = optional ? OptionalType.create(self) : self;
        CompiledExpression alone = compile(self, null, SimpleType.BOOL, text);
        boolean usesOld = alone.tree() == null && alone.problem().contains("oldSelf");
        CompiledExpression rule = usesOld ? compile(self, old, SimpleType.BOOL, text) : alone;
        // A message is evaluated once for all values.
        check("estimated rule cost", CostEstimate.product(estimate(rule.tree(), size), times), at.field("rule"));
        Program program = program(rule, source, at.field("rule"));
        @Nullable MeteredProgram messageProgram = null;
        if (!message.isEmpty() && program.runnable() != null) {
            CompiledExpression created = compile(self, usesOld ? old : null, SimpleType.STRING, message);
            messageProgram =
                    program(created, source, at.field("messageExpression")).runnable();
            if (messageProgram != null) {
                long messageCost = estimate(created.tree(), size);
                check("estimated messageExpression cost", messageCost, at.field("messageExpression"));
            }
        }
        boolean refersToOld = program.runnable() != null && usesOld;
        if (refersToOld && uncorrelated != null) {
            causes.invalid(
                    at.field("rule"),
                    FieldErrorMessages.quoted(source.path("rule").asText("")),
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within " + uncorrelated);
        } else if (!refersToOld && source.has("optionalOldSelf")) {
            causes.invalid(
                    at.field("optionalOldSelf"),
                    source.path("optionalOldSelf").toString(),
                    "may not be set if oldSelf is not used in rule");
        }
        return new Rule(source, program.runnable(), program.problem(), messageProgram, usesOld, optional);
    }

    private CompiledExpression compile(CelType self, @Nullable CelType old, CelType result, String text) {
        return budget.spend(text, one -> {
            CompiledExpression compiled = CompiledExpression.of(
                    compilers.computeIfAbsent(Collections.singletonList(old), any -> compiler(self, old)), one);
            boolean message = result.equals(SimpleType.STRING);
            if (compiled.tree() == null) {
                return message ? CompiledExpression.unusable("messageExpression " + compiled.problem()) : compiled;
            }
            return compiled.type().equals(result)
                    ? compiled
                    : CompiledExpression.unusable(
                            message
                                    ? "messageExpression must evaluate to a string"
                                    : "cel expression must evaluate to a bool");
        });
    }

    private CelCompiler compiler(CelType self, @Nullable CelType old) {
        CelCompilerBuilder compiler =
                CelEnvironment.compiler().setTypeProvider(types).addVar("self", self);
        if (old != null) {
            compiler.addVar("oldSelf", old);
        }
        return compiler.build();
    }

    /** A program, or the reason why there is none. */
    private record Program(@Nullable MeteredProgram runnable, String problem) {}

    private Program program(CompiledExpression compiled, JsonNode source, FieldPath at) {
        String problem = compiled.problem();
        if (compiled.tree() != null) {
            try {
                return new Program(new MeteredProgram(CelEnvironment.RUNTIME, compiled.tree()), "");
            } catch (CelEvaluationException | RuntimeException e) {
                problem = "compilation failed: " + e.getMessage();
            }
        }
        causes.invalid(at, FieldErrorMessages.shown(GoForm.of("ValidationRule", source)), problem);
        return new Program(null, problem);
    }

    private static long estimate(@Nullable CelAbstractSyntaxTree tree, Optional<DeclaredSize> size) {
        return size.isEmpty() || tree == null ? 0 : CostEstimate.of(tree, size.get());
    }

    private void check(String what, long cost, FieldPath at) {
        if (cost > MAX_RULE_COST) {
            causes.forbidden(at, exceeded(what, cost, MAX_RULE_COST));
        }
        total = CostEstimate.sum(total, cost);
        if (cost >= CONTRIBUTES) {
            contributors.add(new Cost(at, cost));
        }
    }

    private void checkTotal(FieldPath at) {
        String subject = "entire OpenAPIv3 schema";
        if (total > MAX_SCHEMA_COST) {
            contributors.sort(Comparator.comparingLong(Cost::cost).reversed());
            contributors.stream()
                    .limit(MAX_SHOWN)
                    .forEach(cost -> causes.forbidden(
                            cost.at(), "contributed to estimated rule cost total exceeding cost limit for " + subject));
            String what = "x-kubernetes-validations estimated rule cost total for " + subject;
            causes.forbidden(at, exceeded(what, total, MAX_SCHEMA_COST));
        }
    }

    private static String exceeded(String what, long cost, long limit) {
        double factor = (double) cost / limit;
        String excess =
                factor > 100 ? "more than 100x" : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
        return what + " exceeds budget by factor of " + excess
                + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps,"
                + " and strings are declared)";
    }
}
