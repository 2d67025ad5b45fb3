package io.plat.review.status;

import java.util.Objects;

/** A request that can't go on, with the Status to answer it with. One place in a server turns it into the answer. */
public final class StatusException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    /** A failure that is the client's to read; it carries no stack trace, as it tells nothing about this program. */
    public StatusException(Status status) {
        super(status.message(), null, false, false);
        this.status = Objects.requireNonNull(status);
    }

    /** A failure with the code that belongs to its reason. */
    public StatusException(StatusReason reason, String message) {
        this(Status.of(reason, message));
    }

    /** What to answer. */
    public Status status() {
        return status;
    }
}
