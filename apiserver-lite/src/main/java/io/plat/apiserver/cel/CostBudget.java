package io.plat.apiserver.cel;

import dev.cel.runtime.CelEvaluationException;
import java.time.Duration;

/**
 * The time, and the run-time cost in the units of Kubernetes, that the expressions of one object or policy may spend together. Once it is spent, nothing
 * more is evaluated. For one thread.
 */
public final class CostBudget {
    /** The budget for the rules of a custom object, or for the expressions of an admission policy. */
    public static final long OBJECT = 10_000_000;

    /** The budget for all match conditions of a policy or webhook. */
    public static final long MATCH_CONDITIONS = 2_500_000;

    /** The limit of one evaluation of one expression. */
    public static final long EXPRESSION = 1_000_000;

    /** The message of an expression that exceeds its own limit. */
    public static final String EXPRESSION_EXCEEDED = "operation cancelled: actual cost limit exceeded";

    /** The message of an expression that exceeds what is left of the budget. */
    public static final String SPENT =
            "validation failed due to running out of cost budget, no further validation rules will be run";

    /** The time that evaluations take at most: what it takes to look at a value depends on its size, of which the cost says nothing. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final long begin = System.nanoTime();
    private long left;

    /** A budget of this cost. */
    public CostBudget(long cost) {
        this.left = cost;
    }

    /** Returns whether nothing more may be evaluated. */
    public boolean isSpent() {
        return left <= 0;
    }

    /** Returns whether evaluations have taken too long. */
    boolean isOverdue() {
        return System.nanoTime() - begin > LONGEST.toNanos();
    }

    /** The cost that one expression may spend now. */
    long limit() {
        return Math.min(left, EXPRESSION);
    }

    /** Counts what an evaluation has cost; every evaluation costs something. */
    void spend(long cost) {
        left -= Math.max(1, cost);
    }

    /** The failure of an evaluation that exceeds its limit. */
    CelEvaluationException exceeded() {
        return new CelEvaluationException(left < EXPRESSION ? SPENT : EXPRESSION_EXCEEDED);
    }

    /** Returns whether an evaluation failed as it exceeded its limit. */
    public static boolean isExceeded(CelEvaluationException failure) {
        return SPENT.equals(failure.getMessage()) || EXPRESSION_EXCEEDED.equals(failure.getMessage());
    }
}
