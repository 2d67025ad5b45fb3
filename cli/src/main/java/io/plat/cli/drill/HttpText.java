package io.plat.cli.drill;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reader of HTTP/1.1 messages on plain connections, as text: a character for each byte. */
final class HttpText {
    private static final int MAX_BYTES = 1 << 20;
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *([0-9]{1,9})");
    private static final Pattern BODILESS = Pattern.compile("HTTP/1\\.1 (?:204|304)");

    /** The first byte of a TLS ClientHello (RFC 8446, section 5.1). */
    private static final char TLS_HANDSHAKE = 22;

    private HttpText() {}

    /**
     * Reads until a message is complete, the connection ends or a timeout.
     *
     * @return what was read, possibly incomplete; of a TLS greeting only its beginning
     * @throws IOException if nothing could be read
     */
    static String read(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] piece = new byte[16 << 10];
        try {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                bytes.write(piece, 0, read);
                if (bytes.size() > MAX_BYTES || isComplete(text(bytes))) {
                    break;
                }
            }
        } catch (IOException aborted) {
            if (bytes.size() == 0) {
                throw aborted;
            }
        }
        return text(bytes);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    private static boolean isComplete(String text) {
        if (text.charAt(0) == TLS_HANDSHAKE) {
            return true;
        }
        int head = text.indexOf("\r\n\r\n");
        if (head < 0) {
            return false;
        }
        String fields = text.substring(0, head + 2);
        Matcher length = LENGTH.matcher(fields);
        if (length.find()) {
            return text.length() >= head + 4 + Integer.parseInt(length.group(1));
        }
        if (fields.toLowerCase(Locale.ROOT).contains("chunked")) {
            return text.endsWith("0\r\n\r\n");
        }
        // A response without a length ends with the connection.
        return !text.startsWith("HTTP/") || BODILESS.matcher(text).lookingAt();
    }
}
