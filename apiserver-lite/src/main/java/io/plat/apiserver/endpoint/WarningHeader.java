package io.plat.apiserver.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code Warning} header, with which kube-apiserver reports warnings about successful requests (RFC 9111 has dropped the field since).
 * Its size is bounded as in kube-apiserver: if all texts together are too long, each is truncated, and the remaining excess is omitted.
 */
public final class WarningHeader {
    public static final String NAME = "Warning";

    /** Maximum total length of all texts, in characters. */
    private static final int MAX_TOTAL_LENGTH = 4096;

    /** Maximum length of each text when truncated, in characters. */
    private static final int MAX_TEXT_LENGTH = 256;

    private WarningHeader() {}

    /** Returns the header values: one for each distinct text. */
    public static List<String> values(List<String> texts) {
        List<String> distinct = texts.stream().distinct().toList();
        long all = distinct.stream().mapToLong(String::length).sum();
        int each = all <= MAX_TOTAL_LENGTH ? MAX_TOTAL_LENGTH : MAX_TEXT_LENGTH;
        List<String> values = new ArrayList<>();
        int written = 0;
        for (String text : distinct) {
            if (written >= MAX_TOTAL_LENGTH) {
                break;
            }
            String part = text.substring(0, Math.min(text.length(), each));
            written += part.length();
            values.add(value(part));
        }
        return values;
    }

    private static String value(String text) {
        StringBuilder quoted = new StringBuilder("299 - \"");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b == '"' || b == '\\') {
                quoted.append('\\').append((char) b);
            } else {
                // A header contains no line ends, and non-ASCII characters have no agreed meaning in it.
                quoted.append(b >= ' ' && b < 0x7f ? (char) b : '?');
            }
        }
        return quoted.append('"').toString();
    }
}
