package io.plat.cli.drill;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Response on a plain connection, as far as it was read.
 *
 * @param code the status code, 0 if it was not HTTP
 * @param text all of it
 */
record RawResponse(int code, String text) {
    private static final int MAX = 256 << 10;
    private static final Pattern STATUS = Pattern.compile("^HTTP/1\\.[01] ([0-9]{3})");
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *([0-9]{1,9})");
    private static final Pattern ALLOWED = Pattern.compile("\"allowed\"\\s*:\\s*true");

    /** Reads until the response is complete, the connection ends or a timeout. */
    static RawResponse read(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] piece = new byte[16 << 10];
        try {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                bytes.write(piece, 0, read);
                if (bytes.size() > MAX || isComplete(bytes.toString(StandardCharsets.ISO_8859_1))) {
                    break;
                }
            }
        } catch (IOException cut) {
            if (bytes.size() == 0) {
                throw cut;
            }
        }
        return of(bytes.toString(StandardCharsets.UTF_8));
    }

    private static RawResponse of(String text) {
        Matcher status = STATUS.matcher(text);
        return new RawResponse(status.find() ? Integer.parseInt(status.group(1)) : 0, text);
    }

    private static boolean isComplete(String text) {
        int head = text.indexOf("\r\n\r\n");
        if (head < 0) {
            return false;
        }
        if (text.startsWith("HTTP/1.1 100") || text.startsWith("HTTP/1.1 204") || text.startsWith("HTTP/1.1 304")) {
            return !text.startsWith("HTTP/1.1 100");
        }
        Matcher length = LENGTH.matcher(text.substring(0, head + 2));
        return length.find()
                ? text.length() >= head + 4 + Integer.parseInt(length.group(1))
                : text.endsWith("0\r\n\r\n");
    }

    boolean succeeded() {
        return code >= 200 && code < 300;
    }

    /** Returns whether it is a success that allows something. */
    boolean allows() {
        return succeeded() && ALLOWED.matcher(text).find();
    }

    /** Its first line, and of a success whether it allows something. */
    String summary() {
        return firstLine() + (succeeded() ? allows() ? ", allowed" : ", not allowed" : "");
    }

    String firstLine() {
        if (code == 0) {
            return text.isEmpty() ? "no answer" : "no HTTP";
        }
        return text.lines().findFirst().orElse("");
    }
}
