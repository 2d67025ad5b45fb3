package io.plat.apiserver.representation.binary;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Parsed values of a message, in order, by field.
 *
 * <p>Protobuf allows fields in any order, repeated single fields (the last one counts, messages are merged) and scattered array elements;
 * JSON does not. So a message is parsed completely before it is written. Numbers are stored by value, everything else by position.
 * Instances are reused.
 */
final class ParsedFields {
    private static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
    private static final int BLOCK = WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private final byte[] bytes;
    private int[] first = new int[16];
    private int[] last = new int[16];
    private long[] values = new long[16];
    private int[] next = new int[16];
    private int count;

    /** Creates occurrences in an array, which is not modified. */
    ParsedFields(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Clears all values; slots count from 0. */
    void reset(int slots) {
        if (slots > first.length) {
            first = new int[slots];
            last = new int[slots];
        }
        Arrays.fill(first, 0, slots, -1);
        Arrays.fill(last, 0, slots, -1);
        count = 0;
    }

    /**
     * Adds the fields of a message, by the slots of its plan. Unknown fields are skipped.
     *
     * @throws StatusException 400 if the message is malformed
     */
    void read(MessagePlan plan, int start, int end) throws StatusException {
        CodedInputStream in = CodedInputStream.newInstance(bytes, start, end - start);
        try {
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                int slot = plan.slot(tag >>> 3);
                if (slot < 0) {
                    skip(in, tag);
                } else {
                    read(in, plan, slot, tag & 7, start);
                }
            }
        } catch (InvalidProtocolBufferException e) {
            throw malformed(e, in);
        } catch (IOException e) {
            throw new UncheckedIOException("reading an array failed", e);
        }
    }

    private static void skip(CodedInputStream in, int tag) throws IOException, StatusException {
        switch (tag & 7) {
            case WireFormat.WIRETYPE_END_GROUP -> throw MalformedInput.binary("a group ends without a start");
            case 6, 7 -> throw MalformedInput.binary("a field has the unknown wire type " + (tag & 7));
            default -> in.skipField(tag);
        }
    }

    private void read(CodedInputStream in, MessagePlan plan, int slot, int wireType, int start)
            throws IOException, StatusException {
        FieldPlan field = plan.field(slot);
        int expected = field.kind().wireType();
        if (wireType == expected) {
            add(slot, value(in, expected, start));
        } else if (wireType == BLOCK && field.shape() == FieldPlan.Shape.ARRAY) {
            int limit = in.pushLimit(in.readRawVarint32());
            while (!in.isAtEnd()) {
                add(slot, value(in, expected, start));
            }
            in.popLimit(limit);
        } else {
            throw MalformedInput.binary("field " + field.number() + " of " + plan.shortName() + " has the wire type "
                    + wireType + " instead of " + expected);
        }
    }

    private long value(CodedInputStream in, int wireType, int start) throws IOException, StatusException {
        if (wireType == FIXED64) {
            return in.readRawLittleEndian64();
        }
        if (wireType != BLOCK) {
            long number = in.readRawVarint64();
            if (bytes[start + in.getTotalBytesRead() - 1] < 0) {
                throw MalformedInput.binary("a number has more than ten bytes");
            }
            return number;
        }
        int length = in.readRawVarint32();
        int from = start + in.getTotalBytesRead();
        in.skipRawBytes(length);
        return ((long) from << 32) | (from + length);
    }

    /** The library's messages are for developers. */
    private static StatusException malformed(InvalidProtocolBufferException e, CodedInputStream in) {
        String message = String.valueOf(e.getMessage());
        String problem = "it is truncated";
        if (message.contains("varint")) {
            problem = "a number has more than ten bytes";
        } else if (message.contains("(zero)")) {
            problem = "a field number is invalid";
        } else if (message.contains("wire type")) {
            problem = "a field has an unknown wire type";
        } else if (message.contains("too many levels")) {
            problem = "groups are nested too deep";
        } else if (message.contains("end-group") && in.getLastTag() != 0) {
            problem = "a group ends without a start";
        }
        return MalformedInput.binary(problem);
    }

    private void add(int slot, long value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, count * 2);
            next = Arrays.copyOf(next, count * 2);
        }
        values[count] = value;
        next[count] = -1;
        if (first[slot] < 0) {
            first[slot] = count;
        } else {
            next[last[slot]] = count;
        }
        last[slot] = count++;
    }

    /** Returns the first value of a slot; -1 if there is none. */
    int first(int slot) {
        return first[slot];
    }

    /** Returns the last value of a slot; -1 if there is none. */
    int last(int slot) {
        return last[slot];
    }

    /** Returns the next value of the same slot; -1 after the last. */
    int next(int occurrence) {
        return next[occurrence];
    }

    /** Returns a number, or the bits of a double. */
    long number(int occurrence) {
        return values[occurrence];
    }

    /** Returns the last number of a slot; 0 if there is none. */
    long lastNumber(int slot) {
        return last[slot] < 0 ? 0 : values[last[slot]];
    }

    /** Returns the index of a value's first byte; 0 for -1, no value. */
    int start(int occurrence) {
        return occurrence < 0 ? 0 : (int) (values[occurrence] >>> 32);
    }

    /** Returns the index after a value's last byte; 0 for -1, no value. */
    int end(int occurrence) {
        return occurrence < 0 ? 0 : (int) values[occurrence];
    }
}
