package io.plat.cli.output;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which characters of a JSON document are written as escapes: those that JSON demands, and those besides that a terminal obeys or
 * breaks a line at. The document stays the same.
 */
final class TerminalEscapes extends CharacterEscapes {
    private static final long serialVersionUID = 1L;

    private static final int DELETE = 0x7f;

    @Override
    public int[] getEscapeCodesForAscii() {
        int[] codes = CharacterEscapes.standardAsciiEscapesForJSON();
        codes[DELETE] = CharacterEscapes.ESCAPE_STANDARD;
        return codes;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
        int type = Character.getType(character);
        boolean obeyed =
                type == Character.CONTROL || type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR;
        return obeyed ? new SerializedString(String.format(Locale.ROOT, "\\u%04X", character)) : null;
    }
}
