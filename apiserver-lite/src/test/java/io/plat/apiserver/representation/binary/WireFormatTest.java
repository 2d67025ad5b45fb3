package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.plat.review.status.StatusException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers, blocks and nesting agree with protobuf's own library. */
class WireFormatTest {
    private final Random random = new Random(7);
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                127,
                128,
                16_383,
                16_384,
                Integer.MAX_VALUE,
                -1,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                Long.MIN_VALUE
            })
    void numbers(long number) throws Exception {
        var writer = new WireWriter(0);
        writer.varint(number);
        writer.fixed64(number);
        byte[] written = writer.toByteArray();

        var theirs = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(theirs);
        out.writeUInt64NoTag(number);
        out.writeFixed64NoTag(number);
        out.flush();
        assertThat(written).isEqualTo(theirs.toByteArray());
    }

    /** Blocks whose lengths cross the sizes at which a length takes another byte, nested in each other. */
    @Test
    void nestedLengths() throws Exception {
        for (int size = 0; size < 400; size++) {
            var content = new byte[size];
            random.nextBytes(content);
            var writer = new WireWriter(0);
            writer.varint(block(1));
            int outer = writer.open();
            writer.varint(block(2));
            int inner = writer.open();
            writer.varint(block(3));
            writer.block(content);
            writer.close(inner);
            writer.varint(number(4));
            writer.varint(size);
            writer.close(outer);

            CodedInputStream in = CodedInputStream.newInstance(writer.toByteArray());
            assertThat(in.readTag()).isEqualTo(block(1));
            int outerLimit = in.pushLimit(in.readRawVarint32());
            assertThat(in.readTag()).isEqualTo(block(2));
            int innerLimit = in.pushLimit(in.readRawVarint32());
            assertThat(in.readTag()).isEqualTo(block(3));
            assertThat(in.readByteArray()).isEqualTo(content);
            assertThat(in.isAtEnd()).isTrue();
            in.popLimit(innerLimit);
            assertThat(in.readTag()).isEqualTo(number(4));
            assertThat(in.readInt32()).isEqualTo(size);
            assertThat(in.isAtEnd()).isTrue();
            in.popLimit(outerLimit);
            assertThat(in.isAtEnd()).isTrue();
        }
    }

    /** A random tree has the same encoding whether it is written directly, or every second message is written separately and inserted. */
    @Test
    void nestedMessages() {
        for (int i = 0; i < 300; i++) {
            long seed = random.nextLong();
            var straight = new WireWriter(0);
            tree(new Random(seed), straight, 5, false);
            var aside = new WireWriter(0);
            tree(new Random(seed), aside, 5, true);
            assertThat(aside.toByteArray()).isEqualTo(straight.toByteArray());
        }
    }

    private static void tree(Random shape, WireWriter out, int depth, boolean aside) {
        for (int children = shape.nextInt(4); children > 0; children--) {
            out.varint(number(1));
            out.varint(shape.nextLong());
            if (depth > 0 && aside) {
                var content = new WireWriter(0);
                tree(shape, content, depth - 1, depth % 2 == 0);
                out.nested(block(2), content);
            } else if (depth > 0) {
                out.varint(block(2));
                int mark = out.open();
                tree(shape, out, depth - 1, false);
                out.close(mark);
            }
        }
    }

    @Test
    void writerIsEmptyAfterReset() {
        var writer = new WireWriter(0);
        writer.varint(block(1));
        int mark = writer.open();
        writer.text("something");
        writer.close(mark);
        writer.reset();
        assertThat(writer.toByteArray()).isEmpty();
        writer.text("x");
        assertThat(writer.toByteArray()).containsExactly(1, 'x');
    }

    @Test
    void textIsWrittenAsTheJdkEncodesIt() {
        for (int i = 0; i < 2_000; i++) {
            var text = new StringBuilder();
            for (int length = random.nextInt(20); length > 0; length--) {
                int kind = random.nextInt(4);
                text.appendCodePoint(
                        kind == 0
                                ? random.nextInt(0x80)
                                : kind == 1
                                        ? random.nextInt(0x800)
                                        : kind == 2
                                                ? 0xe000 + random.nextInt(0x1000)
                                                : 0x10000 + random.nextInt(0x100000));
            }
            var writer = new WireWriter(0);
            writer.text(text.toString());
            byte[] expected = text.toString().getBytes(StandardCharsets.UTF_8);
            byte[] written = writer.toByteArray();
            assertThat(Arrays.copyOfRange(written, written.length - expected.length, written.length))
                    .isEqualTo(expected);
        }
    }

    /** Every sequence of up to three bytes between others, and random ones of four, as decoded by the JDK. */
    @Test
    void wellFormednessAgreesWithTheJdk() {
        for (int i = 0; i < 400_000; i++) {
            var bytes = new byte[random.nextInt(1, 14)];
            for (int at = 0; at < bytes.length; at++) {
                int kind = random.nextInt(3);
                bytes[at] = (byte)
                        (kind == 0
                                ? random.nextInt(0x80)
                                : kind == 1 ? 0x80 + random.nextInt(0x40) : 0xc0 + random.nextInt(0x40));
            }
            boolean decodable = decodable(bytes);
            boolean checked = passes(() -> StrictJson.checkEncoding(bytes, 0, bytes.length, "a text"));
            boolean decoded = passes(() -> StrictJson.decode(bytes));
            // An assertion costs more than the comparison.
            if (checked != decodable || decoded != decodable) {
                assertThat(bytes).as("checked %s, decoded %s", checked, decoded).isNull();
            }
        }
    }

    private interface Check {
        void run() throws StatusException;
    }

    private static boolean passes(Check check) {
        try {
            check.run();
            return true;
        } catch (StatusException e) {
            return false;
        }
    }

    private boolean decodable(byte[] bytes) {
        decoder.reset();
        return decoder.decode(ByteBuffer.wrap(bytes), CharBuffer.allocate(bytes.length), true)
                .isUnderflow();
    }

    /** Returns the tag of a string, bytes or a message. */
    static int block(int number) {
        return (number << 3) | 2;
    }

    /** Returns the tag of a number of variable length. */
    static int number(int number) {
        return number << 3;
    }
}
