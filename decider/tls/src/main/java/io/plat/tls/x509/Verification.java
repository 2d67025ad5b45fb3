package io.plat.tls.x509;

import java.security.cert.X509Certificate;

/** The judgement on a peer's certificate. */
public sealed interface Verification {
    /**
     * It is to be believed.
     *
     * @param leaf the peer's own certificate
     */
    record Verified(X509Certificate leaf) implements Verification {}

    /**
     * It is not.
     *
     * @param reason the kind of defect
     * @param message the defect in one line, lower case, for a log or for the peer itself
     */
    record Refused(Reason reason, String message) implements Verification {}

    /** Reason for rejecting a certificate. */
    enum Reason {
        /** The peer presented none. */
        ABSENT,
        /** The validity of the certificate, or of one above it, is over. */
        EXPIRED,
        /** The validity of the certificate, or of one above it, has not begun. */
        NOT_YET_VALID,
        /** It was not issued for this usage. */
        WRONG_USAGE,
        /** It can't be traced to a trusted authority, or a certificate on the way is not fit to issue it. */
        UNTRUSTED,
        /** It is a server's, but not this server's. */
        WRONG_NAME
    }
}
