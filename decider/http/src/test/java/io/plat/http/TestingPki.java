package io.plat.http;

import io.plat.tls.ClientTls;
import io.plat.tls.ReloadListener;
import io.plat.tls.ServerTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateOrder;
import io.plat.tls.x509.TlsIdentity;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** An authority, a server's certificate and clients' certificates. */
final class TestingPki {
    private static final InstantSource CLOCK = InstantSource.system();

    private final CertificateAuthority authority = CertificateAuthority.create("testing CA", Duration.ofDays(1), CLOCK);
    private final TlsIdentity server = authority.issue(CertificateOrder.server("server", "localhost", "127.0.0.1"));

    ServerTls requiringServer() {
        return open(ServerTls.Config.requiring(
                PemSource.inline("chain", chain(server)),
                PemSource.inline("key", key(server)),
                PemSource.inline("ca", certificates(List.of(authority.certificate())))));
    }

    ServerTls requestingServer() {
        return open(ServerTls.Config.requesting(
                PemSource.inline("chain", chain(server)), PemSource.inline("key", key(server))));
    }

    private static ServerTls open(ServerTls.Config config) {
        try {
            return ServerTls.open(config, ReloadListener.none(), CLOCK);
        } catch (PemException e) {
            throw new AssertionError(e);
        }
    }

    SSLContext client(String name, String... organisations) {
        return client(authority.issue(CertificateOrder.client(name, organisations)));
    }

    SSLContext clientOfAnotherAuthority() {
        return client(CertificateAuthority.create("other CA", Duration.ofDays(1), CLOCK)
                .issue(CertificateOrder.client("mallory")));
    }

    SSLContext clientWithoutCertificate() {
        return client((TlsIdentity) null);
    }

    private SSLContext client(@Nullable TlsIdentity identity) {
        ClientTls.Config config = new ClientTls.Config(
                PemSource.inline("ca", certificates(List.of(authority.certificate()))),
                identity == null ? null : PemSource.inline("chain", chain(identity)),
                identity == null ? null : PemSource.inline("key", key(identity)),
                null);
        try {
            return ClientTls.read(config, CLOCK).context();
        } catch (PemException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] chain(TlsIdentity identity) {
        return certificates(identity.chain());
    }

    private static byte[] certificates(List<X509Certificate> certificates) {
        return PemText.certificates(certificates).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] key(TlsIdentity identity) {
        return PemText.privateKey(identity.key()).getBytes(StandardCharsets.US_ASCII);
    }
}
