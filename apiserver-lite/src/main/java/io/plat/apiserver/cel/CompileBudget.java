package io.plat.apiserver.cel;

import java.util.function.Function;

/**
 * The budget for compiling the expressions of one object, however many there are: some hundreds of ordinary length. Compiling takes
 * some milliseconds for each, and heap for as long as the object is stored. For one thread.
 */
public final class CompileBudget {
    private static final int MOST = 250_000;

    /** The cost of an expression besides its characters, in characters. */
    private static final int EACH = 500;

    private long left;

    private CompileBudget(long left) {
        this.left = left;
    }

    /** The budget of an object that is written. */
    public static CompileBudget ofObject() {
        return new CompileBudget(MOST);
    }

    /** No limit: for what is stored, all of which has to have its effect. */
    public static CompileBudget unlimited() {
        return new CompileBudget(Long.MAX_VALUE);
    }

    /** Compiles an expression if the budget allows it. */
    public CompiledExpression spend(String expression, Function<String, CompiledExpression> compiler) {
        long cost = (long) EACH + expression.length();
        left = left < cost ? -1 : left - cost;
        return left < 0 ? CompiledExpression.unusable("too complex, exceeds cost limit") : compiler.apply(expression);
    }
}
