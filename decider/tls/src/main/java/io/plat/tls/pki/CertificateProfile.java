package io.plat.tls.pki;

import io.plat.tls.pki.CertificateAuthority.Validity;
import io.plat.tls.x509.CertificateUsage;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Builder of certificates (RFC 5280 section 4), signed with an issuer's key. */
final class CertificateProfile {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int SERIAL_BITS = 127;

    private final X500Name issuer;
    private final byte[] issuerKeyId;
    private final PrivateKey signingKey;

    private CertificateProfile(X500Name issuer, byte[] issuerKeyId, PrivateKey signingKey) {
        this.issuer = issuer;
        this.issuerKeyId = issuerKeyId;
        this.signingKey = signingKey;
    }

    /** Creates the profile of certificates that this authority signs. */
    CertificateProfile(X509Certificate authority, PrivateKey signingKey) {
        // Byte for byte as in the authority's certificate: path building compares encodings.
        this(X500Name.getInstance(authority.getSubjectX500Principal().getEncoded()), keyId(authority), signingKey);
    }

    /** Returns the identifier in the authority's certificate, which another program may have computed differently. */
    private static byte[] keyId(X509Certificate authority) {
        byte[] extension = authority.getExtensionValue(Extension.subjectKeyIdentifier.getId());
        if (extension == null) {
            return keyId(authority.getPublicKey());
        }
        byte[] content = ASN1OctetString.getInstance(extension).getOctets();
        return SubjectKeyIdentifier.getInstance(content).getKeyIdentifier();
    }

    private static byte[] keyId(PublicKey key) {
        try {
            return new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key).getKeyIdentifier();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1, which serves as a name here", e);
        }
    }

    static X500Name subject(String commonName, List<String> organizations) {
        X500NameBuilder name = new X500NameBuilder(BCStyle.INSTANCE);
        organizations.forEach(o -> name.addRDN(BCStyle.O, o));
        return name.addRDN(BCStyle.CN, commonName).build();
    }

    static X509Certificate root(X500Name name, KeyPair pair, Validity validity) {
        CertificateProfile profile = new CertificateProfile(name, keyId(pair.getPublic()), pair.getPrivate());
        return profile.sign(
                name, pair.getPublic(), validity, builder -> authority(builder, new BasicConstraints(true)));
    }

    X509Certificate subordinate(X500Name name, PublicKey key, Validity validity) {
        return sign(name, key, validity, builder -> authority(builder, new BasicConstraints(0)));
    }

    private static void authority(X509v3CertificateBuilder builder, BasicConstraints constraints)
            throws CertIOException {
        builder.addExtension(Extension.basicConstraints, true, constraints);
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
    }

    X509Certificate leaf(CertificateRequest request, PublicKey key, Validity validity) {
        return sign(subject(request.commonName(), request.organizations()), key, validity, builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(keyUsage(key)));
            builder.addExtension(Extension.extendedKeyUsage, false, extendedKeyUsage(request));
            if (!request.names().isEmpty()) {
                builder.addExtension(Extension.subjectAlternativeName, false, names(request.names()));
            }
        });
    }

    /** Returns the key usages; RSA keys may also encipher keys, as cipher suites of TLS 1.2 without forward secrecy need. */
    private static int keyUsage(PublicKey key) {
        return key.getAlgorithm().equals("RSA")
                ? KeyUsage.digitalSignature | KeyUsage.keyEncipherment
                : KeyUsage.digitalSignature;
    }

    private static ExtendedKeyUsage extendedKeyUsage(CertificateRequest request) {
        return new ExtendedKeyUsage(request.usages().stream()
                .sorted()
                .map(CertificateUsage::oid)
                .map(oid -> KeyPurposeId.getInstance(new ASN1ObjectIdentifier(oid)))
                .toArray(KeyPurposeId[]::new));
    }

    private static GeneralNames names(List<CertificateRequest.AlternativeName> names) {
        return new GeneralNames(names.stream()
                .map(name ->
                        new GeneralName(name.isAddress() ? GeneralName.iPAddress : GeneralName.dNSName, name.text()))
                .toArray(GeneralName[]::new));
    }

    /** Extensions of a kind of certificate. */
    @FunctionalInterface
    private interface Extensions {
        void add(X509v3CertificateBuilder builder) throws CertIOException;
    }

    private X509Certificate sign(X500Name subject, PublicKey key, Validity validity, Extensions extensions) {
        try {
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    issuer, serial(), Date.from(validity.from()), Date.from(validity.to()), subject, key);
            extensions.add(builder);
            builder.addExtension(Extension.subjectKeyIdentifier, false, new SubjectKeyIdentifier(keyId(key)));
            builder.addExtension(Extension.authorityKeyIdentifier, false, new AuthorityKeyIdentifier(issuerKeyId));
            String algorithm = CertificateRequest.KeyKind.signatureAlgorithm(signingKey);
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(signingKey)));
        } catch (CertIOException | OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException("a certificate could not be signed", e);
        }
    }

    /** Returns a positive, unpredictable serial number (RFC 5280 section 4.1.2.2). */
    private static BigInteger serial() {
        return new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1);
    }
}
