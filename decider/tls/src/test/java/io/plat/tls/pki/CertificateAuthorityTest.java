package io.plat.tls.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.plat.tls.pem.OpenSsl;
import io.plat.tls.pem.PemFiles;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.TlsIdentity;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates conform to RFC 5280, by their fields and according to openssl. */
final class CertificateAuthorityTest {
    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
    private static final InstantSource CLOCK = InstantSource.fixed(NOW);
    private static final CertificateAuthority CA = CertificateAuthority.create("ca", Duration.ofDays(1000), CLOCK);

    @Test
    void aRootSignsItselfAndCertificatesOnly() throws Exception {
        X509Certificate root = CA.certificate();

        assertThat(root.getVersion()).isEqualTo(3);
        assertThat(root.getSubjectX500Principal()).isEqualTo(root.getIssuerX500Principal());
        assertThat(root.getSubjectX500Principal().getName()).isEqualTo("CN=ca");
        assertThat(root.getBasicConstraints()).isEqualTo(Integer.MAX_VALUE);
        assertThat(keyUsages(root)).containsExactly(5, 6);
        assertThat(root.getExtendedKeyUsage()).isNull();
        assertThat(root.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.19", "2.5.29.15");
        assertThat(root.getNonCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.14", "2.5.29.35");
        assertThat(root.getSigAlgName()).isEqualTo("SHA256withECDSA");
        root.verify(root.getPublicKey());
    }

    @Test
    void validityIsCountedFromTheClock() {
        X509Certificate root = CA.certificate();

        assertThat(root.getNotBefore().toInstant()).isEqualTo(NOW.minus(Duration.ofMinutes(5)));
        assertThat(root.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofDays(1000)));
    }

    @Test
    void aServerCertificateHasItsHosts() throws Exception {
        X509Certificate leaf = CA.issue(
                        CertificateRequest.server("decider", "decider.example", "*.example", "10.0.0.1", "::1"))
                .leaf();

        assertThat(leaf.getSubjectAlternativeNames())
                .extracting(List::getFirst, List::getLast)
                .containsExactly(
                        Tuple.tuple(2, "decider.example"),
                        Tuple.tuple(2, "*.example"),
                        Tuple.tuple(7, "10.0.0.1"),
                        Tuple.tuple(7, "0:0:0:0:0:0:0:1"));
        assertThat(leaf.getExtendedKeyUsage()).containsExactly(CertificateUsage.SERVER.oid());
        assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
        assertThat(keyUsages(leaf)).containsExactly(0);
        leaf.verify(CA.certificate().getPublicKey());
    }

    @Test
    void aClientCertificateHasUserAndGroups() throws Exception {
        X509Certificate leaf = CA.issue(CertificateRequest.client("jane", "developers", "system:masters"))
                .leaf();

        assertThat(leaf.getSubjectX500Principal().getName()).isEqualTo("CN=jane,O=system:masters,O=developers");
        assertThat(leaf.getExtendedKeyUsage()).containsExactly(CertificateUsage.CLIENT.oid());
        assertThat(leaf.getSubjectAlternativeNames()).isNull();
    }

    @Test
    void oneCertificateMayServeBothUsages() throws Exception {
        X509Certificate leaf = CA.issue(
                        CertificateRequest.client("peer").usedFor(CertificateUsage.CLIENT, CertificateUsage.SERVER))
                .leaf();

        assertThat(leaf.getExtendedKeyUsage())
                .containsExactly(CertificateUsage.SERVER.oid(), CertificateUsage.CLIENT.oid());
    }

    @Test
    void rsaKeysMayTransportKeys() {
        X509Certificate leaf = CA.issue(CertificateRequest.client("jane").withKey(CertificateRequest.KeyKind.RSA_2048))
                .leaf();

        assertThat(keyUsages(leaf)).containsExactly(0, 2);
    }

    @Test
    void keyIdentifiersLinkLeafAndAuthority() {
        X509Certificate leaf = CA.issue(CertificateRequest.client("jane")).leaf();
        byte[] authority = CA.certificate().getExtensionValue("2.5.29.14");
        byte[] link = leaf.getExtensionValue("2.5.29.35");

        // Both end with the twenty bytes of the identifier.
        assertThat(Arrays.copyOfRange(link, link.length - 20, link.length))
                .isEqualTo(Arrays.copyOfRange(authority, authority.length - 20, authority.length));
        assertThat(leaf.getExtensionValue("2.5.29.14")).isNotEqualTo(authority);
    }

    @Test
    void serialsAreLongPositiveAndDiffer() {
        Set<Object> serials = new HashSet<>();
        CertificateRequest order = CertificateRequest.client("jane");
        for (int i = 0; i < 50; i++) {
            X509Certificate leaf = CA.issue(order).leaf();
            assertThat(leaf.getSerialNumber().signum()).isPositive();
            assertThat(leaf.getSerialNumber().bitLength()).isBetween(64, 159);
            serials.add(leaf.getSerialNumber());
        }
        assertThat(serials).hasSize(50);
    }

    @Test
    void certificatesDoNotOutliveTheirAuthority() {
        X509Certificate leaf = CA.issue(CertificateRequest.client("jane").validFor(Duration.ofDays(100_000)))
                .leaf();

        assertThat(leaf.getNotAfter()).isEqualTo(CA.certificate().getNotAfter());
    }

    @Test
    void validityIsLimitedToTheEncodableRange() {
        CertificateAuthority eternal =
                CertificateAuthority.create("eternal", Duration.ofSeconds(Long.MAX_VALUE), CLOCK);

        assertThat(eternal.certificate().getNotAfter().toInstant()).isEqualTo("9999-12-31T23:59:59Z");
    }

    @Test
    void aSubordinateIssuesOnlyEndEntityCertificates() {
        CertificateAuthority below = CA.subordinate("below", Duration.ofDays(10));
        TlsIdentity issued = below.issue(CertificateRequest.client("jane"));

        assertThat(below.certificate().getBasicConstraints()).isZero();
        assertThat(issued.chain()).containsExactly(issued.leaf(), below.certificate());
    }

    @Test
    void anExistingAuthorityIssuesCertificates() throws Exception {
        CertificateAuthority again = CertificateAuthority.of(CA.identity(), CLOCK);

        again.issue(CertificateRequest.client("jane"))
                .leaf()
                .verify(CA.certificate().getPublicKey());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CertificateAuthority.of(CA.issue(CertificateRequest.client("jane")), CLOCK))
                .withMessage("the certificate is not a CA certificate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb", "a\u0000b", "long"})
    void namesAreValidated(String name) {
        String text = name.equals("long") ? "a".repeat(257) : name;

        assertThatIllegalArgumentException().isThrownBy(() -> CertificateRequest.client(text));
        assertThatIllegalArgumentException().isThrownBy(() -> CertificateRequest.client("jane", text));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CertificateAuthority.create(text, Duration.ofDays(1), CLOCK));
        assertThatIllegalArgumentException().isThrownBy(() -> CA.subordinate(text, Duration.ofDays(1)));
    }

    @Test
    void requestsAreValidated() {
        CertificateRequest order = CertificateRequest.client("jane");

        assertThatIllegalArgumentException().isThrownBy(() -> order.validFor(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(order::usedFor);
        assertThatIllegalArgumentException().isThrownBy(() -> CertificateAuthority.create("ca", Duration.ZERO, CLOCK));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2.3", "a b", "localhost:443", "fe80::1%eth0", "https://a", ""})
    void alternativeNamesAreValidated(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CertificateRequest.AlternativeName.parse(text))
                .withMessageContaining("'" + text + "' is not ");
    }

    @ParameterizedTest
    @EnumSource
    void opensslVerifiesEveryKind(CertificateRequest.KeyKind kind, @TempDir Path directory) throws Exception {
        OpenSsl openssl = new OpenSsl(directory);
        // Uses the system clock, as openssl does.
        CertificateAuthority ca =
                CertificateAuthority.create("root", Duration.ofDays(10), kind, InstantSource.system());
        CertificateAuthority below = ca.subordinate("below", Duration.ofDays(5));
        write(directory, "root", ca.identity());
        write(directory, "below", below.identity());
        write(
                directory,
                "server",
                below.issue(
                        CertificateRequest.server("s", "a.example", "127.0.0.1").withKey(kind)));
        write(
                directory,
                "client",
                ca.issue(CertificateRequest.client("jane", "developers").withKey(kind)));

        String[] strict = {"verify", "-x509_strict", "-CAfile", "root.crt", "-untrusted", "below.crt", "-purpose"};

        assertThat(openssl.run(with(strict, "sslserver", "-verify_hostname", "a.example", "server.crt")))
                .contains("server.crt: OK");
        assertThat(openssl.run(with(strict, "sslserver", "-verify_ip", "127.0.0.1", "server.crt")))
                .contains("server.crt: OK");
        assertThat(openssl.run(with(strict, "sslclient", "client.crt"))).contains("client.crt: OK");
    }

    private static String[] with(String[] first, String... then) {
        return IntStream.range(0, first.length + then.length)
                .mapToObj(i -> i < first.length ? first[i] : then[i - first.length])
                .toArray(String[]::new);
    }

    private static void write(Path directory, String name, TlsIdentity identity) throws Exception {
        PemFiles.writePair(
                directory.resolve(name + ".crt"),
                identity.chain(),
                directory.resolve(name + ".key"),
                identity.key(),
                PemFiles.Existing.KEEP);
    }

    private static List<Integer> keyUsages(X509Certificate certificate) {
        boolean[] usages = certificate.getKeyUsage();
        return IntStream.range(0, usages.length).filter(i -> usages[i]).boxed().toList();
    }
}
