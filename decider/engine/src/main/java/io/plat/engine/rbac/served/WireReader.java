package io.plat.engine.rbac.served;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reader of the fields of one message in the wire format of protocol buffers, one after the other. Nothing outside of the message is read, and
 * nothing is retained. A field that is read as another type than it has is malformed.
 */
final class WireReader {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BLOCK = 2;
    private static final int FIXED32 = 5;
    private static final int TYPE_BITS = 3;
    private static final int LONGEST_VARINT = 10;

    private final byte[] bytes;
    private final int end;
    private int at;
    private int field;
    private int type;

    /** Creates a reader of a message within an array. */
    WireReader(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.at = from;
        this.end = to;
    }

    /** Advances to the next field; returns false at the end of the message. The value of the previous one has to be read or skipped. */
    boolean next() throws MalformedRolesException {
        if (at == end) {
            return false;
        }
        long tag = varint();
        if (tag >>> TYPE_BITS == 0 || tag >>> Integer.SIZE != 0) {
            throw new MalformedRolesException("a binary field has no valid number");
        }
        field = (int) (tag >>> TYPE_BITS);
        type = (int) tag & ((1 << TYPE_BITS) - 1);
        return true;
    }

    /** Returns the number of the field. */
    int field() {
        return field;
    }

    /** The value of a field that is a message. */
    WireReader message() throws MalformedRolesException {
        int length = block();
        at += length;
        return new WireReader(bytes, at - length, at);
    }

    /** Returns the value of a field that is a response in its envelope. */
    BinaryEnvelope envelope() throws MalformedRolesException {
        int length = block();
        at += length;
        return BinaryEnvelope.open(bytes, at - length, at);
    }

    /** The value of a field that is text. */
    String text() throws MalformedRolesException {
        int length = block();
        int start = at;
        at += length;
        String text = new String(bytes, start, length, StandardCharsets.UTF_8);
        // Invalid bytes are decoded as this character, which could have been sent just as well.
        if (text.indexOf('\uFFFD') >= 0
                && !Arrays.equals(
                        text.getBytes(StandardCharsets.UTF_8), Arrays.copyOfRange(bytes, start, start + length))) {
            throw new MalformedRolesException("a binary string is not UTF-8");
        }
        return text;
    }

    /** The value of a field that is a whole number. */
    long number() throws MalformedRolesException {
        require(VARINT);
        return varint();
    }

    /** Skips the value, of any type. */
    void skip() throws MalformedRolesException {
        switch (type) {
            case VARINT -> varint();
            case FIXED64 -> advance(Long.BYTES);
            case BLOCK -> advance(block());
            case FIXED32 -> advance(Integer.BYTES);
            default -> throw new MalformedRolesException("a binary field has the unexpected wire type " + type);
        }
    }

    private void require(int expected) throws MalformedRolesException {
        if (type != expected) {
            throw new MalformedRolesException("binary field " + field + " has the unexpected wire type " + type);
        }
    }

    private int block() throws MalformedRolesException {
        require(BLOCK);
        long length = varint();
        if (length < 0 || length > end - at) {
            throw truncated();
        }
        return (int) length;
    }

    private void advance(int count) throws MalformedRolesException {
        if (count > end - at) {
            throw truncated();
        }
        at += count;
    }

    private long varint() throws MalformedRolesException {
        long value = 0;
        for (int i = 0; i < LONGEST_VARINT; i++) {
            if (at == end) {
                throw truncated();
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedRolesException("a binary number has more than ten bytes");
    }

    private static MalformedRolesException truncated() {
        return new MalformedRolesException("a binary message ends in the middle of a field");
    }
}
