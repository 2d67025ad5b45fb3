package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.eclipse.jetty.http2.Flags;
import org.eclipse.jetty.http2.frames.FrameType;
import org.eclipse.jetty.http2.parser.ServerParser;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RateControl;
import org.junit.jupiter.api.Test;

/** HTTP/2 headers are charged while they are incomplete, regardless of how they are fragmented. */
class HeaderBlocksTest {
    private static final int LIMIT = 64 << 10;
    private final Http2.HeaderBlocks parser =
            new Http2.HeaderBlocks(new ByteBufferPool.NonPooling(), LIMIT, RateControl.NO_RATE_CONTROL);

    HeaderBlocksTest() {
        parser.init(new ServerParser.Listener() {});
        parser.parse(ByteBuffer.wrap("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        parser.parse(frame(FrameType.SETTINGS, 0, 0, new byte[0]));
    }

    /** A header block of a given length: {@code GET https /}, and a long field. */
    private static byte[] block(int length) {
        byte[] start = {(byte) 0x82, (byte) 0x87, (byte) 0x84, 0, 1, 'a', 0x7f, 0, 0, 0};
        int rest = length - start.length - 127;
        start[7] = (byte) ((rest & 0x7f) | 0x80);
        start[8] = (byte) (((rest >> 7) & 0x7f) | 0x80);
        start[9] = (byte) (rest >> 14);
        byte[] block = Arrays.copyOf(start, length);
        Arrays.fill(block, start.length, length, (byte) 'x');
        return block;
    }

    private static ByteBuffer frame(FrameType type, int flags, int stream, byte[] body) {
        return ByteBuffer.allocate(9 + body.length)
                .putInt(body.length << 8 | type.getType())
                .put((byte) flags)
                .putInt(stream)
                .put(body)
                .flip();
    }

    private static ByteBuffer part(ByteBuffer whole, int from, int to) {
        return whole.slice(from, to - from);
    }

    @Test
    void anIncompleteBlockCountsUntilItsEnd() {
        long begin = System.nanoTime();
        assertThat(parser.length()).isZero();
        byte[] block = block(16_010);
        parser.parse(frame(FrameType.HEADERS, 0, 1, Arrays.copyOf(block, 10_000)));
        assertThat(parser.length()).isEqualTo(10_000);
        parser.parse(frame(FrameType.CONTINUATION, 0, 1, Arrays.copyOfRange(block, 10_000, 16_000)));
        assertThat(parser.length()).isEqualTo(16_000);
        assertThat(parser.begin()).isBetween(begin, System.nanoTime());
        parser.parse(frame(FrameType.CONTINUATION, Flags.END_HEADERS, 1, Arrays.copyOfRange(block, 16_000, 16_010)));
        assertThat(parser.length()).isZero();
    }

    @Test
    void partOfAFrameCounts() {
        ByteBuffer whole = frame(FrameType.HEADERS, Flags.END_HEADERS, 1, block(10_000));
        parser.parse(part(whole, 0, 5_000));
        assertThat(parser.length()).isEqualTo(5_000 - 9);
        parser.parse(part(whole, 5_000, 10_009));
        assertThat(parser.length()).isZero();
    }

    @Test
    void malformedHeadersCountUntilTheNextFrame() {
        parser.parse(frame(FrameType.HEADERS, Flags.END_HEADERS, 1, new byte[] {(byte) 0x82, (byte) 0x82}));
        parser.parse(frame(FrameType.PING, 0, 0, new byte[8]));
        assertThat(parser.length()).isZero();
    }

    @Test
    void completeHeadersDoNotCount() {
        parser.parse(frame(FrameType.HEADERS, Flags.END_HEADERS, 1, block(200)));
        assertThat(parser.length()).isZero();
    }
}
