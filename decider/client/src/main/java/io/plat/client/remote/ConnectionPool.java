package io.plat.client.remote;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Pool of connections to one address of a decider, one for each concurrent request. Thread-safe. */
final class ConnectionPool implements AutoCloseable {
    /** Maximum number of connections, more than servers accept from one client; beyond it a request waits. */
    private static final int MAX = 2000;

    /** Idle timeout, shorter than that of deciders and of proxies in front of them. */
    private static final long KEPT_UNUSED = Duration.ofSeconds(30).toNanos();

    private final Endpoint endpoint;
    private final InetSocketAddress address;
    private final int connectMillis;
    private final Semaphore places = new Semaphore(MAX);
    private final Deque<HttpConnection> idle = new ConcurrentLinkedDeque<>();
    private final Set<Exchange> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates a pool that connects on demand.
     *
     * @param address the address to connect to, regardless of the host name of requests
     */
    ConnectionPool(Endpoint endpoint, InetAddress address, Duration connectTimeout) {
        this.endpoint = endpoint;
        int port = endpoint.url().getPort();
        this.address = new InetSocketAddress(address, port < 0 ? 443 : port);
        this.connectMillis = (int) Math.max(1, Math.min(connectTimeout.toMillis(), Integer.MAX_VALUE));
    }

    /** Reader of a response up to the end of its body. If it throws, the connection is closed. */
    @FunctionalInterface
    interface ResponseReader<T> {
        T read(HttpResponse response) throws IOException;
    }

    /**
     * Creates a request with the endpoint's credentials.
     *
     * @param accept the expected type of the response
     * @param body JSON; null for a GET
     * @param wait read timeout
     * @throws IOException if the token cannot be read
     */
    Exchange prepared(URI url, String accept, byte @Nullable [] body, Duration wait) throws IOException {
        Endpoint.Token token = endpoint.token();
        return Exchange.of(url, accept, body, token == null ? "" : token.read(), wait);
    }

    /**
     * Sends a request and reads its response on this thread.
     *
     * @throws IOException if there is no response, or the request was cancelled
     */
    <T> T execute(Exchange exchange, ResponseReader<T> reader) throws IOException {
        enter(exchange);
        @Nullable HttpConnection connection = null;
        boolean reusable = false;
        try {
            connection = connection(exchange);
            HttpResponse response = connection.send(exchange);
            T result = reader.read(response);
            reusable = response.isReusable();
            return result;
        } finally {
            running.remove(exchange);
            reusable &= exchange.end() && !closed;
            if (connection != null) {
                leave(connection, reusable);
            }
            places.release();
        }
    }

    private void enter(Exchange exchange) throws IOException {
        try {
            if (!places.tryAcquire(exchange.waitMillis(), TimeUnit.MILLISECONDS)) {
                throw new SocketTimeoutException("no connection in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        running.add(exchange);
        if (closed) {
            exchange.cancel();
        }
    }

    private HttpConnection connection(Exchange exchange) throws IOException {
        SSLContext context = endpoint.tls().get();
        long since = System.nanoTime() - KEPT_UNUSED;
        for (HttpConnection kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
            if (kept.isUsable(context, since)) {
                return kept;
            }
            kept.abort();
        }
        return HttpConnection.open(address, endpoint.url().getHost(), context, connectMillis, exchange);
    }

    private void leave(HttpConnection connection, boolean reusable) {
        if (!reusable) {
            connection.abort();
            return;
        }
        long now = System.nanoTime();
        connection.idle(now);
        idle.addFirst(connection);
        if (closed) {
            forget();
            return;
        }
        // The last one has been idle the longest, so connections of a peak expire.
        @Nullable HttpConnection oldest = idle.peekLast();
        if (oldest != null && now - oldest.idleSince() > KEPT_UNUSED && idle.removeLastOccurrence(oldest)) {
            oldest.abort();
        }
    }

    /** Returns whether it was closed. */
    boolean isClosed() {
        return closed;
    }

    /** Closes idle connections. */
    void forget() {
        for (HttpConnection kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
            kept.abort();
        }
    }

    /** Cancels requests in progress and closes all connections. */
    @Override
    public void close() {
        closed = true;
        running.forEach(Exchange::cancel);
        forget();
    }
}
