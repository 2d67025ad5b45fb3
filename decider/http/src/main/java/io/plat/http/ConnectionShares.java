package io.plat.http;

import io.plat.process.LogRateLimit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http2.server.internal.HTTP2ServerConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.NegotiatingServerConnection;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.IO;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections by client address, which share a {@link FairLimit}. A single address may have all of them. If there is no room for another one,
 * the address with the most connections loses its oldest idle one, or else its oldest one. A connection without room is closed at once:
 * accepting is never paused, as that would lock out clients without any.
 */
final class ConnectionShares implements SelectorManager.AcceptListener, Connection.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionShares.class);
    private static final LogRateLimit FULL = new LogRateLimit(System::nanoTime);

    /** Required heap per connection, in bytes: four times what an open connection takes. */
    private static final long MEMORY = 64 << 10;

    private final int max;
    private final FairLimit limit;
    private final Map<Object, Accepted> accepted = new ConcurrentHashMap<>();

    ConnectionShares(int max) {
        this.max = max;
        this.limit = new FairLimit(max);
    }

    /** Returns the maximum number of connections, lower than configured if the heap is small. */
    static int withinMemory(int wanted) {
        return Math.clamp(Runtime.getRuntime().maxMemory() / MEMORY, 1, wanted);
    }

    @Override
    public void onAccepting(SelectableChannel channel) {
        Accepted connection = new Accepted((SocketChannel) channel);
        accepted.put(channel, connection);
        if (!connection.share.grow(1)) {
            connection.close();
        }
    }

    @Override
    public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
        onClosed(channel);
    }

    @Override
    public void onClosed(SelectableChannel channel) {
        @Nullable Accepted connection = accepted.remove(channel);
        if (connection != null) {
            connection.share.release();
        }
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection tls) {
            @Nullable Accepted known = accepted.get(tls.getEndPoint().getTransport());
            if (known != null) {
                known.opened(tls);
            }
        }
    }

    private final class Accepted {
        private final SocketChannel channel;
        private final String address;
        private final FairLimit.Share share;
        private volatile @Nullable SslConnection tls;

        Accepted(SocketChannel channel) {
            this.channel = channel;
            this.address = network(channel);
            this.share = limit.share(address, this::close, this::isIdle);
        }

        private static String network(SocketChannel channel) {
            try {
                return channel.getRemoteAddress() instanceof InetSocketAddress peer
                        ? RequestClient.network(peer.getAddress().getHostAddress())
                        : "";
            } catch (IOException closed) {
                return "";
            }
        }

        void opened(SslConnection connection) {
            tls = connection;
            if (!channel.isOpen()) {
                connection.getEndPoint().close();
            }
        }

        void close() {
            FULL.unlessRecent(() -> LOG.warn("connections exhausted, closing one: limit={} address={}", max, address));
            @Nullable SslConnection open = tls;
            if (open == null) {
                IO.close(channel);
            } else {
                open.getEndPoint().close();
            }
        }

        private boolean isIdle() {
            @Nullable SslConnection open = tls;
            return open == null
                    || switch (open.getSslEndPoint().getConnection()) {
                        case HttpConnection http -> http.getHttpChannel().getRequest() == null;
                        case HTTP2ServerConnection http2 ->
                            http2.getSession().getStreams().isEmpty();
                        case NegotiatingServerConnection unshaken -> true;
                        case null, default -> false;
                    };
        }
    }
}
