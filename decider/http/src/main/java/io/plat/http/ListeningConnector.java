package io.plat.http;

import com.sun.management.UnixOperatingSystemMXBean;
import io.plat.tls.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.EnumSet;
import java.util.Locale;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** The listening socket of a server and its protocols: TLS, then strict HTTP/1.1, or HTTP/2 if it is enabled. */
final class ListeningConnector {
    /** Descriptors reserved for other use: 600 requests to a decider, 400 followed log files, and some more. */
    private static final long RESERVED_DESCRIPTORS = 1536;

    private static final int BACKLOG = 1024;

    /**
     * Size of the header cache of an HTTP/1.1 connection, in characters: the header lines of a webhook client have about 200. Each takes 96 bytes
     * while the connection is open.
     */
    private static final int HEADER_CACHE_CHARACTERS = 256;

    private static final UriCompliance AS_SENT = new UriCompliance(
            "AS_SENT",
            EnumSet.of(
                    UriCompliance.Violation.AMBIGUOUS_PATH_SEGMENT,
                    UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT,
                    UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
                    UriCompliance.Violation.AMBIGUOUS_PATH_PARAMETER,
                    UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                    UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS));

    /**
     * A listening socket with its limits.
     *
     * @param channel the socket
     * @param http2 whether HTTP/2 is offered in addition to HTTP/1.1
     */
    record Listening(ServerSocketChannel channel, HttpLimits limits, boolean http2) {}

    private ListeningConnector() {}

    /**
     * Binds the address before anything else starts, so that a failure is reported in one line.
     *
     * @throws IOException if it cannot be bound
     */
    static ServerSocketChannel listen(InetSocketAddress address) throws IOException {
        // 0.0.0.0 means all IPv4 addresses; a dual-stack socket would listen on IPv6 as well.
        ServerSocketChannel channel = ServerSocketChannel.open(
                address.getAddress() instanceof Inet4Address
                        ? StandardProtocolFamily.INET
                        : StandardProtocolFamily.INET6);
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, BACKLOG);
            return channel;
        } catch (IOException unusable) {
            channel.close();
            throw describe(address, unusable);
        }
    }

    private static IOException describe(InetSocketAddress address, IOException cause) {
        String where = address.getAddress().getHostAddress() + ":" + address.getPort();
        IOException described = new BindException("cannot listen on " + where + ": " + cause.getMessage());
        described.initCause(cause);
        return described;
    }

    static ServerConnector create(
            Server server, SslContextFactory.Server handshakes, ServerTls tls, Listening listening) {
        // Non-blocking handlers run on the selector thread that read the request: one per processor, to use all of
        // them.
        int selectors = Runtime.getRuntime().availableProcessors();
        ServerConnector connector = new ServerConnector(server, 1, selectors, protocols(handshakes, listening));
        try {
            connector.open(listening.channel);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        HttpLimits limits = listening.limits;
        connector.setIdleTimeout(limits.idleTimeout().toMillis());
        connector.addBean(new ConnectionShares(forConnections(ConnectionShares.withinMemory(limits.connections()))));
        connector.addBean(new SlowClients(connector, limits.requestTimeout()));
        ConnectionTrust peers = new ConnectionTrust(connector, tls);
        connector.getConnectionFactory(FairTls.class).verifyWith(peers);
        connector.addBean(peers);
        return connector;
    }

    private static ConnectionFactory[] protocols(SslContextFactory.Server handshakes, Listening listening) {
        HttpConfiguration http = configuration(listening.limits);
        HttpConnectionFactory http1 = new HttpConnectionFactory(http);
        if (!listening.http2) {
            return new ConnectionFactory[] {new FairTls(handshakes, http1.getProtocol()), http1};
        }
        // If a client offers both protocols, the server's preference decides (RFC 7301). Protocol names are compared
        // bytewise (RFC 7301, 3.1), and the library's constant for HTTP/1.1 is in capitals.
        ALPNServerConnectionFactory choice =
                new ALPNServerConnectionFactory("h2", http1.getProtocol().toLowerCase(Locale.ROOT));
        choice.setDefaultProtocol(http1.getProtocol());
        return new ConnectionFactory[] {
            new FairTls(handshakes, choice.getProtocol()), choice, Http2.within(http, listening.limits), http1
        };
    }

    private static HttpConfiguration configuration(HttpLimits limits) {
        HttpConfiguration http = new HttpConfiguration();
        http.setHeaderCacheSize(HEADER_CACHE_CHARACTERS);
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setSendDateHeader(true);
        http.setRequestHeaderSize(limits.requestHeaderBytes());
        http.setHttpCompliance(HttpCompliance.STRICT);
        // Ambiguous paths that the standard allows reach the handlers as sent, which check them.
        http.setUriCompliance(AS_SENT);
        // The Host is not checked against the certificate, as in kube-apiserver: clients that use a tunnel or an IP
        // address send another one.
        http.addCustomizer(new SecureRequestCustomizer(false));
        return http;
    }

    /** Returns the maximum number of connections: the requested one if there are enough file descriptors. */
    private static int forConnections(int wanted) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? forConnections(wanted, system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount())
                : wanted;
    }

    /** Returns the same for a number of free descriptors. */
    private static int forConnections(int wanted, long free) {
        return Math.clamp(free - Math.min(RESERVED_DESCRIPTORS, free / 2), 1, wanted);
    }
}
