package io.plat.apiserver.memory;

import io.plat.review.status.Status;
import java.util.Objects;

/** A request that has to end: it would take too much memory, or its client has left. Unchecked, since any code may work for a request. */
public final class RequestLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    RequestLimitException(Status status) {
        super(status.message(), null, false, false);
        this.status = Objects.requireNonNull(status);
    }

    /** The answer. */
    public Status status() {
        return status;
    }
}
