package io.plat.cli.drill;

import io.plat.cli.output.JsonAnswer;
import io.plat.review.source.Quoted;

/**
 * What a fault led to.
 *
 * @param fault its name
 * @param open whether a request passed
 * @param detail what was seen, one line
 */
record Outcome(String fault, boolean open, String detail) {
    Outcome {
        detail = Quoted.shortLine(detail);
    }

    String word() {
        return open ? "open" : "closed";
    }

    /** As it stands among the others (contract, "plat"). */
    Object document() {
        return JsonAnswer.object("fault", fault, "outcome", word(), "detail", detail);
    }
}
