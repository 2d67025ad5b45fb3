package io.plat.http;

import io.plat.http.lines.LogRateLimit;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.http2.server.internal.HTTP2ServerConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of answers that their clients do not read, on every path. An answer that is not written at once is charged to its client, in
 * {@link LargeBodyMemory}, until it is, and ends where there is no room for it, another client needs the room, or it takes too long. One that is
 * written at once costs nothing here.
 */
public final class UnreadAnswers extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadAnswers.class);
    private static final LogRateLimit FULL = new LogRateLimit(System::nanoTime);
    private static final String EXCLUDED = UnreadAnswers.class.getName();

    /** The memory of a request beside its fields and the bytes that are written, in bytes: that of a stream, a thread and its buffers. */
    static final int OVERHEAD = 16 << 10;

    /** The bytes in a second at which a client reads at least. */
    private static final int LEAST_RATE = 4 << 10;

    private static final Set<Write> UNREAD = ConcurrentHashMap.newKeySet();

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        return super.handle(request, charged(request, response), callback);
    }

    /** The response whose writes are charged, also where no handler was called, as for a malformed request. */
    static Response charged(Request request, Response response) {
        return response instanceof Charged ? response : new Charged(request, response);
    }

    /** Excludes the answer to a request whose endpoint bounds what its clients do not read. */
    public static void exclude(Request request) {
        request.setAttribute(EXCLUDED, true);
    }

    /** Ends the response to a request at any stage: its stream under HTTP/2, else its connection. */
    public static void end(Request request) {
        Connection connection = request.getConnectionMetaData().getConnection();
        if (connection instanceof HTTP2ServerConnection http2) {
            @Nullable Stream stream = http2.getSession().getStream(Integer.parseInt(request.getId()));
            if (stream != null) {
                stream.reset(new ResetFrame(stream.getId(), ErrorCode.CANCEL_STREAM_ERROR.code), Callback.NOOP);
            }
        } else {
            connection.getEndPoint().close();
        }
    }

    /** Ends the answers of a server that have waited for longer than this, and than a slow client takes. */
    static void endSlow(Connector connector, long boundNanos) {
        for (Write write : UNREAD) {
            if (write.request.getConnectionMetaData().getConnector() == connector && write.lasts(boundNanos)) {
                end(write.request);
            }
        }
    }

    private static final class Charged extends Response.Wrapper {
        Charged(Request request, Response response) {
            super(request, response);
        }

        @Override
        public void write(boolean last, ByteBuffer content, Callback callback) {
            Write write = new Write(getRequest(), content == null ? 0 : content.remaining(), callback);
            super.write(last, content, write);
            write.begun();
        }
    }

    private static final class Write extends Callback.Nested {
        private final Request request;
        private final int bytes;
        private long since;
        private volatile boolean done;
        private volatile FairLimit.@Nullable Share share;

        Write(Request request, int bytes, Callback callback) {
            super(callback);
            this.request = request;
            this.bytes = bytes;
        }

        /** The client may not have taken all of it; it may just do so. */
        void begun() {
            if (done || request.getAttribute(EXCLUDED) != null) {
                return;
            }
            since = NanoTime.now();
            FairLimit.Share own = LargeBodyMemory.share(RequestClient.of(request), this::giveUp);
            share = own;
            UNREAD.add(this);
            boolean room = own.grow(memory());
            if (done) {
                forget();
            } else if (!room) {
                giveUp();
            }
        }

        private long memory() {
            long memory = OVERHEAD + 2L * bytes;
            for (HttpField field : request.getHeaders()) {
                memory += 2L
                        * (field.getName().length()
                                + String.valueOf(field.getValue()).length());
            }
            return memory;
        }

        private void giveUp() {
            FULL.unlessRecent(() -> LOG.warn(
                    "memory for requests exhausted, ending answers that are not read: limit={} MiB client={}",
                    LargeBodyMemory.MEMORY >> 20,
                    RequestClient.of(request)));
            end(request);
        }

        boolean lasts(long boundNanos) {
            return NanoTime.since(since)
                    > boundNanos + Duration.ofSeconds(bytes / LEAST_RATE).toNanos();
        }

        private void forget() {
            done = true;
            FairLimit.@Nullable Share own = share;
            if (own != null) {
                UNREAD.remove(this);
                own.leave();
            }
        }

        @Override
        public void succeeded() {
            forget();
            super.succeeded();
        }

        @Override
        public void failed(Throwable cause) {
            forget();
            super.failed(cause);
        }
    }
}
