package io.plat.apiserver.expression;

import io.plat.apiserver.cel.CompiledExpression;
import java.util.function.Function;

/** Budget for compiling the expressions of one object: some thousands of short ones. For one thread. */
final class CompileBudget {
    private static final int MAX_COST = 500_000;

    /** Fixed cost of an expression, in characters. */
    private static final int EACH = 200;

    private int left = MAX_COST;

    CompiledExpression spend(String expression, Function<String, CompiledExpression> compiler) {
        left -= Math.min(left + 1, EACH + expression.length());
        return left < 0 ? CompiledExpression.unusable("too complex, exceeds cost limit") : compiler.apply(expression);
    }
}
