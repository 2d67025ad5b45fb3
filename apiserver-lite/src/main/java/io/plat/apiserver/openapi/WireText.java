package io.plat.apiserver.openapi;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** One message of the protobuf wire format while it is written: its fields in the order in which they are added. */
final class WireText {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    void text(int field, String value) {
        bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    void message(int field, WireText value) {
        varint((long) field << 3 | BYTES);
        varint(value.out.size());
        out.writeBytes(value.bytes());
    }

    void flag(int field, boolean value) {
        whole(field, value ? 1 : 0);
    }

    void whole(int field, long value) {
        varint((long) field << 3 | VARINT);
        varint(value);
    }

    void number(int field, double value) {
        varint((long) field << 3 | FIXED64);
        long bits = Double.doubleToLongBits(value);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            out.write((int) (bits >>> shift));
        }
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    private void bytes(int field, byte[] value) {
        varint((long) field << 3 | BYTES);
        varint(value.length);
        out.writeBytes(value);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
