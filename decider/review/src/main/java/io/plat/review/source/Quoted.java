package io.plat.review.source;

import java.util.HexFormat;
import java.util.PrimitiveIterator;

/**
 * Untrusted text made safe for messages, terminals, tables and pages: it cannot imitate other text, break its line, flood the output or control a
 * terminal.
 */
public final class Quoted {
    private static final int MAX_LENGTH = 120;
    private static final int MAX_LINE = 1024;

    /** Invisible letters, marks and symbols outside the unsafe categories. */
    private static final String INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0";

    /** Regular expression for a sequence of {@linkplain #isUnsafe unsafe} characters. */
    public static final String UNSAFE =
            "[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}" + INVISIBLE + "\ufe00-\ufe0f\\x{E0100}-\\x{E01EF}]+";

    private static final HexFormat UPPER = HexFormat.of().withUpperCase();

    private Quoted() {}

    /** Returns the text in double quotes, truncated after 120 characters; quotes, backslashes and unsafe characters are escaped. */
    public static String of(String text) {
        return quoted(text, MAX_LENGTH);
    }

    private static String quoted(String text, int maxLength) {
        StringBuilder quoted = new StringBuilder(Math.min(text.length(), maxLength) + 2).append('"');
        int end = end(text, maxLength);
        for (PrimitiveIterator.OfInt all = text.substring(0, end).codePoints().iterator(); all.hasNext(); ) {
            append(quoted, all.nextInt());
        }
        return quoted.append(end < text.length() ? "…\"" : "\"").toString();
    }

    /**
     * Returns a name for a line or a table: unchanged if it can only be read as this name, else in double quotes with escapes. Different names have
     * different texts, unless both have more than 1024 characters.
     */
    public static String name(String text) {
        boolean isPlain =
                isSafe(text) && text.length() <= MAX_LINE && !text.startsWith("\"") && text.equals(text.strip());
        return isPlain ? text : quoted(text, MAX_LINE);
    }

    /** Returns a text as one line: for messages of libraries and of other servers. Line breaks become spaces, other unsafe characters JSON escapes. */
    public static String oneLine(String text) {
        if (isSafe(text)) {
            return text.strip();
        }
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (Character.isWhitespace(c)) {
                line.append(' ');
            } else if (isUnsafe(c)) {
                escape(line, c, HexFormat.of());
            } else {
                line.appendCodePoint(c);
            }
        });
        return line.toString().strip();
    }

    /** Returns the text like {@link #oneLine(String)}, with a maximum number of characters; an ellipsis replaces the rest. */
    public static String oneLine(String text, int maxLength) {
        int end = end(text, maxLength);
        return end == text.length() ? oneLine(text) : oneLine(text.substring(0, end)) + "…";
    }

    /** Returns the text like {@link #oneLine(String)}, with at most 1024 characters. */
    public static String shortLine(String text) {
        return oneLine(text, MAX_LINE);
    }

    /** Returns a text as one line of HTML, for content and attributes. */
    public static String html(String text) {
        return oneLine(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static int end(String text, int maxLength) {
        boolean whole = text.length() <= maxLength;
        return whole ? text.length() : maxLength - (Character.isHighSurrogate(text.charAt(maxLength - 1)) ? 1 : 0);
    }

    /** Returns the text with its line breaks, and unsafe characters other than line feeds and tabs as JSON escapes. */
    public static String visible(String text) {
        if (isSafe(text)) {
            return text;
        }
        StringBuilder visible = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (isUnsafe(c) && c != '\n' && c != '\t') {
                escape(visible, c, UPPER);
            } else {
                visible.appendCodePoint(c);
            }
        });
        return visible.toString();
    }

    /** Returns whether no character of the text is unsafe. */
    public static boolean isSafe(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' || c > '~') && isUnsafe(text.codePointAt(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether a character controls a terminal, breaks the line, changes the text direction, or is invisible: control characters (C0,
     * C1), format characters (bidirectional overrides, zero-width characters, tags), separators of lines and paragraphs, lone surrogates,
     * private and unassigned characters, variation selectors.
     */
    public static boolean isUnsafe(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> INVISIBLE.indexOf(codePoint) >= 0 || isVariationSelector(codePoint);
        };
    }

    private static boolean isVariationSelector(int codePoint) {
        return (codePoint >= 0xFE00 && codePoint <= 0xFE0F) || (codePoint >= 0xE0100 && codePoint <= 0xE01EF);
    }

    private static void append(StringBuilder quoted, int c) {
        if (c == '"' || c == '\\') {
            quoted.append('\\').append((char) c);
        } else if (c == '\n') {
            quoted.append("\\n");
        } else if (c == '\t') {
            quoted.append("\\t");
        } else if (isUnsafe(c)) {
            escape(quoted, c, HexFormat.of());
        } else {
            quoted.appendCodePoint(c);
        }
    }

    private static void escape(StringBuilder text, int codePoint, HexFormat digits) {
        for (char unit : Character.toChars(codePoint)) {
            text.append("\\u").append(digits.toHexDigits(unit));
        }
    }
}
