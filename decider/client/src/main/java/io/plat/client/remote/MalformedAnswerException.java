package io.plat.client.remote;

/** An invalid response of a decider. The message is one line whose length does not depend on the body. */
public final class MalformedAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    public MalformedAnswerException(String message) {
        super(message, null, false, false);
    }
}
