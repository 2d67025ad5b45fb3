package io.plat.apiserver.storage;

import org.jspecify.annotations.Nullable;

/** Result of a storage transaction. */
public sealed interface Outcome {
    /**
     * Durable, and visible to every read that starts now.
     *
     * @param event the change that was made
     */
    record Committed(Event event) implements Outcome {}

    /**
     * Nothing was changed, because an expectation did not hold.
     *
     * @param expectation the first that did not
     * @param actual what the key's state was instead; null if there is none
     */
    record Refused(
            Transaction.Expectation expectation, @Nullable Entry actual) implements Outcome {}
}
