package io.plat.cel;

import dev.cel.runtime.CelEvaluationException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Budget of time and run-time cost (in Kubernetes' units) for the expressions of one object or policy, which may be part of the budget of a
 * request. Once it is spent, evaluation stops. Not thread-safe.
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

    /** Message for an expression that exceeds the rest of the budget of its request. */
    public static final String REQUEST_EXCEEDED =
            "the policies that apply to the request are out of their total cost budget, no further expressions will be"
                    + " evaluated";

    /** Budget for all policies that apply to one request: that of 20 policies. */
    private static final long REQUEST = 20 * OBJECT;

    /** Maximum total evaluation time: the time to read a value depends on its size, which the cost does not reflect. */
    private static final Duration MAX_TIME = Duration.ofSeconds(5);

    /** Evaluation time from which a request computes for long. */
    private static final long LONG_NANOS = Duration.ofMillis(50).toNanos();

    /** Resources of the request that an evaluation serves. */
    public interface Resources {
        /** Charges memory, in bytes; returns false if that would exceed a limit. */
        boolean take(long bytes);

        /** Reports that evaluations of the request take long; may throw an error that moves the request to another thread. */
        void computes();
    }

    private final long begin = System.nanoTime();
    private final Resources resources;
    private final @Nullable CostBudget request;
    private final Duration time;
    private long remaining;
    private boolean outOfMemory;

    public CostBudget(long cost, Resources resources) {
        this(cost, MAX_TIME, resources, null);
    }

    private CostBudget(long cost, Duration time, Resources resources, @Nullable CostBudget request) {
        this.remaining = cost;
        this.resources = resources;
        this.time = time;
        this.request = request;
    }

    /** Returns the budget of one request, for expressions of many policies. */
    public static CostBudget ofRequest(Resources resources) {
        return new CostBudget(REQUEST, MAX_TIME.multipliedBy(2), resources, null);
    }

    /** Returns resources that consist of a number of bytes. */
    public static Resources memory(long bytes) {
        return new Resources() {
            private long remaining = bytes;

            @Override
            public boolean take(long size) {
                remaining -= size;
                return remaining >= 0;
            }

            @Override
            public void computes() {
                // The budget itself ends a long evaluation.
            }
        };
    }

    /** Returns a budget that is also charged to this one. */
    public CostBudget part(long cost) {
        return new CostBudget(cost, MAX_TIME, resources, this);
    }

    public boolean isSpent() {
        return remaining <= 0;
    }

    /** Returns whether no expression can be evaluated any more: the cost, the time or the memory is spent. */
    public boolean isExhausted() {
        return outOfMemory || isSpent() || isOverdue(System.nanoTime());
    }

    Resources resources() {
        return resources;
    }

    /** Charges memory, in bytes; returns false if that would exceed a limit, which is that of the whole request. */
    boolean take(long bytes) {
        boolean taken = resources.take(bytes);
        outOfMemory |= !taken;
        if (!taken && request != null) {
            request.outOfMemory = true;
        }
        return taken;
    }

    /** Returns whether evaluations have taken too long. */
    boolean isOverdue(long now) {
        return now - begin > time.toNanos() || (request != null && request.isOverdue(now));
    }

    /** Returns whether evaluations take so long that they need a separate thread. */
    boolean isLong(long now) {
        return now - (request == null ? begin : request.begin) > LONG_NANOS;
    }

    /** Returns the cost that one expression may spend now. */
    long limit() {
        return Math.min(request == null ? remaining : Math.min(remaining, request.remaining), EXPRESSION);
    }

    /** Charges the cost of an evaluation; every evaluation costs something. */
    public void spend(long cost) {
        remaining -= Math.max(1, cost);
        if (request != null) {
            request.spend(cost);
        }
    }

    /** Returns the failure of an evaluation that exceeds its limit. */
    CelEvaluationException exceeded() {
        long now = System.nanoTime();
        if (request != null && (request.remaining < Math.min(remaining, EXPRESSION) || request.isOverdue(now))) {
            return new CelEvaluationException(REQUEST_EXCEEDED);
        }
        // Time is a part of the budget.
        return new CelEvaluationException(
                remaining < EXPRESSION || isOverdue(now) ? BUDGET_EXCEEDED : EXPRESSION_EXCEEDED);
    }

    /** Returns whether an evaluation failed because it exceeded its limit. */
    public static boolean isExceeded(CelEvaluationException failure) {
        return BUDGET_EXCEEDED.equals(failure.getMessage()) || EXPRESSION_EXCEEDED.equals(failure.getMessage());
    }
}
