package io.plat.cel;

/** Signal that an evaluation exceeds its cost limit. An error, because CEL operators ignore exceptions of operands that do not affect the result. */
final class LimitExceeded extends Error {
    private static final long serialVersionUID = 1L;

    LimitExceeded() {
        super(CostBudget.EXPRESSION_EXCEEDED, null, false, false);
    }
}
