package io.plat.http.page;

import io.plat.tls.files.Sha256;
import java.util.HexFormat;

/** A file of the page. Immutable. */
public final class PageFile {
    private static final int TAG_BYTES = 16;

    private final String contentType;
    private final byte[] bytes;
    private final String tag;

    PageFile(String contentType, byte[] bytes) {
        this.contentType = contentType;
        this.bytes = bytes.clone();
        this.tag = HexFormat.of().formatHex(Sha256.of(bytes), 0, TAG_BYTES);
    }

    public String contentType() {
        return contentType;
    }

    /** Returns the content; not to be modified. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the entity tag (RFC 9110, 8.8.3), without quotes. */
    public String tag() {
        return tag;
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
