package io.plat.engine;

import io.plat.review.Attributes;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request is allowed.
 *
 * <p>Implementations are safe for use by any number of threads. The caller judges failures: {@link Decision.Undecided} is not an answer, and only
 * {@link Decision.Allow} permits a request.
 */
@FunctionalInterface
public interface Authorizer {
    /** Returns the decision on a request. Never null; must not throw for any attributes. */
    Decision authorize(Attributes attributes);

    /**
     * Returns the decision if it can be made without blocking: the same as that of {@link #authorize}, so that a server may decide on the thread
     * that read the request. Returns null if the request needs {@link #authorize}, which is the default. Must neither block nor throw.
     */
    default @Nullable Decision decideFromMemory(Attributes attributes) {
        return null;
    }

    /**
     * Returns whether a part of the policy that is in memory allows the request, regardless of the parts that block. Must neither block nor
     * throw.
     */
    default boolean allowsFromMemory(Attributes attributes) {
        return decideFromMemory(attributes) instanceof Decision.Allow;
    }
}
