package io.plat.tls.pem;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parser of the blocks of a PEM text.
 *
 * <p>Text outside of blocks is explanation (RFC 7468 section 5.2) and skipped. A block that does not end, or whose content is not base64, makes the
 * whole source invalid: a file that is being written must not be taken for a shorter one.
 */
final class PemScanner {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    private final String source;
    private final List<PemBlock> blocks = new ArrayList<>();
    private final StringBuilder base64 = new StringBuilder();
    private @Nullable String label;
    private int begin;
    private boolean encrypted;

    private PemScanner(String source) {
        this.source = source;
    }

    /** Returns every block, in order; empty if the text has none. */
    static List<PemBlock> scan(PemSource source) throws PemException {
        // Latin-1 has one character per byte: non-base64 content is then rejected below, with its line.
        String text = new String(source.read(), StandardCharsets.ISO_8859_1);
        PemScanner scanner = new PemScanner(source.name());
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            scanner.line(++number, line.strip());
        }
        return scanner.finish();
    }

    private void line(int number, String line) throws PemException {
        if (line.startsWith(BEGIN)) {
            begin(number, line);
        } else if (label == null) {
            return;
        } else if (line.startsWith(END)) {
            end(number, line, label);
        } else if (line.contains(":")) {
            encrypted |= line.startsWith("Proc-Type:") && line.contains("ENCRYPTED");
        } else {
            base64.append(line);
        }
    }

    private void begin(int number, String line) throws PemException {
        if (label != null) {
            throw new PemException(
                    source, number, "another BEGIN, expected the END of the '" + label + "' of line " + begin);
        }
        if (!line.endsWith(DASHES) || line.length() < BEGIN.length() + DASHES.length()) {
            throw new PemException(source, number, "BEGIN line is cut short, expected '-----BEGIN TYPE-----'");
        }
        label = line.substring(BEGIN.length(), line.length() - DASHES.length());
        begin = number;
        encrypted = false;
        base64.setLength(0);
    }

    private void end(int number, String line, String open) throws PemException {
        if (!line.equals(END + open + DASHES)) {
            throw new PemException(source, number, "expected '" + END + open + DASHES + "'");
        }
        blocks.add(new PemBlock(open, begin, encrypted, decode(open)));
        label = null;
    }

    private byte[] decode(String open) throws PemException {
        byte[] content;
        try {
            content = Base64.getDecoder().decode(base64.toString());
        } catch (IllegalArgumentException _) {
            throw new PemException(source, begin, "the content of this '" + open + "' is not base64");
        }
        if (content.length == 0) {
            throw new PemException(source, begin, "this '" + open + "' is empty");
        }
        return content;
    }

    private List<PemBlock> finish() throws PemException {
        if (label != null) {
            throw new PemException(source, begin, "this '" + label + "' has no END line, the file is incomplete");
        }
        return blocks;
    }

    /** Returns a description of the content, for a message that expected another. */
    static String describe(List<PemBlock> blocks) {
        if (blocks.isEmpty()) {
            return "no PEM block";
        }
        return "'"
                + String.join(
                        "', '",
                        blocks.stream().map(PemBlock::label).distinct().limit(5).toList()) + "'";
    }

    /**
     * One encapsulated text: the content between a BEGIN and its END line.
     *
     * @param label the type, for example {@code CERTIFICATE}
     * @param line the line of BEGIN
     * @param encrypted whether its headers declare encryption (the form of RFC 1421 that OpenSSL writes)
     * @param content the decoded bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and only read by this package
    record PemBlock(String label, int line, boolean encrypted, byte[] content) {
        /** Omits the content, which may be a private key. */
        @Override
        public String toString() {
            return label + " at line " + line;
        }
    }
}
