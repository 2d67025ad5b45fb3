package io.plat.review.status;

/** Failure of a request, with the Status of the response. */
public final class StatusException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    /** Creates a failure without a stack trace, as it is not a failure of this program. */
    public StatusException(Status status) {
        super(status.message(), null, false, false);
        this.status = status;
    }

    /** Creates a failure with the code of its reason. */
    public StatusException(StatusReason reason, String message) {
        this(Status.of(reason, message));
    }

    public Status status() {
        return status;
    }
}
