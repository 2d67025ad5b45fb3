package io.plat.apiserver.custom.cel;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A rule, compiled.
 *
 * @param source as it was written
 * @param program what has to be true
 * @param message makes the message of a failure; null where it is a fixed one
 * @param usesOld whether it compares with the state before
 * @param oldOptional whether it is asked also where there is no state before
 * @param cost the estimated cost of the rule, for one value
 * @param messageCost the estimated cost of the message
 */
record Rule(
        JsonNode source,
        MeteredProgram program,
        @Nullable MeteredProgram message,
        boolean usesOld,
        boolean oldOptional,
        long cost,
        long messageCost) {
    /** The expression. */
    String text() {
        return source.path("rule").asText("").strip();
    }

    /** What an error of its evaluation calls it. */
    String named() {
        String message = source.path("message").asText("").strip();
        return message.isEmpty() ? text() : message;
    }

    /** What is said where it is not true and no message is made. */
    String fixedMessage() {
        String said = source.path("message").asText("").strip();
        return said.isEmpty() ? "failed rule: " + text() : said;
    }
}
