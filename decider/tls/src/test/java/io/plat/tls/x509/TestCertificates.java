package io.plat.tls.x509;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Certificates that the product would not issue. */
final class TestCertificates {
    private static final Duration VALIDITY = Duration.ofDays(1000);

    private TestCertificates() {}

    /** Signed by a certificate that is not an authority. */
    static X509Certificate signedBy(TlsIdentity issuer, String commonName, Instant now) {
        return signedWith("SHA256withECDSA", issuer, commonName, now);
    }

    /** Without any extension, for the issuer's own key. */
    static X509Certificate signedWith(String algorithm, TlsIdentity issuer, String commonName, Instant now) {
        return sign(algorithm, issuer, builder(issuer, new X500Name("CN=" + commonName), now));
    }

    /** With subject alternative names as given, which may be malformed. */
    static X509Certificate named(TlsIdentity issuer, X500Name subject, Instant now, ASN1Encodable names) {
        // RFC 5280 section 4.2.1.6; the JDK ignores most other malformed extensions.
        boolean unnamed = subject.getRDNs().length == 0;
        try {
            return sign(
                    "SHA256withECDSA",
                    issuer,
                    builder(issuer, subject, now).addExtension(Extension.subjectAlternativeName, unnamed, names));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An authority's certificate with its old name and key, valid from now. */
    static X509Certificate renewed(TlsIdentity authority, Instant now) {
        try {
            return sign(
                    "SHA256withECDSA",
                    authority,
                    builder(authority, name(authority), now)
                            .addExtension(Extension.basicConstraints, true, new BasicConstraints(true)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Authorities with two names that alternate and the key of an identity: each may have issued half of the others. */
    static List<X509Certificate> issuingEachOther(TlsIdentity identity, int count, Instant now) {
        List<X500Name> names = List.of(name(identity), new X500Name("CN=other"));
        List<X509Certificate> authorities = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            var builder = new JcaX509v3CertificateBuilder(
                    names.get((i + 1) % 2),
                    BigInteger.valueOf(i),
                    Date.from(now),
                    Date.from(now.plus(VALIDITY)),
                    names.get(i % 2),
                    identity.leaf().getPublicKey());
            try {
                builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
                builder.addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(new GeneralName(GeneralName.dNSName, "n" + i)));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            authorities.add(sign("SHA256withECDSA", identity, builder));
        }
        return authorities;
    }

    /** An authority for the key of another one, whose critical extension constrains names. */
    static X509Certificate constrained(TlsIdentity issuer, TlsIdentity subject, GeneralName permitted, Instant now) {
        try {
            return sign(
                    "SHA256withECDSA",
                    issuer,
                    new JcaX509v3CertificateBuilder(
                                    name(issuer),
                                    BigInteger.TWO,
                                    Date.from(now),
                                    Date.from(now.plus(VALIDITY)),
                                    name(subject),
                                    subject.leaf().getPublicKey())
                            .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
                            .addExtension(
                                    Extension.nameConstraints,
                                    true,
                                    new NameConstraints(new GeneralSubtree[] {new GeneralSubtree(permitted)}, null)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static X500Name name(TlsIdentity identity) {
        return X500Name.getInstance(identity.leaf().getSubjectX500Principal().getEncoded());
    }

    private static X509v3CertificateBuilder builder(TlsIdentity issuer, X500Name subject, Instant now) {
        PublicKey key = issuer.leaf().getPublicKey();
        return new JcaX509v3CertificateBuilder(
                name(issuer), BigInteger.TEN, Date.from(now), Date.from(now.plus(VALIDITY)), subject, key);
    }

    private static X509Certificate sign(String algorithm, TlsIdentity issuer, X509v3CertificateBuilder builder) {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(issuer.key())));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }
}
