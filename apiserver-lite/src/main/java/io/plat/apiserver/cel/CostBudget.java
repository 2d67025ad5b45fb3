package io.plat.apiserver.cel;

import dev.cel.runtime.CelEvaluationException;
import java.time.Duration;

/**
 * Budget of time and run-time cost (in Kubernetes' units) for the expressions of one object or policy. Once it is spent, evaluation
 * stops. For one thread.
 */
public final class CostBudget {
    /** Budget for the rules of a custom object, or for the expressions of an admission policy. */
    public static final long OBJECT = 10_000_000;

    /** Budget for all match conditions of a policy or webhook. */
    public static final long MATCH_CONDITIONS = 2_500_000;

    /** Limit of one evaluation of one expression. */
    public static final long EXPRESSION = 1_000_000;

    /** Message for an expression that exceeds its own limit. */
    public static final String EXPRESSION_EXCEEDED = "operation cancelled: actual cost limit exceeded";

    /** Message for an expression that exceeds the rest of the budget. */
    public static final String BUDGET_EXCEEDED =
            "validation failed due to running out of cost budget, no further validation rules will be run";

    /** Maximum total evaluation time: the time to read a value depends on its size, which the cost does not reflect. */
    private static final Duration MAX_TIME = Duration.ofSeconds(5);

    private final long begin = System.nanoTime();
    private long left;

    public CostBudget(long cost) {
        this.left = cost;
    }

    public boolean isSpent() {
        return left <= 0;
    }

    /** Returns whether evaluations have taken too long. */
    boolean isOverdue() {
        return System.nanoTime() - begin > MAX_TIME.toNanos();
    }

    /** Returns the cost that one expression may spend now. */
    long limit() {
        return Math.min(left, EXPRESSION);
    }

    /** Charges the cost of an evaluation; every evaluation costs something. */
    void spend(long cost) {
        left -= Math.max(1, cost);
    }

    /** Returns the failure of an evaluation that exceeds its limit. */
    CelEvaluationException exceeded() {
        return new CelEvaluationException(left < EXPRESSION ? BUDGET_EXCEEDED : EXPRESSION_EXCEEDED);
    }

    /** Returns whether an evaluation failed because it exceeded its limit. */
    public static boolean isExceeded(CelEvaluationException failure) {
        return BUDGET_EXCEEDED.equals(failure.getMessage()) || EXPRESSION_EXCEEDED.equals(failure.getMessage());
    }
}
