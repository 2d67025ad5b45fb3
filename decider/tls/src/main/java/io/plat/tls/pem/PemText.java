package io.plat.tls.pem;

import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/** Writes PEM text as RFC 7468 wants it: 64 characters a line, LF. */
public final class PemText {
    private PemText() {}

    /** Certificates, in the order given. */
    public static String certificates(List<X509Certificate> certificates) {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            text.append(block("CERTIFICATE", encoded(certificate)));
        }
        return text.toString();
    }

    /**
     * A private key in PKCS#8.
     *
     * @throws IllegalArgumentException where the key can't leave its provider
     */
    public static String privateKey(PrivateKey key) {
        byte[] encoded = key.getEncoded();
        if (encoded == null || !"PKCS#8".equals(key.getFormat())) {
            throw new IllegalArgumentException("the key can't be exported");
        }
        return block("PRIVATE KEY", encoded);
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("the certificate can't be encoded", e);
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
