package io.plat.review.codec;

/** What a remote decider answered is no answer to the question. The message is one line and holds nothing of the body's size. */
public final class MalformedAnswerException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedAnswerException(String message) {
        super(message, null, false, false);
    }
}
