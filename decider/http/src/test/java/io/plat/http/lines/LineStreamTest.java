package io.plat.http.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LineStreamTest {
    private final ByteArrayOutputStream flowed = new ByteArrayOutputStream();
    private int room = Integer.MAX_VALUE;
    private int opened;
    private int closed;

    private WritableByteChannel open() {
        opened++;
        return new WritableByteChannel() {
            @Override
            public int write(ByteBuffer bytes) throws IOException {
                if (room == 0) {
                    throw new IOException("No space left on device");
                }
                int count = Math.min(room, bytes.remaining());
                byte[] taken = new byte[count];
                bytes.get(taken);
                flowed.writeBytes(taken);
                room -= count;
                return count;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {
                closed++;
            }
        };
    }

    private static ByteBuffer bytes(String lines) {
        return ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
    }

    private void fails(LineStream stream, String lines) {
        assertThatThrownBy(() -> stream.write(bytes(lines))).hasMessage("No space left on device");
    }

    private String flowed() {
        return flowed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void isOpenedWithTheFirstLine() throws IOException {
        LineStream stream = new LineStream(this::open, true);
        assertThat(opened).isZero();
        stream.write(bytes("a\n"));
        stream.write(bytes("b\nc\n"));
        stream.close();
        assertThat(flowed()).isEqualTo("a\nb\nc\n");
        assertThat(opened).isEqualTo(1);
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void aPartialLineIsCompletedFirst() throws IOException {
        LineStream stream = new LineStream(this::open, false);
        room = 4;
        fails(stream, "aa\nbbbb\ncc\n");
        fails(stream, "dd\n");
        room = 2;
        fails(stream, "ee\n");
        room = 100;
        stream.write(bytes("ff\n"));
        assertThat(flowed()).isEqualTo("aa\nbbbb\nff\n");
        stream.close();
        assertThat(closed).isZero();
    }

    @Test
    void aCompleteLineNeedsNoCompletion() throws IOException {
        LineStream stream = new LineStream(this::open, false);
        room = 3;
        fails(stream, "aa\nbb\n");
        room = 100;
        stream.write(bytes("cc\n"));
        assertThat(flowed()).isEqualTo("aa\ncc\n");
    }

    @Test
    void aReopenedStreamStartsWithAWholeLine() throws IOException {
        LineStream stream = new LineStream(this::open, true);
        room = 1;
        fails(stream, "aa\n");
        room = 100;
        stream.write(bytes("bb\n"));
        assertThat(flowed()).isEqualTo("abb\n");
        assertThat(opened).isEqualTo(2);
        assertThat(closed).isEqualTo(1);
    }
}
