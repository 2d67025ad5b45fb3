package io.plat.tls.pem;

/**
 * One encapsulated text: the content between a BEGIN and its END line.
 *
 * @param label the type, for example {@code CERTIFICATE}
 * @param line the line of BEGIN
 * @param encrypted whether its headers declare encryption (the form of RFC 1421 that OpenSSL writes)
 * @param content the decoded bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and read by this package only
record PemBlock(String label, int line, boolean encrypted, byte[] content) {
    /** Without the content: it may be a private key. */
    @Override
    public String toString() {
        return label + " at line " + line;
    }
}
