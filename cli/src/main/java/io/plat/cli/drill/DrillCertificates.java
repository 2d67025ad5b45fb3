package io.plat.cli.drill;

import io.plat.cli.process.CommandException;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pki.AlternativeName;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.KeyKind;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Certificates of a faulty webhook: a valid one, and invalid ones.
 *
 * @param right for the names, by the authority
 * @param wrongName for another name
 * @param expired ended yesterday
 * @param early begins tomorrow
 * @param untrusted by an unknown authority
 */
record DrillCertificates(
        SSLContext right, SSLContext wrongName, SSLContext expired, SSLContext early, SSLContext untrusted) {
    private static final Duration DAY = Duration.ofDays(1);

    /**
     * Issues the certificates.
     *
     * @param folder has {@code ca.crt} and {@code ca.key}
     * @throws CommandException if it does not
     */
    static DrillCertificates read(Path folder, List<String> names) {
        try {
            TlsIdentity authority = TlsIdentity.read(
                    PemSource.file(folder.resolve("ca.crt")), PemSource.file(folder.resolve("ca.key")));
            Instant now = Instant.now();
            List<AlternativeName> right =
                    names.stream().map(AlternativeName::parse).toList();
            List<AlternativeName> wrong = List.of(AlternativeName.parse("drill.invalid"));
            return new DrillCertificates(
                    context(authority, now, right),
                    context(authority, now, wrong),
                    context(authority, now.minus(DAY.multipliedBy(2)), right),
                    context(authority, now.plus(DAY), right),
                    context(
                            CertificateAuthority.create("drill", DAY, InstantSource.system())
                                    .identity(),
                            now,
                            right));
        } catch (PemException e) {
            throw CommandException.of(e);
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("--san: " + e.getMessage());
        }
    }

    private static SSLContext context(TlsIdentity authority, Instant issued, List<AlternativeName> names) {
        CertificateRequest order = new CertificateRequest(
                "drill", List.of(), names, Set.of(CertificateUsage.SERVER), DAY, KeyKind.EC_P256);
        TlsIdentity identity =
                CertificateAuthority.of(authority, InstantSource.fixed(issued)).issue(order);
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "drill", identity.key(), new char[0], identity.chain().toArray(X509Certificate[]::new));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("a certificate that was just made", e);
        }
    }
}
