package io.plat.fronts.authzen;

import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import io.plat.cel.CelEnvironment;
import io.plat.cel.CompiledExpression;
import io.plat.cel.CostBudget;
import io.plat.cel.MeteredProgram;
import io.plat.fronts.authzen.EvaluationRequest.Entity;
import io.plat.review.codec.Members;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An expression of a mapping. Immutable.
 *
 * @param name its name in messages
 * @param program computes the value
 */
record Expression(String name, MeteredProgram program) {
    private static final MapType OBJECT = MapType.create(SimpleType.STRING, SimpleType.DYN);
    private static final CelCompiler EVALUATION_COMPILER = CelEnvironment.compiler()
            .addVar("subject", OBJECT)
            .addVar("action", OBJECT)
            .addVar("resource", OBJECT)
            .addVar("context", OBJECT)
            .build();
    private static final CelCompiler NAME_COMPILER = CelEnvironment.compilerOfAnyNames()
            .addVar("name", SimpleType.STRING)
            .addVar("namespace", SimpleType.STRING)
            .build();

    private static final Pattern MISSING = Pattern.compile("(key '[^']*' is not present)");

    /** Maximum memory of the results of one request's expressions, in bytes. */
    private static final long MEMORY = 16L << 20;

    /** Maximum cost of the expressions of an evaluation or batch: a tenth of a second in the worst case. */
    private static final long COST = 100_000;

    /** Kinds of expressions by their variables and values. */
    enum Form {
        /** A string derived from an evaluation. */
        TEXT,
        /** A list of strings derived from an evaluation. */
        TEXTS,
        /** An id derived from a name in the policy. */
        ID
    }

    /**
     * Compiles an expression.
     *
     * @param problems receives a line if it is invalid
     * @return null if it is invalid
     */
    static @Nullable Expression compile(String name, String text, Form form, Consumer<String> problems) {
        CompiledExpression compiled =
                CompiledExpression.of(form == Form.ID ? NAME_COMPILER : EVALUATION_COMPILER, text);
        CompiledExpression typed = form == Form.TEXTS
                ? compiled.requiring(
                        ListType.create(SimpleType.STRING), ListType.create(SimpleType.DYN), SimpleType.DYN)
                : compiled.requiring(SimpleType.STRING, SimpleType.DYN);
        if (typed.tree() == null) {
            problems.accept(typed.problem().lines().findFirst().orElse("invalid"));
            return null;
        }
        try {
            return new Expression(name, new MeteredProgram(CelEnvironment.RUNTIME, typed.tree()));
        } catch (CelEvaluationException unusable) {
            problems.accept(Quoted.shortLine(String.valueOf(unusable.getMessage())));
            return null;
        }
    }

    /** Returns the budget of an evaluation or a batch, or of a search, which its evaluations share. */
    static CostBudget budget(boolean search) {
        CostBudget.Resources bounded = CostBudget.memory(MEMORY);
        return search ? CostBudget.ofRequest(bounded) : new CostBudget(COST, bounded);
    }

    static Map<String, Object> variables(EvaluationRequest evaluation) {
        Map<String, Object> variables = new HashMap<>();
        variables.put("subject", entity(evaluation.subject(), "id"));
        variables.put("action", entity(evaluation.action(), "name"));
        variables.put("resource", entity(evaluation.resource(), "id"));
        Map<String, Object> context = evaluation.context();
        variables.put("context", context == null ? EvaluationRequest.NOTHING : context);
        return variables;
    }

    private static Map<String, Object> entity(Entity entity, String idName) {
        Map<String, Object> values = new HashMap<>();
        if (!entity.type().isEmpty()) {
            values.put("type", entity.type());
        }
        values.put(idName, entity.id());
        values.put("properties", entity.properties());
        return values;
    }

    /**
     * Returns the value, a string.
     *
     * @throws StatusException 400 if it has another type, 413 if the budget is spent
     */
    String text(Map<String, Object> variables, CostBudget budget) throws StatusException {
        if (eval(variables, budget) instanceof String text && JsonText.isWellFormed(text)) {
            return text;
        }
        throw Members.malformed(name + ": the expression did not return a string");
    }

    /**
     * Returns the value, a list of strings.
     *
     * @throws StatusException 400 if it has another type, 413 if the budget is spent
     */
    List<String> texts(Map<String, Object> variables, CostBudget budget) throws StatusException {
        return Mapping.strings(eval(variables, budget), name);
    }

    private Object eval(Map<String, Object> variables, CostBudget budget) throws StatusException {
        try {
            return program.eval(variable -> Optional.ofNullable(variables.get(variable)), budget.part(COST));
        } catch (CelEvaluationException failed) {
            if (CostBudget.isExceeded(failed) || CostBudget.REQUEST_EXCEEDED.equals(failed.getMessage())) {
                throw new StatusException(
                        StatusReason.REQUEST_ENTITY_TOO_LARGE, name + ": the mapping takes too long for this request");
            }
            // Other messages of the library contain its type names.
            Matcher missing = MISSING.matcher(String.valueOf(failed.getMessage()));
            String cause = missing.find() ? ": " + Quoted.shortLine(missing.group(1)) : "";
            throw Members.malformed(name + ": the expression failed for this request" + cause);
        } catch (RuntimeException unexpected) {
            // Thrown by the CEL library for values without a CEL type.
            throw Members.malformed(name + ": the expression failed for this request");
        }
    }
}
