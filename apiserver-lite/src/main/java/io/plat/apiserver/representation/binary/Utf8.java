package io.plat.apiserver.representation.binary;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Text in the wire format: well-formed UTF-8 and nothing else. */
final class Utf8 {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private Utf8() {}

    /** Whether a stretch of bytes is well-formed: no overlong form, no surrogate, nothing beyond U+10FFFF, nothing cut off. */
    static boolean valid(byte[] bytes, int start, int end) {
        int at = start;
        while (at < end) {
            if (end - at >= 8 && ((long) EIGHT.get(bytes, at) & HIGH_BITS) == 0) {
                at += 8;
            } else if (bytes[at] >= 0) {
                at++;
            } else {
                int length = sequence(bytes, at, end);
                if (length == 0) {
                    return false;
                }
                at += length;
            }
        }
        return true;
    }

    /** The length of the well-formed sequence of two to four bytes at an index; 0 where there is none. */
    private static int sequence(byte[] bytes, int at, int end) {
        int lead = bytes[at] & 0xff;
        int length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
        if (length == 0 || end - at < length) {
            return 0;
        }
        int second = bytes[at + 1] & 0xff;
        int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    /** How many bytes characters take; half of a surrogate pair counts as U+FFFD, which will stand for it. */
    static int size(char[] from, int start, int length) {
        int size = length;
        int end = start + length;
        for (int i = start; i < end; i++) {
            char c = from[i];
            if (c >= 0x80) {
                if (c < 0x800) {
                    size++;
                } else {
                    size += 2;
                    if (pair(from, i, end)) {
                        i++;
                    }
                }
            }
        }
        return size;
    }

    /** Writes characters, into as many bytes as {@link #size} says. */
    static void write(char[] from, int start, int length, byte[] to, int at) {
        int next = at;
        int end = start + length;
        for (int i = start; i < end; i++) {
            char c = from[i];
            if (c < 0x80) {
                to[next++] = (byte) c;
            } else if (c < 0x800) {
                to[next++] = (byte) (0xc0 | (c >> 6));
                to[next++] = continuation(c);
            } else if (pair(from, i, end)) {
                int point = Character.toCodePoint(c, from[++i]);
                to[next++] = (byte) (0xf0 | (point >> 18));
                to[next++] = continuation(point >> 12);
                to[next++] = continuation(point >> 6);
                to[next++] = continuation(point);
            } else {
                int point = Character.isSurrogate(c) ? 0xfffd : c;
                to[next++] = (byte) (0xe0 | (point >> 12));
                to[next++] = continuation(point >> 6);
                to[next++] = continuation(point);
            }
        }
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | (bits & 0x3f));
    }

    private static boolean pair(char[] from, int at, int end) {
        return Character.isHighSurrogate(from[at]) && at + 1 < end && Character.isLowSurrogate(from[at + 1]);
    }
}
