package io.plat.tls.x509;

/** Purpose of a certificate (extended key usages of RFC 5280 section 4.2.1.12). */
public enum CertificateUsage {
    /** Authentication of a server: {@code serverAuth}. */
    SERVER("1.3.6.1.5.5.7.3.1", "server authentication"),
    /** Authentication of a client: {@code clientAuth}. */
    CLIENT("1.3.6.1.5.5.7.3.2", "client authentication");

    /** {@code anyExtendedKeyUsage}: issued for every usage. */
    public static final String ANY = "2.5.29.37.0";

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
}
