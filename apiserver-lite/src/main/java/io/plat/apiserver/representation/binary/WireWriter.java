package io.plat.apiserver.representation.binary;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Sequential protobuf writer, for one pass over JSON. Unlike protobuf's own output, it need not know the length of a nested message in
 * advance: one byte is reserved for the length, and the message is shifted if that needs more.
 */
final class WireWriter {
    /** Lengths below it take one byte. */
    private static final int ONE_BYTE_LENGTHS = 0x80;

    /** Replacement for an unpaired surrogate: U+FFFD. */
    private static final byte[] REPLACEMENT = {(byte) 0xef, (byte) 0xbf, (byte) 0xbd};

    private byte[] bytes;
    private int size;

    WireWriter(int firstSize) {
        bytes = new byte[Math.max(firstSize, 16)];
    }

    void reset() {
        size = 0;
    }

    int size() {
        return size;
    }

    /** Written bytes between two positions, and their sort key. */
    record Part(String key, int start, int end) {}

    /** Sorts adjacent parts, the last of which ends here: kube-apiserver sorts the entries of maps. */
    void sort(List<Part> parts) {
        List<Part> sorted =
                parts.stream().sorted(Comparator.comparing(Part::key)).toList();
        if (!sorted.equals(parts)) {
            int first = parts.getFirst().start();
            byte[] unsorted = Arrays.copyOfRange(bytes, first, size);
            size = first;
            for (Part part : sorted) {
                int length = part.end() - part.start();
                System.arraycopy(unsorted, part.start() - first, bytes, size, length);
                size += length;
            }
        }
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** Writes a number, such as a tag; a negative one takes ten bytes. */
    void varint(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) ((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /** Writes eight bytes in little-endian order. */
    void fixed64(long value) {
        reserve(8);
        for (int i = 0; i < 8; i++) {
            bytes[size++] = (byte) (value >>> (8 * i));
        }
    }

    /** Writes length-prefixed bytes. */
    void block(byte[] from) {
        block(from, from.length);
    }

    private void block(byte[] from, int length) {
        varint(length);
        reserve(length);
        System.arraycopy(from, 0, bytes, size, length);
        size += length;
    }

    void nested(int tag, WireWriter content) {
        varint(tag);
        block(content.bytes, content.size);
    }

    /** Writes characters as a length-prefixed UTF-8 string. */
    void text(char[] from, int start, int length) {
        if (length < ONE_BYTE_LENGTHS && shortAscii(from, start, length)) {
            return;
        }
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8
                    .newEncoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .replaceWith(REPLACEMENT)
                    .encode(CharBuffer.wrap(from, start, length));
            var bytesOfText = new byte[encoded.remaining()];
            encoded.get(bytesOfText);
            block(bytesOfText);
        } catch (CharacterCodingException e) {
            throw new IllegalStateException("malformed characters are replaced", e);
        }
    }

    /** Writes a string if it is short and ASCII, as nearly all are; returns false and writes nothing otherwise. */
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

    /** Writes a length-prefixed UTF-8 string. */
    void text(String value) {
        text(value.toCharArray(), 0, value.length());
    }

    /** Starts a nested message, after its tag. */
    int open() {
        reserve(1);
        return size++;
    }

    /** Ends the nested message started by {@link #open}. */
    void close(int mark) {
        int length = size - mark - 1;
        // The reserved byte suffices for 7 bits.
        int more = length < ONE_BYTE_LENGTHS ? 0 : (31 - Integer.numberOfLeadingZeros(length)) / 7;
        if (more > 0) {
            reserve(more);
            System.arraycopy(bytes, mark + 1, bytes, mark + 1 + more, length);
        }
        int end = size + more;
        size = mark;
        varint(length);
        size = end;
    }

    private void reserve(int count) {
        int needed = Math.addExact(size, count);
        if (needed > bytes.length) {
            long doubled = Math.min(bytes.length * 2L, Integer.MAX_VALUE - 8L);
            bytes = Arrays.copyOf(bytes, (int) Math.max(needed, doubled));
        }
    }
}
