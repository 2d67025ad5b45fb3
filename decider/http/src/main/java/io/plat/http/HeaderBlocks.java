package io.plat.http;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http2.Flags;
import org.eclipse.jetty.http2.frames.FrameType;
import org.eclipse.jetty.http2.parser.ServerParser;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.util.NanoTime;

/** Parser of one HTTP/2 connection that knows how much of an incomplete header block (RFC 9113, 4.3) it holds. Read by other threads. */
final class HeaderBlocks extends ServerParser {
    private volatile long begin;
    private volatile int length;

    /** @param maxHeaderSize maximum length of a header block, in bytes */
    HeaderBlocks(ByteBufferPool buffers, int maxHeaderSize, RateControl rateControl) {
        super(buffers, maxHeaderSize, rateControl);
    }

    /** Returns the time when the block that is being received began, in nanoseconds. To be read after its length. */
    long begin() {
        return begin;
    }

    /** Returns what has been received of a block that is not complete, in bytes; 0 if there is none. */
    int length() {
        return length;
    }

    @Override
    protected boolean parseBody(ByteBuffer buffer) {
        int known = length;
        int type = getFrameType();
        if (type != FrameType.HEADERS.getType() && type != FrameType.CONTINUATION.getType()) {
            if (known > 0) {
                // A malformed block came before; no other frame may come within one.
                length = 0;
            }
            return super.parseBody(buffer);
        }
        boolean last = hasFlag(Flags.END_HEADERS);
        int before = buffer.remaining();
        boolean parsed = super.parseBody(buffer);
        if (!parsed || !last) {
            begin = known == 0 ? NanoTime.now() : begin;
            length = known + before - buffer.remaining();
        } else if (known > 0) {
            length = 0;
        }
        return parsed;
    }
}
