package io.plat.tls.x509;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.CertificateRequest.AlternativeName;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CertificateNamesTest {
    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
    private static final CertificateAuthority CA =
            CertificateAuthority.create("ca", Duration.ofDays(10), InstantSource.fixed(NOW));

    @Test
    void readsUserAndGroups() {
        String odd = "a, b=c+\"d\"\\ #<;>é";
        CertificateNames names =
                CertificateNames.of(CA.issue(CertificateRequest.client("system:node:" + odd, "system:nodes", odd))
                        .leaf());

        assertThat(names.commonName()).isEqualTo("system:node:" + odd);
        assertThat(names.organizations()).containsExactly("system:nodes", odd);
        assertThat(names.clientNames()).containsExactly("system:node:" + odd);
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
        assertThat(names.otherNames()).containsExactly("email:jane@example", "URI:spiffe://example/jane");
        assertThat(names.clientNames())
                .containsExactly("x", "a.example", "email:jane@example", "URI:spiffe://example/jane");
    }

    /**
     * A failure would be an internal error for every client with such a certificate, and replacement characters would make different names
     * equal.
     */
    @ParameterizedTest
    @CsvSource({"0c0161, a", "1e020061, a", "0c01e9, ''", "0c02c0af, ''", "0c03eda080, ''", "1e02d800, ''"})
    void aSubjectWithAMalformedNameHasNoNames(String encoded, String expected) throws IOException {
        ASN1Encodable value = ASN1Primitive.fromByteArray(HexFormat.of().parseHex(encoded));
        GeneralNames host = new GeneralNames(new GeneralName(GeneralName.dNSName, "a.example"));
        for (ASN1ObjectIdentifier odd : List.of(BCStyle.CN, BCStyle.O)) {
            X500Name subject = new X500Name(new RDN[] {
                new RDN(BCStyle.O, new DERUTF8String("a")),
                new RDN(BCStyle.CN, new DERUTF8String("a")),
                new RDN(odd, value)
            });
            CertificateNames names = CertificateNames.of(TestCertificates.named(CA.identity(), subject, NOW, host));
            assertThat(names.commonName()).isEqualTo(expected);
            assertThat(names.organizations()).hasSize(expected.isEmpty() ? 0 : odd.equals(BCStyle.O) ? 2 : 1);
            assertThat(names.dnsNames()).containsExactly("a.example");
        }
    }

    @Test
    void theLastOfSeveralCommonNamesCounts() {
        X500Name subject = new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, "first")
                .addMultiValuedRDN(new ASN1ObjectIdentifier[] {BCStyle.O, BCStyle.O}, new String[] {"one", "two"})
                .addRDN(BCStyle.CN, "last")
                .build();

        CertificateNames names = CertificateNames.of(TestCertificates.named(
                CA.identity(), subject, NOW, new GeneralNames(new GeneralName(GeneralName.dNSName, "a"))));

        assertThat(names.commonName()).isEqualTo("last");
        assertThat(names.organizations()).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void aSubjectMayBeEmpty() {
        CertificateNames names = CertificateNames.of(TestCertificates.named(
                CA.identity(),
                new X500Name(new RDN[0]),
                NOW,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "a"))));

        assertThat(names.commonName()).isEmpty();
        assertThat(names.organizations()).isEmpty();
        assertThat(names.clientNames()).containsExactly("a");
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

            assertThat(names.clientNames()).containsExactly("a");
        }
    }

    /** The kind of a name, the name, an allowed name, and whether the list of it admits the certificate. */
    @ParameterizedTest
    @CsvSource({
        "cn,    admin,           admin,           true",
        "dns,   admin,           admin,           true",
        "email, admin,           admin,           false",
        "uri,   admin,           admin,           false",
        "email, a@b.c,           a@b.c,           false",
        "email, a@b.c,           email:a@b.c,     true",
        "uri,   spiffe://d/w,    spiffe://d/w,    false",
        "uri,   spiffe://d/w,    URI:spiffe://d/w, true",
        "uri,   a@b.c,           email:a@b.c,     false",
        "email, spiffe://d/w,    URI:spiffe://d/w, false",
        "cn,    email:a@b.c,     email:a@b.c,     false",
        "cn,    URI:spiffe://d/w, URI:spiffe://d/w, false",
        "dns,   email:a@b.c,     email:a@b.c,     false",
        "dns,   URI:spiffe://d/w, URI:spiffe://d/w, false",
        "ip,    10.0.0.1,        10.0.0.1,        false",
        "dns,   *.example,       a.example,       false",
        "dns,   *.example,       *.example,       true",
        "cn,    Admin,           admin,           false",
        "cn,    'admin ',        admin,           false",
        "cn,    admin\\0.evil,    admin,           false",
        "dns,   admin\\0.evil,    admin,           false",
        "email, '',              email,           false",
    })
    void clientNamesIncludeTheirKind(String kind, String name, String listed, boolean admitted) {
        String meant = name.replace("\\0", "\0");
        X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.O, listed);
        GeneralName other = new GeneralName(GeneralName.dNSName, "other");
        switch (kind) {
            case "cn" -> subject.addRDN(BCStyle.CN, meant);
            case "dns" -> other = new GeneralName(GeneralName.dNSName, meant);
            case "ip" -> other = new GeneralName(GeneralName.iPAddress, meant);
            case "email" -> other = new GeneralName(GeneralName.rfc822Name, meant);
            default -> other = new GeneralName(GeneralName.uniformResourceIdentifier, meant);
        }
        CertificateNames names = CertificateNames.of(
                TestCertificates.named(CA.identity(), subject.build(), NOW, new GeneralNames(other)));
        assertThat(names.clientNames().anyMatch(listed::equals)).isEqualTo(admitted);
    }

    @Test
    void anEmptyCommonNameIsNoName() {
        X500Name subject =
                new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, "").build();
        assertThat(CertificateNames.of(TestCertificates.named(
                                CA.identity(),
                                subject,
                                NOW,
                                new GeneralNames(new GeneralName(GeneralName.dNSName, "a"))))
                        .clientNames())
                .containsExactly("a");
    }

    @Test
    void addressesAreRead() {
        CertificateNames names = CertificateNames.of(CA.issue(new CertificateRequest(
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
