package io.plat.review.request;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Strict percent-decoding (RFC 3986, 2.1) of UTF-8. */
public final class PercentDecoding {
    private PercentDecoding() {}

    /**
     * Decodes once.
     *
     * @param raw encoded text
     * @param plusIsSpace whether {@code +} denotes a space, as in form queries
     * @return the text, or empty for an incomplete escape, an unescaped special character or malformed UTF-8
     */
    public static Optional<String> decode(String raw, boolean plusIsSpace) {
        ByteBuffer bytes = ByteBuffer.allocate(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                int octet = i + 2 < raw.length() ? octet(raw.charAt(i + 1), raw.charAt(i + 2)) : -1;
                if (octet < 0) {
                    return Optional.empty();
                }
                bytes.put((byte) octet);
                i += 2;
            } else if (c <= ' ' || c >= 0x7f) {
                return Optional.empty();
            } else {
                bytes.put((byte) (plusIsSpace && c == '+' ? ' ' : c));
            }
        }
        return utf8(bytes.flip());
    }

    private static int octet(char high, char low) {
        int h = high < 0x80 ? Character.digit(high, 16) : -1;
        int l = low < 0x80 ? Character.digit(low, 16) : -1;
        return h < 0 || l < 0 ? -1 : h << 4 | l;
    }

    private static Optional<String> utf8(ByteBuffer bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(bytes)
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
