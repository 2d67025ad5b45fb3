package io.plat.engine.rbac.served;

/** A malformed response of a server. The message is one line, for the operator. */
public final class MalformedRolesException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the actual and the expected content
     */
    public MalformedRolesException(String message) {
        super(message, null, false, false);
    }
}
