package io.plat.apiserver.options;

import io.plat.review.status.StatusException;

/** Whether a request that may update, and turns out to create, may do that. */
@FunctionalInterface
public interface CreateCheck {
    /**
     * Returns if it may.
     *
     * @throws StatusException 403 if it may not, 500 where that could not be decided
     */
    void admit() throws StatusException;
}
