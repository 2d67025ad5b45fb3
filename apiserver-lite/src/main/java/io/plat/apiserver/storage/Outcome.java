package io.plat.apiserver.storage;

import org.jspecify.annotations.Nullable;

/** Result of a storage transaction. */
public sealed interface Outcome {
    /** The transaction is durable, and visible to every read that starts now. */
    record Committed(Event event) implements Outcome {}

    /**
     * Nothing was changed, because an expectation was not met.
     *
     * @param expectation first unmet expectation
     * @param actual actual state of its key; null if there is none
     */
    record Refused(
            Transaction.Expectation expectation, @Nullable Entry actual) implements Outcome {}
}
