package io.plat.http;

import org.eclipse.jetty.http2.SessionContainer;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/** Limits of HTTP/2 (RFC 9113): streams, memory and control frames of one connection. */
final class Http2 {
    /** Requests of a connection at a time; as many as an existing server of this kind takes. */
    static final int STREAMS = 100;

    /**
     * Resets, pings, settings, priorities and empty frames a second; more end the connection. A client that opens streams only to
     * reset them has work done that it does not wait for (CVE-2023-44487).
     */
    static final int EVENTS_A_SECOND = 200;

    /** Bytes of a body that may be sent before they are read, of a request and of all requests of a connection. */
    private static final int STREAM_WINDOW = 64 << 10;

    private static final int CONNECTION_WINDOW = 256 << 10;

    private Http2() {}

    static HTTP2ServerConnectionFactory within(HttpConfiguration http, HttpLimits limits) {
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
        http2.setMaxConcurrentStreams(STREAMS);
        http2.setRateControlFactory(new WindowRateControl.Factory(EVENTS_A_SECOND));
        http2.setInitialStreamRecvWindow(STREAM_WINDOW);
        http2.setInitialSessionRecvWindow(CONNECTION_WINDOW);
        http2.setStreamIdleTimeout(limits.idleTimeout().toMillis());
        http2.setConnectProtocolEnabled(false);
        return http2;
    }

    /** Asks the clients of all connections to send further requests elsewhere; requests in progress continue. */
    static void sayGoodbye(ServerConnector connector) {
        @Nullable
        HTTP2ServerConnectionFactory http2 = connector.getConnectionFactory(HTTP2ServerConnectionFactory.class);
        if (http2 != null) {
            // Its future waits until connections are closed; only requests matter.
            var unused = http2.getBean(SessionContainer.class).shutdown();
        }
    }
}
