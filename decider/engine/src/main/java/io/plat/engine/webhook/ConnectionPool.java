package io.plat.engine.webhook;

import io.plat.review.clientconfig.BearerToken;
import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.NoopHostnameVerifier;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.HttpClientResponseHandler;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/** Pool of connections to one address of a decider, one for each concurrent request. Thread-safe. */
final class ConnectionPool implements AutoCloseable {
    /** More than a server lets in at a time; beyond it a question waits for a connection. */
    private static final int MAX = 2000;

    /** Shorter than the idle timeout of deciders and of proxies before them. */
    private static final TimeValue KEPT_UNUSED = TimeValue.ofSeconds(30);

    private static final int LONGEST_LINE = 8 << 10;
    private static final int MAX_HEADERS = 100;

    private final RequestConfig settings = RequestConfig.custom()
            // A redirect would let the responder choose who decides.
            .setRedirectsEnabled(false)
            .setAuthenticationEnabled(false)
            .setExpectContinueEnabled(false)
            .build();

    private final @Nullable BearerToken token;
    private final PoolingHttpClientConnectionManager pool;
    private final CloseableHttpClient client;
    private volatile boolean closed;

    /**
     * Creates connections on demand.
     *
     * @param address their target, regardless of the host name of requests
     */
    ConnectionPool(Endpoint endpoint, InetAddress address, Duration connectTimeout) {
        this.token = endpoint.token();
        Timeout connect = Timeout.of(connectTimeout);
        this.pool = PoolingHttpClientConnectionManagerBuilder.create()
                // The context's own trust verifies the name, as it knows which one is expected.
                .setTlsSocketStrategy(new DefaultClientTlsStrategy(
                        endpoint.tls(), HostnameVerificationPolicy.BUILTIN, NoopHostnameVerifier.INSTANCE))
                .setDnsResolver(new Only(address))
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .http1Config(Http1Config.custom()
                                .setMaxLineLength(LONGEST_LINE)
                                .setMaxHeaderCount(MAX_HEADERS)
                                .build())
                        .build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(connect)
                        .setSocketTimeout(connect)
                        // A request on a closed connection uses another one; checking first would cost a millisecond.
                        .setValidateAfterInactivity(TimeValue.NEG_ONE_MILLISECOND)
                        .build())
                // A vanished host is detected by a connection that only waits, such as a stream of revisions.
                .setDefaultSocketConfig(SocketConfig.custom()
                        .setSoKeepAlive(true)
                        .setTcpKeepIdle(1)
                        .setTcpKeepInterval(1)
                        .setTcpKeepCount(2)
                        .build())
                .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
                .setMaxConnPerRoute(MAX)
                .setMaxConnTotal(MAX)
                .build();
        this.client = HttpClients.custom()
                .setConnectionManager(pool)
                .setDefaultRequestConfig(settings)
                .setKeepAliveStrategy((response, context) -> KEPT_UNUSED)
                // All connections are this server's, regardless of the users in the requests.
                .disableConnectionState()
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .disableDefaultUserAgent()
                .build();
    }

    /** Finds one address under every name. */
    private record Only(InetAddress address) implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) {
            return new InetAddress[] {address};
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    /**
     * Adds the headers and timeouts of every request.
     *
     * @param accept the expected type of the response
     * @param wait connect and read timeout
     * @return the same request
     * @throws ProblemsException if the token can't be read
     */
    <R extends HttpUriRequestBase> R prepared(R request, String accept, Duration wait) throws ProblemsException {
        Timeout timeout = Timeout.of(wait);
        request.setConfig(RequestConfig.copy(settings)
                .setConnectionRequestTimeout(timeout)
                .setResponseTimeout(timeout)
                .build());
        request.setHeader(HttpHeaders.ACCEPT, accept);
        request.setHeader(HttpHeaders.USER_AGENT, "plat");
        if (token != null) {
            request.setHeader(HttpHeaders.AUTHORIZATION, "Bearer " + token.read());
        }
        return request;
    }

    /**
     * Sends a request and reads its answer on this thread.
     *
     * @throws IOException if there is no answer, be it that the request was given up
     */
    <T> T execute(HttpUriRequestBase request, HttpClientContext context, HttpClientResponseHandler<T> handler)
            throws IOException {
        try {
            return client.execute(request, context, handler);
        } catch (IllegalStateException e) {
            // Its connection may have been taken away between two of the client's steps.
            if (!closed && !request.isCancelled()) {
                throw e;
            }
            throw new IOException("it was given up", e);
        }
    }

    /** Gives a request up, which then fails on its thread. Returns at once. */
    void cancel(HttpUriRequestBase request) {
        try {
            request.cancel();
        } catch (IllegalStateException e) {
            // Closing has given all of them up.
            if (!closed) {
                throw e;
            }
        }
    }

    /** Returns whether they were closed. */
    boolean isClosed() {
        return closed;
    }

    /** Closes idle connections. */
    void forget() {
        pool.closeIdle(TimeValue.ZERO_MILLISECONDS);
    }

    @Override
    public void close() {
        closed = true;
        client.close(CloseMode.IMMEDIATE);
    }
}
