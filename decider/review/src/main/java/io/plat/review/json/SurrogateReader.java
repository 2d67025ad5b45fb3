package io.plat.review.json;

import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;

/**
 * JSON text in which an escape of an unpaired surrogate represents U+FFFD, as in Go's decoder: everything that is parsed can be encoded again
 * (RFC 8259, section 8.2). Each replacement has the length of what it replaces.
 */
final class SurrogateReader extends Reader {
    private static final int ESCAPE = 6;
    private static final int PAIR = 2 * ESCAPE;
    private static final int NONE = -1;
    private static final int INCOMPLETE = -2;
    private static final String REPLACEMENT = "\\ufffd";

    private final Reader in;

    /** The beginning of an escape, or pair of escapes, at the end of the text that was read. */
    private char[] pending = {};

    SurrogateReader(Reader in) {
        this.in = in;
    }

    @Override
    public int read(char[] into, int from, int length) throws IOException {
        if (length < PAIR) {
            throw new IllegalArgumentException("a buffer shorter than a pair of escapes");
        }
        int held = pending.length;
        System.arraycopy(pending, 0, into, from, held);
        int count = in.read(into, from + held, length - held);
        if (count < 0) {
            pending = new char[] {};
            replace(into, from, from + held, true);
            return held == 0 ? -1 : held;
        }
        int until = from + held + count;
        int whole = replace(into, from, until, false);
        pending = Arrays.copyOfRange(into, whole, until);
        return whole > from ? whole - from : read(into, from, length);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /**
     * Replaces the escapes of unpaired surrogates.
     *
     * @param end whether the text ends there, in which case an incomplete escape stays as it is
     * @return the end of what is complete
     */
    static int replace(char[] text, int from, int until, boolean end) {
        int i = from;
        while (i < until) {
            if (text[i] != '\\') {
                i++;
                continue;
            }
            int unit = unit(text, i, until);
            if (unit == INCOMPLETE && !end) {
                return i;
            }
            if (unit < Character.MIN_SURROGATE || unit > Character.MAX_SURROGATE) {
                i += 2;
                continue;
            }
            int low = Character.isHighSurrogate((char) unit) ? unit(text, i + ESCAPE, until) : NONE;
            if (low == INCOMPLETE && !end) {
                return i;
            }
            if (low >= Character.MIN_LOW_SURROGATE && low <= Character.MAX_LOW_SURROGATE) {
                i += PAIR;
                continue;
            }
            REPLACEMENT.getChars(0, ESCAPE, text, i);
            i += ESCAPE;
        }
        return Math.min(i, until);
    }

    /** Returns the code unit that is escaped at a place; {@link #NONE} if there is no such escape, {@link #INCOMPLETE} if it may go on. */
    private static int unit(char[] text, int at, int until) {
        int unit = 0;
        for (int i = 0; i < ESCAPE; i++) {
            if (at + i >= until) {
                return INCOMPLETE;
            }
            char c = text[at + i];
            int digit = i < 2 ? 0 : Character.digit(c, 16);
            if (i == 0 ? c != '\\' : i == 1 ? c != 'u' : digit < 0) {
                return NONE;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }
}
