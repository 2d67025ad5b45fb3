package io.plat.apiserver.options;

import io.plat.review.status.StatusException;

/** Permission check of an update that turns out to be a create. */
@FunctionalInterface
public interface CreateCheck {
    /**
     * Returns if creation is permitted.
     *
     * @throws StatusException 403 if it is denied, 500 if that could not be decided
     */
    void admit() throws StatusException;
}
