package io.plat.engine.rbac.served;

/** What a server answered is not what was asked for. The message is one line, for the operator. */
public final class MalformedRolesException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Something else was answered.
     *
     * @param message what was found, and what was expected
     */
    public MalformedRolesException(String message) {
        super(message, null, false, false);
    }
}
