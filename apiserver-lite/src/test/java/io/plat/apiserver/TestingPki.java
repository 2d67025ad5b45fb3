package io.plat.apiserver;

import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemFiles;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** An authority, server certificate files, and clients with all kinds of certificates. */
final class TestingPki {
    private static final InstantSource CLOCK = InstantSource.system();

    private final CertificateAuthority authority = CertificateAuthority.create("testing CA", Duration.ofDays(1), CLOCK);
    private final Path directory;

    TestingPki(Path directory) throws IOException {
        this.directory = directory;
        Files.writeString(authorityFile(), text(List.of(authority.certificate())));
        TlsIdentity server = authority.issue(CertificateRequest.server("server", "localhost", "127.0.0.1"));
        PemFiles.writePair(certificateFile(), server.chain(), keyFile(), server.key(), PemFiles.Existing.REPLACE);
    }

    Path authorityFile() {
        return directory.resolve("ca.crt");
    }

    Path certificateFile() {
        return directory.resolve("server.crt");
    }

    Path keyFile() {
        return directory.resolve("server.key");
    }

    SSLContext client(String name, String... organizations) {
        return client(authority.issue(CertificateRequest.client(name, organizations)));
    }

    SSLContext clientOfAnotherAuthority(String name, String... organizations) {
        return client(CertificateAuthority.create("testing CA", Duration.ofDays(1), CLOCK)
                .issue(CertificateRequest.client(name, organizations)));
    }

    /** Returns a client that trusts this authority and has a certificate of another one. */
    SSLContext clientCertifiedBy(TestingPki other, String name) {
        return client(other.authority.issue(CertificateRequest.client(name)));
    }

    SSLContext clientWithAServersCertificate() {
        return client(authority.issue(CertificateRequest.server("server", "localhost")));
    }

    SSLContext clientWhoseCertificateExpired(String name) {
        Instant before = CLOCK.instant().minus(Duration.ofHours(2));
        CertificateAuthority earlier = CertificateAuthority.of(authority.identity(), () -> before);
        return client(earlier.issue(CertificateRequest.client(name).validFor(Duration.ofHours(1))));
    }

    SSLContext clientWithoutCertificate() {
        return client((TlsIdentity) null);
    }

    private SSLContext client(@Nullable TlsIdentity identity) {
        ClientTls.Config config = new ClientTls.Config(
                PemSource.inline("ca", bytes(text(List.of(authority.certificate())))),
                identity == null ? null : PemSource.inline("chain", bytes(text(identity.chain()))),
                identity == null ? null : PemSource.inline("key", bytes(PemText.privateKey(identity.key()))),
                null);
        try {
            return ClientTls.read(config, CLOCK).context();
        } catch (PemException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(List<X509Certificate> certificates) {
        return PemText.certificates(certificates);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
