package io.plat.http.testing;

import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** An HTTP response as received. */
public record RawAnswer(String statusLine, List<String> fields, String text) {
    public int code() {
        return Integer.parseInt(statusLine.substring(9, 12));
    }

    public Optional<String> field(String name) {
        String prefix = name.toLowerCase(Locale.ROOT) + ":";
        return fields.stream()
                .filter(field -> field.toLowerCase(Locale.ROOT).startsWith(prefix))
                .map(field -> field.substring(prefix.length()).strip())
                .findFirst();
    }

    public Status status() {
        return StatusCodec.decode(text.getBytes(StandardCharsets.UTF_8))
                .orElseThrow(() -> new AssertionError("no Status: " + text));
    }

    /** Reads one response; {@code withBody} is false for responses to HEAD. */
    public static RawAnswer read(InputStream in, boolean withBody) throws IOException {
        String statusLine = line(in);
        List<String> fields = new ArrayList<>();
        for (String field = line(in); !field.isEmpty(); field = line(in)) {
            fields.add(field);
        }
        RawAnswer head = new RawAnswer(statusLine, fields, "");
        return withBody
                ? new RawAnswer(statusLine, fields, new String(head.readBody(in), StandardCharsets.UTF_8))
                : head;
    }

    private byte[] readBody(InputStream in) throws IOException {
        Optional<String> length = field("Content-Length");
        if (length.isPresent()) {
            return in.readNBytes(Integer.parseInt(length.get()));
        }
        if (field("Transfer-Encoding").isEmpty()) {
            return field("Connection").filter("close"::equals).isPresent() ? in.readAllBytes() : new byte[0];
        }
        StringBuilder text = new StringBuilder();
        for (int size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
            text.append(new String(in.readNBytes(size), StandardCharsets.ISO_8859_1));
            line(in);
        }
        line(in);
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("closed after \"" + line + "\"");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
