package io.plat.http.page;

import io.plat.tls.files.Sha256;
import java.util.HexFormat;

/**
 * A file of the page.
 *
 * @param bytes the content; shared, not to be modified
 * @param tag the entity tag (RFC 9110, 8.8.3), without quotes
 */
@SuppressWarnings("ArrayRecordComponent")
public record PageFile(String contentType, byte[] bytes, String tag) {
    private static final int TAG_BYTES = 16;

    PageFile(String contentType, byte[] bytes) {
        this(contentType, bytes, HexFormat.of().formatHex(Sha256.of(bytes), 0, TAG_BYTES));
    }

    /** Returns whether the header {@code If-None-Match} matches this content. */
    public boolean isKnownBy(String ifNoneMatch) {
        return isKnown(tag, ifNoneMatch);
    }

    /** Returns whether the header {@code If-None-Match} matches a tag. */
    public static boolean isKnown(String tag, String ifNoneMatch) {
        for (String one : ifNoneMatch.split(",", -1)) {
            String known = one.strip();
            if (known.equals("*") || known.equals("\"" + tag + "\"") || known.equals("W/\"" + tag + "\"")) {
                return true;
            }
        }
        return false;
    }
}
