package io.plat.review.source;

/** User input as it appears in a message: quoted, on one line, and short, so that a message can't be forged or flooded. */
public final class Quoted {
    private static final int LONGEST = 120;

    private Quoted() {}

    /** The text in double quotes, cut after 120 characters; quotes, backslashes and control characters are escaped. */
    public static String of(String text) {
        StringBuilder quoted = new StringBuilder(Math.min(text.length(), LONGEST) + 2).append('"');
        int end = Math.min(text.length(), LONGEST);
        if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        for (int i = 0; i < end; i++) {
            append(quoted, text.charAt(i));
        }
        return quoted.append(end < text.length() ? "…\"" : "\"").toString();
    }

    /** The text with everything that would leave the line replaced by a space: for messages of libraries and of other servers. */
    public static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            line.append(breaksLine(c) ? ' ' : c);
        }
        return line.toString().strip();
    }

    private static void append(StringBuilder quoted, char c) {
        if (c == '"' || c == '\\') {
            quoted.append('\\').append(c);
        } else if (c == '\n') {
            quoted.append("\\n");
        } else if (c == '\t') {
            quoted.append("\\t");
        } else if (breaksLine(c)) {
            quoted.append(String.format("\\u%04x", (int) c));
        } else {
            quoted.append(c);
        }
    }

    private static boolean breaksLine(char c) {
        int type = Character.getType(c);
        return Character.isISOControl(c)
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.FORMAT;
    }
}
