package io.plat.http;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http2.Flags;
import org.eclipse.jetty.http2.SessionContainer;
import org.eclipse.jetty.http2.api.server.ServerSessionListener;
import org.eclipse.jetty.http2.frames.FrameType;
import org.eclipse.jetty.http2.generator.Generator;
import org.eclipse.jetty.http2.parser.ServerParser;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.internal.HTTP2ServerConnection;
import org.eclipse.jetty.http2.server.internal.HTTP2ServerSession;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.NanoTime;

/** Limits of HTTP/2 (RFC 9113): streams, memory and control frames of one connection. */
final class Http2 {
    /** Maximum number of concurrent streams of a connection, as in kube-apiserver. */
    static final int STREAMS = 100;

    /**
     * Maximum number of resets, pings, settings, priorities and empty frames per second; more close the connection. Otherwise a client could open
     * streams only to reset them (CVE-2023-44487).
     */
    static final int MAX_EVENTS_PER_SECOND = 200;

    /** Flow-control window of a stream, in bytes. */
    private static final int STREAM_WINDOW = 64 << 10;

    private static final int CONNECTION_WINDOW = 256 << 10;

    private Http2() {}

    static HTTP2ServerConnectionFactory within(HttpConfiguration http, HttpLimits limits) {
        HTTP2ServerConnectionFactory http2 = new Connections(http);
        http2.setMaxConcurrentStreams(STREAMS);
        http2.setRateControlFactory(new WindowRateControl.Factory(MAX_EVENTS_PER_SECOND));
        http2.setInitialStreamRecvWindow(STREAM_WINDOW);
        http2.setInitialSessionRecvWindow(CONNECTION_WINDOW);
        http2.setStreamIdleTimeout(limits.idleTimeout().toMillis());
        http2.setConnectProtocolEnabled(false);
        return http2;
    }

    /** Factory of connections with counted incomplete headers. */
    private static final class Connections extends HTTP2ServerConnectionFactory {
        Connections(HttpConfiguration http) {
            super(http);
        }

        @Override
        public Connection newConnection(Connector connector, EndPoint endPoint) {
            HttpConfiguration http = getHttpConfiguration();
            ServerSessionListener listener = newSessionListener(connector, endPoint);
            Generator generator = new Generator(
                    connector.getByteBufferPool(), isUseOutputDirectByteBuffers(), getMaxHeaderBlockFragment());
            int answers = http.getMaxResponseHeaderSize();
            generator.getHpackEncoder().setMaxHeaderListSize(answers > 0 ? answers : http.getResponseHeaderSize());
            HeaderBlocks parser = new HeaderBlocks(
                    connector.getByteBufferPool(),
                    http.getRequestHeaderSize(),
                    getRateControlFactory().newRateControl(endPoint));
            parser.setMaxSettingsKeys(getMaxSettingsKeys());
            HTTP2ServerSession session = new HTTP2ServerSession(
                    connector.getScheduler(),
                    endPoint,
                    parser,
                    generator,
                    listener,
                    getFlowControlStrategyFactory().newFlowControlStrategy());
            session.setMaxLocalStreams(getMaxConcurrentStreams());
            session.setMaxRemoteStreams(getMaxConcurrentStreams());
            session.setMaxEncoderTableCapacity(getMaxEncoderTableCapacity());
            session.setStreamIdleTimeout(getStreamIdleTimeout());
            session.setInitialSessionRecvWindow(getInitialSessionRecvWindow());
            session.setWriteThreshold(http.getOutputBufferSize());
            session.setConnectProtocolEnabled(isConnectProtocolEnabled());
            HTTP2ServerConnection connection = new HTTP2ServerConnection(connector, endPoint, http, session, listener);
            connection.setUseInputDirectByteBuffers(isUseInputDirectByteBuffers());
            connection.setUseOutputDirectByteBuffers(isUseOutputDirectByteBuffers());
            connection.addEventListener(getBean(SessionContainer.class));
            getEventListeners().forEach(session::addEventListener);
            parser.init(connection);
            return configure(connection, connector, endPoint);
        }
    }

    /** Sends GOAWAY on all connections; requests in progress continue. */
    static void sendGoAway(ServerConnector connector) {
        HTTP2ServerConnectionFactory http2 = connector.getConnectionFactory(HTTP2ServerConnectionFactory.class);
        if (http2 != null) {
            // Its future also waits for idle connections, which is unnecessary.
            var unused = http2.getBean(SessionContainer.class).shutdown();
        }
    }

    /** Parser of one HTTP/2 connection that exposes its incomplete header block (RFC 9113, 4.3) to other threads. */
    static final class HeaderBlocks extends ServerParser {
        private volatile long begin;
        private volatile int length;

        /** @param maxHeaderSize maximum length of a header block, in bytes */
        HeaderBlocks(ByteBufferPool buffers, int maxHeaderSize, RateControl rateControl) {
            super(buffers, maxHeaderSize, rateControl);
        }

        /** Returns the start time of the incomplete block, in nanoseconds. Must be called after {@link #length}. */
        long begin() {
            return begin;
        }

        /** Returns the received size of the incomplete block, in bytes; 0 if there is none. */
        int length() {
            return length;
        }

        @Override
        protected boolean parseBody(ByteBuffer buffer) {
            int known = length;
            int type = getFrameType();
            if (type != FrameType.HEADERS.getType() && type != FrameType.CONTINUATION.getType()) {
                if (known > 0) {
                    // The previous block was malformed; no other frame may occur within one.
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
}
