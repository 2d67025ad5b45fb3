package io.plat.tls.pem;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x9.ECNamedCurveTable;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;

/** Writer of PEM text in the form of RFC 7468: 64 characters per line, LF. */
public final class PemText {
    private PemText() {}

    /** Returns certificates as text, in the order given. */
    public static String certificates(List<X509Certificate> certificates) {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            text.append(block("CERTIFICATE", encoded(certificate)));
        }
        return text.toString();
    }

    /**
     * Returns a private key: that of an elliptic curve in the form of RFC 5915, any other in PKCS#8. PKCS#8 is universal, but some clients
     * determine a key's algorithm from the label alone, and take PKCS#8 for RSA. Others require the public half of a key on a curve, which is
     * optional in the standard.
     *
     * @throws IllegalArgumentException if the key cannot leave its provider
     */
    public static String privateKey(PrivateKey key) {
        byte[] encoded = key.getEncoded();
        if (encoded == null || !"PKCS#8".equals(key.getFormat())) {
            throw new IllegalArgumentException("the key cannot be exported");
        }
        return key instanceof ECKey curve
                ? block("EC PRIVATE KEY", onCurve(encoded, curve))
                : block("PRIVATE KEY", encoded);
    }

    /** Returns the inner structure with the name of the curve, which PKCS#8 has outside of it. */
    private static byte[] onCurve(byte[] pkcs8, ECKey curve) {
        try {
            PrivateKeyInfo info = PrivateKeyInfo.getInstance(pkcs8);
            ECPrivateKey inner = ECPrivateKey.getInstance(info.parsePrivateKey());
            ASN1Encodable curveName = info.getPrivateKeyAlgorithm().getParameters();
            return new ECPrivateKey(
                            curve.getParams().getOrder().bitLength(),
                            inner.getKey(),
                            publicHalf(ASN1ObjectIdentifier.getInstance(curveName), inner.getKey()),
                            curveName)
                    .getEncoded();
        } catch (IOException e) {
            throw new IllegalArgumentException("the key cannot be exported", e);
        }
    }

    static DERBitString publicHalf(ASN1ObjectIdentifier curveName, BigInteger secret) {
        X9ECParameters curve = ECNamedCurveTable.getByOID(curveName);
        if (curve == null) {
            throw new IllegalArgumentException("the key cannot be exported: its curve has no name");
        }
        return new DERBitString(
                new FixedPointCombMultiplier().multiply(curve.getG(), secret).getEncoded(false));
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("the certificate cannot be encoded", e);
        }
    }

    private static String block(String label, byte[] content) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
