package io.plat.review.status;

import java.util.Objects;

/** A request that can't go on, with the Status to answer it with. One place in a server turns it into the answer. */
public final class StatusException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    /** A failure for the client; it has no stack trace, as it is not a failure of this program. */
    public StatusException(Status status) {
        super(status.message(), null, false, false);
        this.status = Objects.requireNonNull(status);
    }

    /** A failure with the code that belongs to its reason. */
    public StatusException(StatusReason reason, String message) {
        this(Status.of(reason, message));
    }

    public Status status() {
        return status;
    }
}
