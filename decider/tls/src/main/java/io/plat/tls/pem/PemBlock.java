package io.plat.tls.pem;

/**
 * One encapsulated text: what stands between a BEGIN and its END line.
 *
 * <p>No record: the content may be a private key and must not get into a {@code toString}.
 */
final class PemBlock {
    private final String label;
    private final int line;
    private final boolean encrypted;
    private final byte[] content;

    /**
     * A block.
     *
     * @param label the type, for example {@code CERTIFICATE}
     * @param line the line of BEGIN
     * @param encrypted whether its headers say so (the form of RFC 1421 that OpenSSL writes)
     * @param content the decoded bytes
     */
    PemBlock(String label, int line, boolean encrypted, byte[] content) {
        this.label = label;
        this.line = line;
        this.encrypted = encrypted;
        this.content = content;
    }

    String label() {
        return label;
    }

    int line() {
        return line;
    }

    boolean encrypted() {
        return encrypted;
    }

    byte[] content() {
        return content;
    }

    @Override
    public String toString() {
        return label + " at line " + line;
    }
}
