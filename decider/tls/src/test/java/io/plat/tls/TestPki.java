package io.plat.tls;

import io.plat.tls.pem.PemFiles;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Authorities and certificates of every kind that a peer may present. */
final class TestPki {
    static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
    static final InstantSource CLOCK = InstantSource.fixed(NOW);
    private static final InstantSource LAST_YEAR = InstantSource.fixed(NOW.minus(Duration.ofDays(400)));
    private static final InstantSource NEXT_YEAR = InstantSource.fixed(NOW.plus(Duration.ofDays(300)));

    final CertificateAuthority ca = CertificateAuthority.create("test CA", Duration.ofDays(3650), CLOCK);
    final CertificateAuthority otherCa = CertificateAuthority.create("other CA", Duration.ofDays(3650), CLOCK);
    final CertificateAuthority intermediate = ca.subordinate("test intermediate", Duration.ofDays(1000));

    final TlsIdentity server = ca.issue(CertificateRequest.server("server", "localhost", "127.0.0.1"));
    final TlsIdentity client = ca.issue(CertificateRequest.client("jane", "developers", "testers"));

    TlsIdentity expiredClient() {
        return CertificateAuthority.of(ca.identity(), LAST_YEAR)
                .issue(CertificateRequest.client("jane").validFor(Duration.ofDays(100)));
    }

    TlsIdentity futureClient() {
        return CertificateAuthority.of(ca.identity(), NEXT_YEAR).issue(CertificateRequest.client("jane"));
    }

    TlsIdentity expiredServer() {
        return CertificateAuthority.of(ca.identity(), LAST_YEAR)
                .issue(CertificateRequest.server("server", "localhost", "127.0.0.1")
                        .validFor(Duration.ofDays(100)));
    }

    static PemSource certificates(X509Certificate... certificates) {
        return PemSource.inline("certificates", ascii(PemText.certificates(List.of(certificates))));
    }

    static PemSource chain(TlsIdentity identity) {
        return certificates(identity.chain().toArray(X509Certificate[]::new));
    }

    static PemSource key(TlsIdentity identity) {
        return PemSource.inline("key", ascii(PemText.privateKey(identity.key())));
    }

    /** Writes {@code NAME.crt} and {@code NAME.key}, replacing existing files. */
    static void write(Path directory, String name, TlsIdentity identity) {
        try {
            PemFiles.writePair(
                    directory.resolve(name + ".crt"),
                    identity.chain(),
                    directory.resolve(name + ".key"),
                    identity.key(),
                    PemFiles.Existing.REPLACE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
