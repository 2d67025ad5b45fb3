package io.plat.cli.drill;

import io.plat.cli.output.JsonAnswer;
import io.plat.review.source.Quoted;

/**
 * Result of a fault.
 *
 * @param open whether a request was allowed
 * @param detail one line of details
 */
record Outcome(String fault, boolean open, String detail) {
    Outcome {
        detail = Quoted.shortLine(detail);
    }

    Outcome withDetail(String text) {
        return new Outcome(fault, open, detail + text);
    }

    String word() {
        return open ? "open" : "closed";
    }

    /** Returns the result as JSON (contract, "plat"). */
    Object document() {
        return JsonAnswer.object("fault", fault, "outcome", word(), "detail", detail);
    }
}
