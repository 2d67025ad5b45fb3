package io.plat.tls.x509;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tls.pki.AlternativeName;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateOrder;
import io.plat.tls.pki.KeyKind;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.junit.jupiter.api.Test;

final class CertificateNamesTest {
    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
    private static final CertificateAuthority CA =
            CertificateAuthority.create("ca", Duration.ofDays(10), InstantSource.fixed(NOW));

    @Test
    void readsUserAndGroupsAsTheyAreWritten() {
        String odd = "a, b=c+\"d\"\\ #<;>é";
        CertificateNames names =
                CertificateNames.of(CA.issue(CertificateOrder.client("system:node:" + odd, "system:nodes", odd))
                        .leaf());

        assertThat(names.commonName()).isEqualTo("system:node:" + odd);
        assertThat(names.organisations()).containsExactly("system:nodes", odd);
        assertThat(names.all()).containsExactly("system:node:" + odd);
    }

    @Test
    void readsEveryKindOfAlternativeName() {
        GeneralNames alternatives = new GeneralNames(new GeneralName[] {
            new GeneralName(GeneralName.dNSName, "a.example"),
            new GeneralName(GeneralName.iPAddress, "10.0.0.1"),
            new GeneralName(GeneralName.rfc822Name, "jane@example"),
            new GeneralName(GeneralName.uniformResourceIdentifier, "spiffe://example/jane"),
            new GeneralName(GeneralName.directoryName, "CN=else"),
        });

        CertificateNames names =
                CertificateNames.of(TestCertificates.named(CA.identity(), new X500Name("CN=x"), NOW, alternatives));

        assertThat(names.dnsNames()).containsExactly("a.example");
        assertThat(names.ipAddresses()).containsExactly(InetAddress.ofLiteral("10.0.0.1"));
        assertThat(names.otherNames()).containsExactly("jane@example", "spiffe://example/jane");
        assertThat(names.all()).containsExactly("x", "a.example", "10.0.0.1", "jane@example", "spiffe://example/jane");
    }

    @Test
    void ofSeveralCommonNamesTheLastCountsAsInOtherServers() {
        X500Name subject = new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, "first")
                .addMultiValuedRDN(new ASN1ObjectIdentifier[] {BCStyle.O, BCStyle.O}, new String[] {"one", "two"})
                .addRDN(BCStyle.CN, "last")
                .build();

        CertificateNames names = CertificateNames.of(TestCertificates.named(
                CA.identity(), subject, NOW, new GeneralNames(new GeneralName(GeneralName.dNSName, "a"))));

        assertThat(names.commonName()).isEqualTo("last");
        assertThat(names.organisations()).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void aSubjectMayBeEmpty() {
        CertificateNames names = CertificateNames.of(TestCertificates.named(
                CA.identity(),
                new X500Name(new RDN[0]),
                NOW,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "a"))));

        assertThat(names.commonName()).isEmpty();
        assertThat(names.organisations()).isEmpty();
        assertThat(names.all()).containsExactly("a");
    }

    @Test
    void malformedAlternativeNamesCountAsAbsent() {
        ASN1Encodable fiveBytes = new GeneralNames(new GeneralName[] {
            new GeneralName(GeneralName.dNSName, "b"),
            new GeneralName(GeneralName.iPAddress, new DEROctetString(new byte[5]))
        });
        for (ASN1Encodable malformed : List.of(fiveBytes, new DERUTF8String("no names"))) {
            CertificateNames names =
                    CertificateNames.of(TestCertificates.named(CA.identity(), new X500Name("CN=a"), NOW, malformed));

            assertThat(names.all()).containsExactly("a");
        }
    }

    @Test
    void addressesAreRead() {
        CertificateNames names = CertificateNames.of(CA.issue(new CertificateOrder(
                        "x",
                        List.of(),
                        List.of(AlternativeName.parse("::1"), AlternativeName.parse("*.example")),
                        Set.of(CertificateUsage.SERVER),
                        Duration.ofDays(1),
                        KeyKind.EC_P256))
                .leaf());

        assertThat(names.ipAddresses()).containsExactly(InetAddress.ofLiteral("::1"));
        assertThat(names.dnsNames()).containsExactly("*.example");
    }
}
