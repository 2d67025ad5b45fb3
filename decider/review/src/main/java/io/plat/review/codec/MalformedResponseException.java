package io.plat.review.codec;

/** An invalid response of a remote decider. The message is one line whose length does not depend on the body. */
public final class MalformedResponseException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedResponseException(String message) {
        super(message, null, false, false);
    }
}
