package io.plat.apiserver.memory;

import io.plat.review.status.Status;
import java.util.Objects;

/** Abort of a request that would use too much memory, or whose client has disconnected. Unchecked, since any code may run for a request. */
public final class RequestLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    /** @param status response to the request */
    public RequestLimitException(Status status) {
        super(status.message(), null, false, false);
        this.status = Objects.requireNonNull(status);
    }

    public Status status() {
        return status;
    }
}
