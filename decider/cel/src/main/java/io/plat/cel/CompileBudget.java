package io.plat.cel;

import java.util.function.Function;

/**
 * Budget for compiling the expressions of one object, in characters: it suffices for several hundred ordinary ones. Each takes milliseconds to
 * compile, and heap for as long as the object is stored. Not thread-safe.
 */
public final class CompileBudget {
    private static final int MAX_COST = 250_000;

    /** Fixed cost of an expression, in characters. */
    private static final int EACH = 500;

    private long remaining;

    private CompileBudget(long remaining) {
        this.remaining = remaining;
    }

    /** Returns the budget of an object that is being written. */
    public static CompileBudget ofObject() {
        return new CompileBudget(MAX_COST);
    }

    /** Returns an unlimited budget, for stored objects: all of their expressions must take effect. */
    public static CompileBudget unlimited() {
        return new CompileBudget(Long.MAX_VALUE);
    }

    /** Compiles an expression if the budget allows it. */
    public CompiledExpression spend(String expression, Function<String, CompiledExpression> compiler) {
        long cost = (long) EACH + expression.length();
        remaining = remaining < cost ? -1 : remaining - cost;
        return remaining < 0
                ? CompiledExpression.unusable("too complex, exceeds cost limit")
                : compiler.apply(expression);
    }
}
