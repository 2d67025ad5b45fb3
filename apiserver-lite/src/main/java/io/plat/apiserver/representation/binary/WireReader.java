package io.plat.apiserver.representation.binary;

import io.plat.review.status.StatusException;

/**
 * Reads the wire format of protocol buffers from an array. Every read is bounded by the end of the message it belongs to.
 *
 * <p>Ours, because the decoder goes back to values it has located before, and because every fault has to be an answer.
 */
final class WireReader {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BLOCK = 2;
    private static final int GROUP = 3;
    private static final int GROUP_END = 4;
    private static final int FIXED32 = 5;

    private static final int MAX_GROUPS = 100;

    /** The tag of a string, bytes or a message. */
    static int block(int number) {
        return (number << 3) | BLOCK;
    }

    /** The tag of a number of variable length. */
    static int number(int number) {
        return number << 3;
    }

    private final byte[] bytes;
    private int at;
    private int end;

    /** Stands at the start of an array. */
    WireReader(byte[] bytes) {
        this.bytes = bytes;
        this.end = bytes.length;
    }

    /** Goes to a stretch of the array; nothing beyond its end is read. */
    void go(int start, int newEnd) {
        at = start;
        end = newEnd;
    }

    /** The next byte's index. */
    int at() {
        return at;
    }

    /** Whether the stretch goes on. */
    boolean more() {
        return at < end;
    }

    /** A number of one to ten bytes, seven bits each, the lowest first. */
    long varint() throws StatusException {
        if (at < end && bytes[at] >= 0) {
            return bytes[at++];
        }
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at >= end) {
                throw truncated();
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw Malformed.binary("a number has more than ten bytes");
    }

    /** A field's number and wire type, {@code number << 3 | type}. */
    int tag() throws StatusException {
        long tag = varint();
        if (tag >>> 3 == 0 || tag >>> 32 != 0) {
            throw Malformed.binary("a field has no valid number");
        }
        return (int) tag;
    }

    /** Eight bytes, the lowest first. */
    long fixed64() throws StatusException {
        advance(8);
        long value = 0;
        for (int i = 1; i <= 8; i++) {
            value = (value << 8) | (bytes[at - i] & 0xff);
        }
        return value;
    }

    /** The length of a block that lies whole within the stretch; the reader then stands at its first byte. */
    int length() throws StatusException {
        long length = varint();
        if (length < 0 || length > end - at) {
            throw truncated();
        }
        return (int) length;
    }

    /** Passes over a number of bytes. */
    void advance(int count) throws StatusException {
        if (count > end - at) {
            throw truncated();
        }
        at += count;
    }

    /** Passes over the value of a field, whatever it is; for fields that nobody knows. */
    void skip(int tag) throws StatusException {
        skip(tag, 0);
    }

    private void skip(int tag, int groups) throws StatusException {
        switch (tag & 7) {
            case VARINT -> varint();
            case FIXED64 -> advance(8);
            case BLOCK -> advance(length());
            case FIXED32 -> advance(4);
            case GROUP -> skipGroup(tag, groups + 1);
            case GROUP_END -> throw Malformed.binary("a group ends that never began");
            default -> throw Malformed.binary("a field has the unknown wire type " + (tag & 7));
        }
    }

    private void skipGroup(int tag, int groups) throws StatusException {
        if (groups > MAX_GROUPS) {
            throw Malformed.binary("groups are nested too deep");
        }
        int end = tag - GROUP + GROUP_END;
        for (int next = tag(); next != end; next = tag()) {
            skip(next, groups);
        }
    }

    private static StatusException truncated() {
        return Malformed.binary("it ends in the middle of a field");
    }
}
