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

/** Connections to one address of a decider, as many as there are questions at a time, kept for the next ones. Safe for use by many threads. */
final class KeptConnections implements AutoCloseable {
    /** More than a server lets in at a time; beyond it a question waits for a connection. */
    private static final int MOST = 2000;

    /** Less than deciders and what stands before them keep a connection that nobody uses. */
    private static final TimeValue KEPT_UNUSED = TimeValue.ofSeconds(30);

    private static final int LONGEST_LINE = 8 << 10;
    private static final int MOST_HEADERS = 100;

    private final RequestConfig settings = RequestConfig.custom()
            // A redirect would let whoever answers choose who decides.
            .setRedirectsEnabled(false)
            .setAuthenticationEnabled(false)
            .setExpectContinueEnabled(false)
            .build();

    private final @Nullable BearerToken token;
    private final PoolingHttpClientConnectionManager pool;
    private final CloseableHttpClient client;
    private volatile boolean closed;

    /**
     * Connections that are made when they are needed.
     *
     * @param address where they lead, whatever name the requests have
     */
    KeptConnections(Endpoint endpoint, InetAddress address, Duration connectTimeout) {
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
                                .setMaxHeaderCount(MOST_HEADERS)
                                .build())
                        .build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(connect)
                        .setSocketTimeout(connect)
                        // Whoever finds a connection closed takes another one; looking first would cost a millisecond.
                        .setValidateAfterInactivity(TimeValue.NEG_ONE_MILLISECOND)
                        .build())
                // A machine that is gone without a word is noticed by a connection that only waits, as a stream of
                // revisions does.
                .setDefaultSocketConfig(SocketConfig.custom()
                        .setSoKeepAlive(true)
                        .setTcpKeepIdle(1)
                        .setTcpKeepInterval(1)
                        .setTcpKeepCount(2)
                        .build())
                .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
                .setMaxConnPerRoute(MOST)
                .setMaxConnTotal(MOST)
                .build();
        this.client = HttpClients.custom()
                .setConnectionManager(pool)
                .setDefaultRequestConfig(settings)
                .setKeepAliveStrategy((response, context) -> KEPT_UNUSED)
                // All connections are this server's, whoever's question they carry.
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
     * Gives a request what all have in common.
     *
     * @param accept the type that is expected of the answer
     * @param wait how long a connection, and then each piece of the answer, is waited for
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

    /** Whether they are used no more. */
    boolean isClosed() {
        return closed;
    }

    /** Closes those that nobody uses now. */
    void forget() {
        pool.closeIdle(TimeValue.ZERO_MILLISECONDS);
    }

    @Override
    public void close() {
        closed = true;
        client.close(CloseMode.IMMEDIATE);
    }
}
