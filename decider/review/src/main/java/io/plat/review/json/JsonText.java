package io.plat.review.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Conversion of strings and messages for JSON. */
public final class JsonText {
    /** Replacements for parser messages that name internals: features, limits, tables and locations. The last one matches all others. */
    private static final List<Rewording> REWORDINGS = List.of(
            Rewording.of(
                    "^(Longest collision chain|Spill-over slots) in symbol table.*",
                    "too many member names with the same hash"),
            Rewording.of(", from `[^`]*`", ""),
            Rewording.of(": enable `[^`]*` to allow.*", ""),
            Rewording.of(" \\(consider enabling .*?\\)\\)", ""),
            Rewording.of(" \\(not recognized as one since Feature [^)]*\\)", ""),
            Rewording.of(" \\(start marker at .*", ""),
            Rewording.of(" \\(for \\w+ starting at .*", ""),
            Rewording.of("\\n at \\[Source: .*", ""),
            Rewording.of("[ :.,(-]*[^:.,(]*`(Stream|Json)\\w+\\..*", ""));

    private JsonText() {}

    /** Returns whether the text can be encoded in UTF-8: all surrogates are paired. */
    public static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean paired = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!paired) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /** Returns the text with every unpaired surrogate replaced by U+FFFD, as in Kubernetes; usually the text itself. */
    public static String wellFormed(String text) {
        if (isWellFormed(text)) {
            return text;
        }
        StringBuilder replaced = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
                .forEach(replaced::appendCodePoint);
        return replaced.toString();
    }

    /**
     * Returns a string as a JSON literal, including quotes. Characters that YAML treats as line breaks or rejects are escaped too, so that the
     * literal has the same value in YAML.
     */
    public static String quoted(String text) {
        return quote(text, new StringBuilder(text.length() + 2)).toString();
    }

    /**
     * Appends a string as a JSON literal, like {@link #quoted}.
     *
     * @return the argument
     */
    public static StringBuilder quote(String text, StringBuilder json) {
        json.append('"');
        int written = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean unprintable = isUnprintable(c);
            if (unprintable || c == '"' || c == '\\') {
                json.append(text, written, i).append(unprintable ? String.format("\\u%04x", (int) c) : "\\" + c);
                written = i + 1;
            }
        }
        return json.append(text, written, text.length()).append('"');
    }

    private static boolean isUnprintable(char c) {
        return c < ' ' || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c >= 0xFFFE;
    }

    /** Returns the problem in one line that starts in lower case, without internals of this program. */
    public static String message(JsonProcessingException e) {
        String message = String.valueOf(e.getOriginalMessage());
        for (Rewording rewording : REWORDINGS) {
            message = rewording.internal.matcher(message).replaceAll(rewording.replacement);
        }
        String line = wellFormed(message)
                .replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", " ")
                .strip();
        return line.isEmpty() ? "malformed" : line.substring(0, 1).toLowerCase(Locale.ROOT) + line.substring(1);
    }

    private record Rewording(Pattern internal, String replacement) {
        private static Rewording of(String internal, String replacement) {
            return new Rewording(Pattern.compile(internal, Pattern.DOTALL), replacement);
        }
    }
}
