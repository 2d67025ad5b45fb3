package io.plat.http.testing;

import io.plat.tls.ClientTls;
import io.plat.tls.ReloadListener;
import io.plat.tls.ServerTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemFiles;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.CertificateRequest.AlternativeName;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** An authority, a server's certificate and clients' certificates. */
public final class TestingPki {
    private static final InstantSource CLOCK = InstantSource.system();

    private final CertificateAuthority authority = CertificateAuthority.create("testing CA", Duration.ofDays(1), CLOCK);
    private final TlsIdentity server = authority.issue(CertificateRequest.server("server", "localhost", "127.0.0.1"));

    public ServerTls requiringServer() {
        return open(ServerTls.Config.requiring(
                PemSource.inline("chain", chain(server)),
                PemSource.inline("key", key(server)),
                PemSource.inline("ca", certificates(List.of(authority.certificate())))));
    }

    public ServerTls requestingServer() {
        return open(ServerTls.Config.requesting(
                PemSource.inline("chain", chain(server)), PemSource.inline("key", key(server))));
    }

    /** Writes {@code server.crt}, {@code server.key} and {@code ca.crt} for a server that reads files. */
    public void write(Path directory) throws IOException {
        PemFiles.writePair(
                directory.resolve("server.crt"),
                server.chain(),
                directory.resolve("server.key"),
                server.key(),
                PemFiles.Existing.REPLACE);
        Files.write(directory.resolve("ca.crt"), certificates(List.of(authority.certificate())));
    }

    /** Writes {@code NAME.crt}, {@code NAME.key} and {@code NAME-ca.crt} for a client that reads files. */
    public void writeClient(Path directory, String name) throws IOException {
        TlsIdentity client = authority.issue(CertificateRequest.client(name));
        PemFiles.writePair(
                directory.resolve(name + ".crt"),
                client.chain(),
                directory.resolve(name + ".key"),
                client.key(),
                PemFiles.Existing.REPLACE);
        Files.write(directory.resolve(name + "-ca.crt"), certificates(List.of(authority.certificate())));
    }

    /** Issues a certificate with alternative names in addition to the common name. */
    public SSLContext clientAlsoCalled(String name, String alternative) {
        return client(authority.issue(new CertificateRequest(
                name,
                List.of(),
                List.of(AlternativeName.parse(alternative)),
                Set.of(CertificateUsage.CLIENT),
                CertificateRequest.DEFAULT_VALIDITY,
                KeyKind.EC_P256)));
    }

    /** The server's certificate, presented by a client. */
    public SSLContext serverAsClient() {
        return client(server);
    }

    private static ServerTls open(ServerTls.Config config) {
        try {
            return new ServerTls(config, ReloadListener.none(), CLOCK);
        } catch (PemException e) {
            throw new AssertionError(e);
        }
    }

    public SSLContext client(String name, String... organizations) {
        return client(authority.issue(CertificateRequest.client(name, organizations)));
    }

    public SSLContext clientOfAnotherAuthority() {
        return client(CertificateAuthority.create("other CA", Duration.ofDays(1), CLOCK)
                .issue(CertificateRequest.client("mallory")));
    }

    public SSLContext clientWithoutCertificate() {
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
