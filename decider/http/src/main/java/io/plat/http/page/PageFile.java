package io.plat.http.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A file of the page. Immutable. */
public final class PageFile {
    private static final int TAG_LENGTH = 32;

    private final String contentType;
    private final byte[] bytes;
    private final String tag;

    PageFile(String contentType, byte[] bytes) {
        this.contentType = contentType;
        this.bytes = bytes.clone();
        this.tag = digest(bytes).substring(0, TAG_LENGTH);
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

    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
