package io.plat.tls;

import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.x509.CertificateNames;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.TlsIdentity;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Validation of a serving certificate, so that the operator receives an error before every client fails. */
final class ServingCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ServingCheck.class);

    private ServingCheck() {}

    /**
     * Checks usage and validity.
     *
     * @param last the certificate in use; while that is valid, an expired one does not replace it
     * @throws PemException if the certificate is unsuitable for a server, or would be worse than the last
     */
    static void check(PemSource source, TlsIdentity identity, Optional<TlsIdentity> last, Instant now)
            throws PemException {
        X509Certificate leaf = identity.leaf();
        if (!CertificateUsage.SERVER.isPermittedBy(leaf)) {
            throw new PemException(
                    source.name(), "the certificate was not issued for " + CertificateUsage.SERVER.title());
        }
        if (!valid(leaf, now)) {
            String problem =
                    "the certificate is valid from " + leaf.getNotBefore().toInstant() + " to "
                            + leaf.getNotAfter().toInstant() + " only";
            if (last.isPresent() && valid(last.get().leaf(), now)) {
                throw new PemException(source.name(), problem);
            }
            LOG.warn("clients will reject the serving certificate: file={} problem={}", source.name(), problem);
        }
        CertificateNames names = CertificateNames.of(leaf);
        if (names.dnsNames().isEmpty() && names.ipAddresses().isEmpty()) {
            LOG.warn(
                    "clients will reject the serving certificate, as it has no subject alternative name: file={}",
                    source.name());
        }
    }

    private static boolean valid(X509Certificate certificate, Instant now) {
        return !now.isBefore(certificate.getNotBefore().toInstant())
                && !now.isAfter(certificate.getNotAfter().toInstant());
    }
}
