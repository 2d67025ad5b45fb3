package io.plat.review.codec;

/** An invalid response of a remote server. The message is one line; that of a review has a length that does not depend on the body. */
public final class MalformedResponseException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the actual and the expected content
     */
    public MalformedResponseException(String message) {
        super(message, null, false, false);
    }
}
