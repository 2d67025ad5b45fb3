package io.plat.client;

/** No decider answered, so the request must be refused. The message is one line. */
public final class UndecidedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UndecidedException(String message) {
        super(message);
    }
}
