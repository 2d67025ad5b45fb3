package io.plat.http.authentication.oidc;

import java.io.Serial;

/** Failure to obtain an issuer's keys. The message is one line and states the reason. */
public final class UnusableKeysException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    UnusableKeysException(String message) {
        super(message);
    }
}
