package io.plat.tls;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A certificate in use, for a metric of its expiry.
 *
 * @param what the name of the material that contains it
 * @param subject its subject as a distinguished name
 * @param serial its serial number, lower-case hexadecimal
 * @param notAfter the last moment of its validity
 */
public record LoadedCertificate(String what, String subject, String serial, Instant notAfter) {
    /** Returns {@link #notAfter} in seconds since the epoch, for metrics. */
    public long notAfterEpochSeconds() {
        return notAfter.getEpochSecond();
    }

    /** Returns the certificates of a chain or bundle. */
    public static List<LoadedCertificate> of(String what, List<X509Certificate> certificates) {
        return certificates.stream()
                .map(c -> new LoadedCertificate(
                        what,
                        c.getSubjectX500Principal().getName(),
                        c.getSerialNumber().toString(16),
                        c.getNotAfter().toInstant()))
                .toList();
    }
}
