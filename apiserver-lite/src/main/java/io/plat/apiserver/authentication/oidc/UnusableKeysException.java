package io.plat.apiserver.authentication.oidc;

import java.io.Serial;

/** The keys of an issuer can't be used. The message is one line and says why. */
public final class UnusableKeysException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    UnusableKeysException(String message) {
        super(message);
    }
}
