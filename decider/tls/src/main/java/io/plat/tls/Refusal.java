package io.plat.tls;

import io.plat.tls.x509.Verification;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;

/** Turns a refusal into the exception from which JSSE takes the alert that it sends. */
final class Refusal {
    private Refusal() {}

    static void throwUnlessVerified(Verification verification) throws CertificateException {
        switch (verification) {
            case Verification.Verified _ -> {
                // Nothing is wrong.
            }
            case Verification.Refused refused -> throw of(refused);
        }
    }

    static CertificateException of(Verification.Refused refused) {
        return switch (refused.reason()) {
            case EXPIRED -> withAlert(refused, BasicReason.EXPIRED);
            case NOT_YET_VALID -> withAlert(refused, BasicReason.NOT_YET_VALID);
            case ABSENT, WRONG_USAGE, UNTRUSTED, WRONG_NAME -> new CertificateException(refused.message());
        };
    }

    private static CertificateException withAlert(Verification.Refused refused, BasicReason reason) {
        return new CertificateException(
                refused.message(), new CertPathValidatorException(refused.message(), null, null, -1, reason));
    }
}
