package io.plat.review.codec;

/** A remote decider's response is invalid. The message is one line whose length does not depend on the body. */
public final class MalformedAnswerException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedAnswerException(String message) {
        super(message, null, false, false);
    }
}
