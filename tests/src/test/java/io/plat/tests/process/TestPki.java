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
 * Certificates for one test class, as files: an authority, servers, clients, and some that must not be accepted. Made once in
 * memory; any test may ask for more.
 */
public final class TestPki implements AutoCloseable {
    private static final Duration CA_VALIDITY = Duration.ofDays(30);

    private final Path folder;
    private final CertificateAuthority authority;
    private final CertificateAuthority stranger;

    private TestPki(Path folder) {
        this.folder = folder;
        this.authority = CertificateAuthority.create("test authority", CA_VALIDITY, InstantSource.system());
        this.stranger = CertificateAuthority.create("another authority", CA_VALIDITY, InstantSource.system());
    }

    /** An authority and a server certificate for localhost, in a folder of their own. */
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

    /** A client certificate that is accepted; the file's name is the common name. */
    public TestPki client(String commonName, String... organisations) {
        return write(commonName, authority.issue(CertificateRequest.client(commonName, organisations)));
    }

    /** A client certificate of a key of this kind. */
    public TestPki clientWithKey(KeyKind kind, String name, String commonName, String... organisations) {
        return write(
                name,
                authority.issue(
                        CertificateRequest.client(commonName, organisations).withKey(kind)));
    }

    /**
     * A client certificate of the authority with any subject and any alternative names, also those that no tool would write.
     *
     * @param name the file name
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
                    folder.resolve(name + ".crt"),
                    PemText.certificates(List.of(new JcaX509CertificateConverter().getCertificate(signed))));
            Files.writeString(folder.resolve(name + ".key"), PemText.privateKey(key.getPrivate()));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A client certificate of an authority that nobody trusts. */
    public TestPki strangersClient(String name) {
        return write(name, stranger.issue(CertificateRequest.client(name, "system:masters")));
    }

    /** A client certificate that was valid last week. */
    public TestPki expiredClient(String name) {
        Instant lastMonth = Instant.now().minus(Duration.ofDays(30));
        CertificateAuthority then = CertificateAuthority.of(authority.identity(), InstantSource.fixed(lastMonth));
        return write(name, then.issue(CertificateRequest.client(name).validFor(Duration.ofDays(7))));
    }

    /** A client certificate that is valid until about this moment; returns its end. */
    public Instant clientUntil(String name, Instant end) {
        TlsIdentity identity =
                authority.issue(CertificateRequest.client(name).validFor(Duration.between(Instant.now(), end)));
        write(name, identity);
        return identity.chain().getFirst().getNotAfter().toInstant();
    }

    /** A file of this folder, such as {@code ca.crt} or {@code server.key}. */
    public String file(String name) {
        return folder.resolve(name).toString();
    }

    /** The folder. */
    public Path folder() {
        return folder;
    }

    /** The flags by which a server shows its certificate and trusts the authority's clients. */
    public List<String> serverFlags() {
        return List.of(
                "--tls-cert-file=" + file("server.crt"),
                "--tls-private-key-file=" + file("server.key"),
                "--client-ca-file=" + file("ca.crt"));
    }

    /**
     * Returns the TLS context of a client.
     *
     * @param name the file name of its certificate; null for none
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
        return PemSource.file(folder.resolve(name));
    }

    private TestPki write(String name, TlsIdentity identity) {
        try {
            Files.writeString(folder.resolve(name + ".crt"), PemText.certificates(identity.chain()));
            Files.writeString(folder.resolve(name + ".key"), PemText.privateKey(identity.key()));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        Folders.delete(folder);
    }
}
