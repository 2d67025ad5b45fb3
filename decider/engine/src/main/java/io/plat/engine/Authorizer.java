package io.plat.engine;

import io.plat.review.Attributes;
import org.jspecify.annotations.Nullable;

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
     * The decision on a question where it can be made without waiting for anything: the same that {@link #authorize} would give, so
     * that a server may decide on the thread that read the request. Null where the question has to be asked, as it always is of an
     * authorizer that does not know. Must neither wait nor throw.
     */
    default @Nullable Decision decideFromMemory(Attributes attributes) {
        return null;
    }
}
