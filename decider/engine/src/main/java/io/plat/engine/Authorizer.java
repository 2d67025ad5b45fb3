package io.plat.engine;

import io.plat.review.Attributes;

/**
 * Decides whether a user may do something.
 *
 * <p>Implementations are safe for use by any number of threads. Whoever calls judges a failure: {@link Decision.Undecided} is
 * no answer, and only {@link Decision.Allow} lets a request pass.
 */
@FunctionalInterface
public interface Authorizer {
    /** The decision on one question. Never null; must not throw for any attributes. */
    Decision authorize(Attributes attributes);

    /**
     * Whether every decision is made from memory, without waiting for anything. A server may then decide on the thread that
     * read the request. The safe answer for an authorizer that does not know is false.
     */
    default boolean decidesFromMemory() {
        return false;
    }
}
