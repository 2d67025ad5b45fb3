package io.plat.cli.review;

/** What a server answered is not the review that it was asked. The message is one line. */
public final class NoReviewException extends Exception {
    private static final long serialVersionUID = 1L;

    NoReviewException(String message) {
        super(message, null, false, false);
    }
}
