package io.plat.client.remote;

/** Untrusted text made safe for one line of a message: short, without control, format and other invisible characters. */
public final class SanitizedText {
    private static final int MAX_LENGTH = 1024;

    private SanitizedText() {}

    /** Returns the text in one line of at most 1024 characters; unsafe characters are replaced by spaces. */
    public static String of(String text) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), MAX_LENGTH) + 1);
        text.codePoints().limit(MAX_LENGTH).forEach(c -> line.appendCodePoint(isUnsafe(c) ? ' ' : c));
        return text.codePointCount(0, text.length()) > MAX_LENGTH
                ? line.toString().strip() + "…"
                : line.toString().strip();
    }

    /** Returns the same in double quotes. */
    static String quoted(String text) {
        return '"' + of(text).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static boolean isUnsafe(int c) {
        if (c >= ' ' && c <= '~') {
            return false;
        }
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.PRIVATE_USE
                || type == Character.UNASSIGNED
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
