package io.plat.apiserver.representation.binary;

import java.util.Arrays;

/**
 * Writes a message in the wire format of protocol buffers, front to back, without knowing the length of a nested message
 * before it has ended.
 *
 * <p>A length stands before what it measures and has a variable size itself. So lengths are left out at first and only
 * noted, with their places; {@link #copyTo} puts them in while it makes the one copy that is needed anyway.
 */
final class WireWriter {
    private static final int FIRST_MARKS = 32;

    /** Lengths below it take one byte. */
    private static final int ONE_BYTE_LENGTHS = 0x80;

    private byte[] bytes;
    private int size;

    /** The places of the left-out lengths, in the order in which their messages began, and so by position. */
    private int[] places = new int[FIRST_MARKS];

    /** The lengths; while a message is open, how many bytes the lengths noted before it will take. */
    private int[] lengths = new int[FIRST_MARKS];

    private int marks;
    private int lengthBytes;

    WireWriter(int firstSize) {
        bytes = new byte[Math.max(firstSize, 16)];
    }

    /** Begins anew; the arrays stay. */
    void reset() {
        size = 0;
        marks = 0;
        lengthBytes = 0;
    }

    /** How many bytes {@link #copyTo} will write. Only meaningful when every opened message is closed. */
    int encodedSize() {
        return Math.addExact(size, lengthBytes);
    }

    /** How many bytes a number takes. */
    static int varintSize(long value) {
        return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }

    /** Writes a field's number and wire type, or any other small number that is not negative. */
    void tag(int tag) {
        varint(tag & 0xffff_ffffL);
    }

    /** Writes a number; a negative one takes ten bytes. */
    void varint(long value) {
        reserve(10);
        size = varint(bytes, size, value);
    }

    private static int varint(byte[] to, int at, long value) {
        int next = at;
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            to[next++] = (byte) ((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        to[next++] = (byte) rest;
        return next;
    }

    /** Writes eight bytes, the lowest first. */
    void fixed64(long value) {
        reserve(8);
        for (int i = 0; i < 8; i++) {
            bytes[size++] = (byte) (value >>> (8 * i));
        }
    }

    /** Writes a block: its length and its bytes. */
    void block(byte[] from, int start, int length) {
        varint(length);
        reserve(length);
        System.arraycopy(from, start, bytes, size, length);
        size += length;
    }

    /** Writes characters as a block of UTF-8. */
    void text(char[] from, int start, int length) {
        if (length < ONE_BYTE_LENGTHS && shortAscii(from, start, length)) {
            return;
        }
        int encoded = Utf8.size(from, start, length);
        varint(encoded);
        reserve(encoded);
        Utf8.write(from, start, length, bytes, size);
        size += encoded;
    }

    /** Writes what nearly all text is: short and ASCII; writes nothing where it is not. */
    private boolean shortAscii(char[] from, int start, int length) {
        reserve(length + 1);
        bytes[size] = (byte) length;
        int to = size + 1;
        int all = 0;
        for (int i = 0; i < length; i++) {
            char c = from[start + i];
            all |= c;
            bytes[to + i] = (byte) c;
        }
        if (all >= 0x80) {
            return false;
        }
        size = to + length;
        return true;
    }

    /** Writes a string as a block of UTF-8. */
    void text(String value) {
        char[] characters = value.toCharArray();
        text(characters, 0, characters.length);
    }

    /** Begins a nested message, after its tag. */
    int open() {
        if (marks == places.length) {
            places = Arrays.copyOf(places, marks * 2);
            lengths = Arrays.copyOf(lengths, marks * 2);
        }
        places[marks] = size;
        lengths[marks] = lengthBytes;
        return marks++;
    }

    /** Ends the nested message that {@link #open} began. */
    void close(int mark) {
        int length = (size - places[mark]) + (lengthBytes - lengths[mark]);
        lengths[mark] = length;
        lengthBytes += varintSize(length);
    }

    /** Writes what another writer holds, as the content of a nested message. */
    void nested(int tag, WireWriter content) {
        tag(tag);
        int mark = open();
        reserve(content.size);
        System.arraycopy(content.bytes, 0, bytes, size, content.size);
        for (int i = 0; i < content.marks; i++) {
            int copied = open();
            places[copied] = size + content.places[i];
            lengths[copied] = content.lengths[i];
        }
        size += content.size;
        lengthBytes += content.lengthBytes;
        close(mark);
    }

    /** Copies everything into an array, lengths included, and returns the index behind it. */
    int copyTo(byte[] target, int start) {
        int at = start;
        int from = 0;
        for (int i = 0; i < marks; i++) {
            int stretch = places[i] - from;
            System.arraycopy(bytes, from, target, at, stretch);
            from = places[i];
            at = varint(target, at + stretch, lengths[i]);
        }
        System.arraycopy(bytes, from, target, at, size - from);
        return at + size - from;
    }

    private void reserve(int count) {
        int needed = Math.addExact(size, count);
        if (needed > bytes.length) {
            long doubled = Math.min(bytes.length * 2L, Integer.MAX_VALUE - 8L);
            bytes = Arrays.copyOf(bytes, (int) Math.max(needed, doubled));
        }
    }
}
