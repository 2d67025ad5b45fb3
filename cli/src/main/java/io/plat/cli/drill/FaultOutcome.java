package io.plat.cli.drill;

import io.plat.cli.output.JsonAnswer;
import io.plat.review.source.Quoted;

/**
 * Result of a fault.
 *
 * @param open whether a request was allowed
 * @param detail one line of details
 */
record FaultOutcome(String fault, boolean open, String detail) {
    FaultOutcome {
        detail = Quoted.shortLine(detail);
    }

    FaultOutcome withDetail(String text) {
        return new FaultOutcome(fault, open, detail + text);
    }

    String word() {
        return open ? "open" : "closed";
    }

    /** Returns the result as JSON (contract, "plat"). */
    Object document() {
        return JsonAnswer.object("fault", fault, "outcome", word(), "detail", detail);
    }
}
