package io.plat.apiserver.expression;

/** What compiling the expressions of one object may cost, however many there are: some thousands of short ones. For one thread. */
final class Budget {
    private static final int MOST = 500_000;

    /** What an expression costs besides its characters, in characters. */
    private static final int EACH = 200;

    private int left = MOST;

    /** An expression's way through a compiler, if there is enough left for it. */
    interface Way {
        Compiled compile(String expression);
    }

    Compiled spend(String expression, Way way) {
        left -= Math.min(left + 1, EACH + expression.length());
        return left < 0 ? Compiled.unusable("too complex, exceeds cost limit") : way.compile(expression);
    }
}
