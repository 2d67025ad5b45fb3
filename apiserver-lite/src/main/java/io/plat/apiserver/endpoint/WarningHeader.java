package io.plat.apiserver.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The header field {@code Warning}, by which existing servers tell their clients what is doubtful about a request that succeeded (RFC
 * 9111 has dropped the field since). Its size is bounded as theirs is: where all texts together are too long each is cut, and what is
 * then still too much is left out.
 */
public final class WarningHeader {
    public static final String NAME = "Warning";

    /** How long all texts are together, in characters. */
    private static final int MOST = 4096;

    /** How long each of many is, in characters. */
    private static final int MOST_OF_EACH = 256;

    private WarningHeader() {}

    /** The values of the field: one for each text, none twice. */
    public static List<String> values(List<String> texts) {
        List<String> distinct = texts.stream().distinct().toList();
        long all = distinct.stream().mapToLong(String::length).sum();
        int each = all <= MOST ? MOST : MOST_OF_EACH;
        List<String> values = new ArrayList<>();
        int written = 0;
        for (String text : distinct) {
            if (written >= MOST) {
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
                // A header field holds no line ends, and what is not ASCII has no agreed meaning there.
                quoted.append(b >= ' ' && b < 0x7f ? (char) b : '?');
            }
        }
        return quoted.append('"').toString();
    }
}
