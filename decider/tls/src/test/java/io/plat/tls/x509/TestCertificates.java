package io.plat.tls.x509;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
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
