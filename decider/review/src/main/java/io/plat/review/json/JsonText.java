package io.plat.review.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Locale;

/** Texts on their way into and out of JSON. */
public final class JsonText {
    private JsonText() {}

    /** Whether the text has a form in UTF-8: every surrogate is one of a pair. */
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

    /** The text with every unpaired surrogate replaced by U+FFFD, as the field's own writers do; mostly the text itself. */
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

    /** What is malformed, in one line that starts in lower case and says nothing about this program. */
    public static String message(JsonProcessingException e) {
        String message = String.valueOf(e.getOriginalMessage());
        int internal = message.indexOf(" (start marker");
        if (internal < 0) {
            internal = message.indexOf(" (for ");
        }
        if (internal < 0) {
            internal = message.indexOf(" (`Stream");
        }
        if (internal >= 0) {
            message = message.substring(0, internal);
        }
        String line = message.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.isEmpty() ? "malformed" : line.substring(0, 1).toLowerCase(Locale.ROOT) + line.substring(1);
    }
}
