package io.plat.authorization;

import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import io.plat.cel.CelEnvironment;
import io.plat.cel.CompiledExpression;
import io.plat.cel.CostBudget;
import io.plat.cel.MeteredProgram;
import io.plat.engine.condition.RequestMatcher;
import io.plat.review.Attributes;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * CEL match conditions on a request, all of which must be true. A false condition excludes the request, regardless of the others;
 * otherwise a failing condition is a failure. Loaded with the first condition, and the CEL library with it.
 *
 * <p>The cost of an evaluation is bounded, since clients supply the request. Immutable and thread-safe.
 */
record MatchConditions(List<Condition> conditions) implements RequestMatcher {
    /** Maximum memory of the results of one evaluation, in bytes. */
    private static final long MAX_BYTES = 4 << 20;

    private static final CelCompiler COMPILER = CelEnvironment.compiler()
            .setTypeProvider(RequestVariable.TYPES)
            .addVar(RequestVariable.NAME, RequestVariable.TYPE)
            .build();

    /** Compiled expression. */
    private record Condition(String expression, MeteredProgram program) {}

    private static CompiledExpression compile(String expression) {
        return CompiledExpression.of(COMPILER, expression).requiring(SimpleType.BOOL);
    }

    /** Returns the problem of an expression in one line; empty if it is a valid condition. */
    static Optional<String> problem(String expression) {
        return compile(expression)
                .problem()
                .lines()
                .findFirst()
                .map(line -> line.replaceFirst("ERROR: <input>:", "at "));
    }

    /**
     * Compiles conditions.
     *
     * @param expressions expressions without a {@link #problem}
     */
    static MatchConditions of(Collection<String> expressions) {
        List<Condition> conditions = new ArrayList<>();
        for (String expression : expressions) {
            try {
                conditions.add(new Condition(
                        expression,
                        new MeteredProgram(
                                CelEnvironment.RUNTIME,
                                Objects.requireNonNull(compile(expression).tree()))));
            } catch (CelEvaluationException e) {
                throw new IllegalArgumentException("not checked before: " + Quoted.of(expression), e);
            }
        }
        return new MatchConditions(List.copyOf(conditions));
    }

    @Override
    public Match match(Attributes attributes) {
        Map<String, Object> request = RequestVariable.of(attributes);
        CostBudget budget = new CostBudget(CostBudget.MATCH_CONDITIONS, CostBudget.memory(MAX_BYTES));
        String failure = "";
        for (Condition condition : conditions) {
            try {
                Object result = condition
                        .program()
                        .eval(
                                name -> name.equals(RequestVariable.NAME) ? Optional.of(request) : Optional.empty(),
                                budget);
                if (!Boolean.TRUE.equals(result)) {
                    return new Match.Excluded();
                }
            } catch (CelEvaluationException e) {
                if (failure.isEmpty()) {
                    // The library's message could contain request data.
                    failure = "match condition " + Quoted.of(condition.expression()) + " failed: "
                            + (CostBudget.isExceeded(e) ? e.getMessage() : e.getErrorCode());
                }
            }
        }
        return failure.isEmpty() ? new Match.Included() : new Match.Failed(failure);
    }
}
