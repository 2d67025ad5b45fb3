package io.plat.http;

import io.plat.http.ListeningConnector.Listening;
import io.plat.http.health.HealthRegistry;
import io.plat.http.metrics.ServerMetrics;
import io.plat.tls.ServerTls;
import io.plat.tls.TlsRules;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening HTTPS server, which accepts connections from {@link #start} to {@link #stop}. Thread-safe. */
public final class HttpsServer {
    private static final Logger LOG = LoggerFactory.getLogger(HttpsServer.class);

    private final Server server;
    private final ServerConnector listener;
    private final InetSocketAddress address;
    private final RequestMetricsHandler observed;
    private final AtomicBoolean announced = new AtomicBoolean();
    private final AtomicBoolean stopping = new AtomicBoolean();

    /**
     * Parts of a server.
     *
     * @param settings address and limits
     * @param tls certificate and client certificates; the server does not close it
     * @param health receives a readiness check that fails during shutdown
     * @param first the handlers in front of all checks, which prepare the response
     * @param steps the handlers behind them, in order. Each either responds, or passes the request on with {@code super.handle}; none may
     * block. A request that none of them answers is answered 404
     */
    public record Parts(
            HttpsSettings settings,
            ServerTls tls,
            HealthRegistry health,
            ServerMetrics metrics,
            List<? extends Handler.Wrapper> first,
            List<? extends Handler.Wrapper> steps) {
        public Parts {
            first = List.copyOf(first);
            steps = List.copyOf(steps);
        }

        private boolean isRelayed(Request request) {
            String path = String.valueOf(request.getHttpURI().getPath());
            return steps.stream().anyMatch(step -> step instanceof RelayedRequests known && known.relays(path));
        }
    }

    private HttpsServer(Parts parts, Listening listening) throws IOException {
        address = (InetSocketAddress) listening.channel().getLocalAddress();
        observed = new RequestMetricsHandler(parts.metrics());
        server = new Server(threads());
        listener = ListeningConnector.create(server, handshakes(parts.tls()), parts.tls(), listening);
        server.addConnector(listener);
        assemble(parts);
        parts.health().ready("shutdown", () -> announced.get() ? "the server is stopping" : "");
    }

    /**
     * Starts a server.
     *
     * @throws IOException if the address cannot be bound; the message is one line for the user
     */
    public static HttpsServer start(Parts parts) throws IOException {
        HttpsSettings settings = parts.settings();
        Listening listening = new Listening(
                ListeningConnector.listen(new InetSocketAddress(settings.bindAddress(), settings.port())),
                settings.limits(),
                settings.http2());
        HttpsServer server = new HttpsServer(parts, listening);
        try {
            server.server.start();
            return server;
        } catch (Exception impossible) {
            // Declared by the library; the address is bound already.
            throw new IllegalStateException("the HTTP server did not start", impossible);
        }
    }

    private static SslContextFactory.Server handshakes(ServerTls tls) {
        SslContextFactory.Server handshakes = new SslContextFactory.Server();
        handshakes.setSslContext(tls.context());
        handshakes.setIncludeProtocols(TlsRules.PROTOCOLS.toArray(String[]::new));
        handshakes.setRenegotiationAllowed(false);
        // The factory configures every engine again, after the context did.
        switch (tls.clients()) {
            case REQUIRED -> handshakes.setNeedClientAuth(true);
            case REQUESTED -> handshakes.setWantClientAuth(true);
        }
        return handshakes;
    }

    private static QueuedThreadPool threads() {
        QueuedThreadPool threads =
                new QueuedThreadPool(Math.max(32, 4 * Runtime.getRuntime().availableProcessors()));
        threads.setName("https");
        threads.setDaemon(true);
        return threads;
    }

    private void assemble(Parts parts) {
        server.setErrorHandler(new StatusResponses.StatusErrorHandler());
        server.setHandler(observed);
        Handler.Wrapper last = then(observed, new UnreadResponses());
        for (Handler.Wrapper step : parts.first()) {
            last = then(last, step);
        }
        last = then(last, new CrossOriginProtection(parts.settings().allowedOrigins(), parts::isRelayed));
        last = then(last, new HeaderChecks(parts.settings().limits().requestHeaders(), parts::isRelayed));
        for (Handler.Wrapper step : parts.steps()) {
            last = then(last, step);
        }
        last.setHandler(new NotFound());
    }

    private static final class NotFound extends Handler.Abstract.NonBlocking {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            StatusResponses.answer(request, response, callback, StatusResponses.of(HttpStatus.NOT_FOUND_404));
            return true;
        }
    }

    private static Handler.Wrapper then(Handler.Wrapper before, Handler.Wrapper after) {
        before.setHandler(after);
        return after;
    }

    /** Returns the address with the actual port. */
    public InetSocketAddress address() {
        return address;
    }

    /** Returns the address as a URL, for example {@code https://127.0.0.1:8443}. */
    public String url() {
        return url(address);
    }

    /** Returns an address as a URL. */
    public static String url(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return "https://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** Makes readiness fail from now on, so that load balancers remove the server; requests are served as before. */
    public void announceStop() {
        announced.set(true);
    }

    /**
     * Stops the server. Readiness fails at once. After a delay, in which requests are served as before, new connections are refused, and
     * requests in progress may finish within a time limit, after which they are aborted. A second call has no effect.
     *
     * @param delay how long to keep serving, for load balancers to notice
     * @param bound time limit for requests in progress after that
     */
    public void stop(Duration delay, Duration bound) throws InterruptedException {
        announceStop();
        if (stopping.getAndSet(true)) {
            return;
        }
        Thread.sleep(delay);
        // Idle connections are closed at the end; a timeout here would abort slow requests.
        listener.setShutdownIdleTimeout(bound.toMillis());
        // Its future also waits for idle connections, which is unnecessary.
        var unused = listener.shutdown();
        Http2.sendGoAway(listener);
        observed.drain();
        if (!observed.awaitDrained(bound)) {
            LOG.warn("requests in progress are aborted after the drain timeout: limit_ms={}", bound.toMillis());
        }
        try {
            server.stop();
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception failed) {
            // Declared by the library; connections are closed even so.
            LOG.warn("a part of the HTTP server could not be stopped", failed);
        }
    }
}
