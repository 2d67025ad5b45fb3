package io.plat.tests.process;

import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Certificates for a test class, as files: an authority, servers, clients, and invalid ones. Generated once in memory, with more on demand.
 */
public final class TestPki implements AutoCloseable {
    private static final Duration CA_VALIDITY = Duration.ofDays(30);

    private final Path directory;
    private final CertificateAuthority authority;
    private final CertificateAuthority stranger;

    private TestPki(Path directory) {
        this.directory = directory;
        this.authority = CertificateAuthority.create("test authority", CA_VALIDITY, InstantSource.system());
        this.stranger = CertificateAuthority.create("another authority", CA_VALIDITY, InstantSource.system());
    }

    /** Creates an authority and a server certificate for localhost, in a directory of their own. */
    public static TestPki create() {
        try {
            TestPki pki = new TestPki(Files.createTempDirectory("plat-pki"));
            pki.write("ca", pki.authority.identity());
            pki.write("other-ca", pki.stranger.identity());
            pki.write("server", pki.authority.issue(CertificateRequest.server("server", "localhost", "127.0.0.1")));
            return pki;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Issues a client certificate; the file's name is the common name. */
    public TestPki client(String commonName, String... organizations) {
        return write(commonName, authority.issue(CertificateRequest.client(commonName, organizations)));
    }

    /** Issues a client certificate with a kind of key. */
    public TestPki clientWithKey(KeyKind kind, String name, String commonName, String... organizations) {
        return write(
                name,
                authority.issue(
                        CertificateRequest.client(commonName, organizations).withKey(kind)));
    }

    /**
     * Issues a client certificate with any subject and alternative names, including invalid ones.
     *
     * @param name file name
     */
    public TestPki clientWithSubject(String name, X500Name subject, GeneralName... names) {
        try {
            KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
            keys.initialize(256);
            KeyPair key = keys.generateKeyPair();
            TlsIdentity issuer = authority.identity();
            Instant now = Instant.now();
            var certificate = new JcaX509v3CertificateBuilder(
                    X500Name.getInstance(
                            authority.certificate().getSubjectX500Principal().getEncoded()),
                    BigInteger.valueOf(System.nanoTime()),
                    Date.from(now.minus(Duration.ofMinutes(1))),
                    Date.from(now.plus(Duration.ofDays(1))),
                    subject,
                    key.getPublic());
            certificate.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth));
            if (names.length > 0) {
                certificate.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
            }
            X509CertificateHolder signed =
                    certificate.build(new JcaContentSignerBuilder("SHA256withECDSA").build(issuer.key()));
            Files.writeString(
                    directory.resolve(name + ".crt"),
                    PemText.certificates(List.of(new JcaX509CertificateConverter().getCertificate(signed))));
            Files.writeString(directory.resolve(name + ".key"), PemText.privateKey(key.getPrivate()));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Issues a client certificate of an untrusted authority. */
    public TestPki untrustedClient(String name) {
        return write(name, stranger.issue(CertificateRequest.client(name, "system:masters")));
    }

    /** Issues a client certificate that expired last week. */
    public TestPki expiredClient(String name) {
        Instant lastMonth = Instant.now().minus(Duration.ofDays(30));
        CertificateAuthority then = CertificateAuthority.of(authority.identity(), InstantSource.fixed(lastMonth));
        return write(name, then.issue(CertificateRequest.client(name).validFor(Duration.ofDays(7))));
    }

    /** Issues a client certificate that expires soon; returns its end. */
    public Instant clientUntil(String name, Instant end) {
        TlsIdentity identity =
                authority.issue(CertificateRequest.client(name).validFor(Duration.between(Instant.now(), end)));
        write(name, identity);
        return identity.chain().getFirst().getNotAfter().toInstant();
    }

    /** Returns a file of this directory, such as {@code ca.crt} or {@code server.key}. */
    public String file(String name) {
        return directory.resolve(name).toString();
    }

    /** Returns the directory. */
    public Path directory() {
        return directory;
    }

    /** Returns the TLS flags of a server that trusts the authority's clients. */
    public List<String> serverFlags() {
        return List.of(
                "--tls-cert-file=" + file("server.crt"),
                "--tls-private-key-file=" + file("server.key"),
                "--client-ca-file=" + file("ca.crt"));
    }

    /**
     * Returns the TLS context of a client.
     *
     * @param name file name of its certificate; null for none
     */
    public SSLContext tls(@Nullable String name) {
        try {
            return ClientTls.read(
                            new ClientTls.Config(
                                    source("ca.crt"),
                                    name == null ? null : source(name + ".crt"),
                                    name == null ? null : source(name + ".key"),
                                    null),
                            InstantSource.system())
                    .context();
        } catch (PemException e) {
            throw new IllegalStateException(e);
        }
    }

    private PemSource source(String name) {
        return PemSource.file(directory.resolve(name));
    }

    private TestPki write(String name, TlsIdentity identity) {
        try {
            Files.writeString(directory.resolve(name + ".crt"), PemText.certificates(identity.chain()));
            Files.writeString(directory.resolve(name + ".key"), PemText.privateKey(identity.key()));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        Directories.delete(directory);
    }
}
