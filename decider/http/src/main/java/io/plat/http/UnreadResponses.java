package io.plat.http;

import io.plat.process.LogRateLimit;
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
 * Memory accounting of unread responses, on every path. A response that is not written at once is charged to its client in {@link LargeBodyMemory}
 * until it is, and aborted if there is no memory left, another client needs it, or the client is too slow. A response that is written at once is not
 * charged.
 */
public final class UnreadResponses extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadResponses.class);
    private static final LogRateLimit FULL = new LogRateLimit(System::nanoTime);
    private static final String EXCLUDED = UnreadResponses.class.getName();

    /** Memory of a request apart from its header fields and response: stream, thread and buffers, in bytes. */
    static final int OVERHEAD = 16 << 10;

    /** Minimum rate at which a client must read, in bytes per second. */
    private static final int MIN_RATE = 4 << 10;

    private static final Set<Write> UNREAD = ConcurrentHashMap.newKeySet();

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        return super.handle(request, charged(request, response), callback);
    }

    /** Returns the response whose writes are charged, also if no handler was called, as for a malformed request. */
    static Response charged(Request request, Response response) {
        return response instanceof Charged ? response : new Charged(request, response);
    }

    /** Excludes the response of an endpoint with its own limit on unread data. */
    public static void exclude(Request request) {
        request.setAttribute(EXCLUDED, true);
    }

    /** Aborts the response to a request at any stage: resets the stream under HTTP/2, else closes the connection. */
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

    /** Aborts the responses of a server that have waited longer than a time limit and than the minimum rate allows. */
    static void endSlow(Connector connector, long boundNanos) {
        for (Write write : UNREAD) {
            if (write.request.getConnectionMetaData().getConnector() == connector && write.isSlow(boundNanos)) {
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

        /** Charges the response unless the client has read all of it, which may happen concurrently. */
        void begun() {
            if (done || request.getAttribute(EXCLUDED) != null) {
                return;
            }
            since = NanoTime.now();
            FairLimit.Share own = LargeBodyMemory.share(RequestClient.of(request), this::abort);
            share = own;
            UNREAD.add(this);
            boolean room = own.grow(memory());
            if (done) {
                forget();
            } else if (!room) {
                abort();
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

        private void abort() {
            FULL.unlessRecent(() -> LOG.warn(
                    "memory for requests exhausted, aborting unread responses: limit_mib={} client={}",
                    LargeBodyMemory.MEMORY >> 20,
                    RequestClient.of(request)));
            end(request);
        }

        boolean isSlow(long boundNanos) {
            return NanoTime.since(since)
                    > boundNanos + Duration.ofSeconds(bytes / MIN_RATE).toNanos();
        }

        private void forget() {
            done = true;
            FairLimit.@Nullable Share own = share;
            if (own != null) {
                UNREAD.remove(this);
                own.release();
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
