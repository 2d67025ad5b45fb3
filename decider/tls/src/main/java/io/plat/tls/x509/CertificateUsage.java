package io.plat.tls.x509;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;

/** Purpose of a certificate (extended key usages of RFC 5280 section 4.2.1.12). */
public enum CertificateUsage {
    /** Authentication of a server: {@code serverAuth}. */
    SERVER("1.3.6.1.5.5.7.3.1", "server authentication"),
    /** Authentication of a client: {@code clientAuth}. */
    CLIENT("1.3.6.1.5.5.7.3.2", "client authentication");

    /** {@code anyExtendedKeyUsage}: issued for every usage. */
    private static final String ANY = "2.5.29.37.0";

    private final String oid;
    private final String title;

    CertificateUsage(String oid, String title) {
        this.oid = oid;
        this.title = title;
    }

    /** Returns the object identifier, dotted. */
    public String oid() {
        return oid;
    }

    /** Returns the usage in words, for messages. */
    public String title() {
        return title;
    }

    /** Returns the title of the usage with an object identifier, or the identifier itself. */
    public static String title(String oid) {
        return Stream.of(values())
                .filter(usage -> usage.oid.equals(oid))
                .map(CertificateUsage::title)
                .findFirst()
                .orElse(oid);
    }

    /** Returns whether a certificate was issued for this usage: by its extended key usages, or without any. */
    public boolean isPermittedBy(X509Certificate certificate) {
        try {
            List<String> usages = certificate.getExtendedKeyUsage();
            return usages == null || usages.contains(oid) || usages.contains(ANY);
        } catch (CertificateParsingException _) {
            return false;
        }
    }
}
