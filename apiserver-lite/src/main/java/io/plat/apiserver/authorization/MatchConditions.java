package io.plat.apiserver.authorization;

import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.plat.engine.condition.RequestMatcher;
import io.plat.review.Attributes;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * CEL match conditions on a request, all of which must be true. A false condition excludes the request, whatever the others yield;
 * otherwise a failing condition is a failure.
 *
 * <p>The cost of an evaluation is bounded, since clients supply the request: a limit on comprehension steps per condition, no
 * backtracking in patterns, a limit on the length of expressions. Immutable and thread-safe.
 */
record MatchConditions(List<Condition> conditions) implements RequestMatcher {
    static final MatchConditions NONE = new MatchConditions(List.of());

    /** Maximum comprehension steps of one condition, enough for a request with a thousand groups. */
    private static final int MAX_STEPS = 10_000;

    private static final int MAX_EXPRESSION_LENGTH = 10_000;

    /** A compiled expression. */
    private record Condition(String expression, CelRuntime.Program program) {}

    /** CEL library, loaded with the first expression, since most servers have none. */
    private static final class Language {
        static final CelOptions OPTIONS = CelOptions.current()
                .comprehensionMaxIterations(MAX_STEPS)
                // As in kube-apiserver: 1 and 1u are equal.
                .enableHeterogeneousNumericComparisons(true)
                .maxExpressionCodePointSize(MAX_EXPRESSION_LENGTH)
                .build();
        static final CelCompiler COMPILER = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setTypeProvider(RequestVariable.typeProvider())
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addVar(RequestVariable.NAME, RequestVariable.TYPE)
                .setResultType(SimpleType.BOOL)
                .build();
        static final CelRuntime RUNTIME =
                CelRuntimeFactory.plannerRuntimeBuilder().setOptions(OPTIONS).build();
    }

    /** Returns the problem of an expression in one line; empty if it is a valid condition. */
    static Optional<String> problem(String expression) {
        if (expression.isEmpty()) {
            return Optional.empty();
        }
        if (expression.length() > MAX_EXPRESSION_LENGTH) {
            return Optional.of("too long, expected at most " + MAX_EXPRESSION_LENGTH + " characters");
        }
        CelValidationResult result = Language.COMPILER.compile(expression);
        return result.hasError()
                ? Optional.of("compilation failed: " + firstLine(result.getErrorString()))
                : Optional.empty();
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("").replaceFirst("^ERROR: <input>:", "at ");
    }

    /**
     * Compiles conditions.
     *
     * @param expressions expressions without a {@link #problem}
     */
    static MatchConditions of(List<String> expressions) {
        List<Condition> conditions = new ArrayList<>();
        for (String expression : expressions) {
            try {
                conditions.add(new Condition(
                        expression,
                        Language.RUNTIME.createProgram(
                                Language.COMPILER.compile(expression).getAst())));
            } catch (CelValidationException | CelEvaluationException e) {
                throw new IllegalArgumentException("not checked before: " + Quoted.of(expression), e);
            }
        }
        return new MatchConditions(List.copyOf(conditions));
    }

    boolean isEmpty() {
        return conditions.isEmpty();
    }

    @Override
    public Match match(Attributes attributes) {
        Map<String, Object> variables = Map.of(RequestVariable.NAME, RequestVariable.of(attributes));
        String failure = "";
        for (Condition condition : conditions) {
            try {
                if (!Boolean.TRUE.equals(condition.program().eval(variables))) {
                    return new Match.Excluded();
                }
            } catch (CelEvaluationException e) {
                if (failure.isEmpty()) {
                    // The library's message could contain request data.
                    failure = "match condition " + Quoted.of(condition.expression()) + " failed: " + e.getErrorCode();
                }
            }
        }
        return failure.isEmpty() ? new Match.Included() : new Match.Failed(failure);
    }
}
