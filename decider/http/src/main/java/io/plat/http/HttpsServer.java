package io.plat.http;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.plat.http.ListeningConnector.Listening;
import io.plat.http.health.HealthRegistry;
import io.plat.http.metrics.ServerMetrics;
import io.plat.process.Tasks;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import io.plat.tls.ServerTls;
import io.plat.tls.TlsRules;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpURI;
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

    private final Javalin javalin;
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
     * @param steps the handlers in front of the routes, in order. Each either responds, or passes the request on with {@code super.handle}; none may
     * block
     * @param routes the routes behind them
     */
    public record Parts(
            HttpsSettings settings,
            ServerTls tls,
            HealthRegistry health,
            ServerMetrics metrics,
            List<? extends Handler.Wrapper> first,
            List<? extends Handler.Wrapper> steps,
            Consumer<JavalinConfig> routes) {
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
        javalin = Javalin.create(config -> {
            JavalinResponses.configure(config, listening.limits());
            config.jetty.threadPool = threads();
            config.jetty.modifyServer(server -> assemble(server, parts));
            config.jetty.modifyServletContextHandler(
                    servlets -> servlets.setErrorHandler(new StatusResponses.StatusErrorHandler()));
            config.jetty.modifyHttpConfiguration(http -> ListeningConnector.configure(http, listening.limits()));
            config.jetty.addConnector((server, http) ->
                    ListeningConnector.create(server, handshakes(parts.tls()), parts.tls(), http, listening));
            parts.routes().accept(config);
        });
        parts.health().ready("shutdown", () -> announced.get() ? "the server is stopping" : "");
    }

    /**
     * Starts a server.
     *
     * @throws IOException if the address can't be bound; the message is one line for the user
     */
    public static HttpsServer start(Parts parts) throws IOException {
        HttpsSettings settings = parts.settings();
        Listening listening = new Listening(
                ListeningConnector.listen(new InetSocketAddress(settings.bindAddress(), settings.port())),
                settings.limits(),
                settings.http2());
        HttpsServer server = new HttpsServer(parts, listening);
        server.javalin.start();
        return server;
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

    private void assemble(Server server, Parts parts) {
        server.setErrorHandler(new StatusResponses.StatusErrorHandler());
        server.setHandler(observed);
        Handler.Wrapper last = then(observed, new UnreadAnswers());
        for (Handler.Wrapper step : parts.first()) {
            last = then(last, step);
        }
        last = then(last, new CrossOriginProtection(parts.settings().allowedOrigins(), parts::isRelayed));
        last = then(last, new HeaderChecks(parts.settings().limits().requestHeaders(), parts::isRelayed));
        for (Handler.Wrapper step : parts.steps()) {
            last = then(last, step);
        }
        last = then(last, new UnambiguousPaths());
        then(last, new VirtualThreadHandler());
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
        String host = address.getAddress().getHostAddress();
        return "https://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** Makes readiness fail from now on, so that load balancers remove the server; requests are served as before. */
    public void announceStop() {
        announced.set(true);
    }

    /**
     * Stops the server. Readiness fails from now on. After a delay, in which requests are served as before, no further connection is accepted, and
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
        ServerConnector listener =
                (ServerConnector) javalin.jettyServer().server().getConnectors()[0];
        // Idle connections are closed at the end; a timeout here would abort slow requests.
        listener.setShutdownIdleTimeout(bound.toMillis());
        // Its future also waits for idle connections, which is unnecessary.
        var unused = listener.shutdown();
        Http2.sendGoAway(listener);
        observed.drain();
        if (!observed.awaitDrained(bound)) {
            LOG.warn("requests in progress are aborted after the drain timeout: limit_ms={}", bound.toMillis());
        }
        javalin.stop();
    }

    /**
     * Rejects paths that a route could read differently from an authorizer: encoded slashes, dot segments, empty segments, path parameters, invalid
     * UTF-8. Handlers in front of this one receive the path as sent.
     */
    private static final class UnambiguousPaths extends Handler.Wrapper {
        private static final Status REFUSED = Status.of(
                StatusReason.BAD_REQUEST, "the request path is ambiguous: expected a plain path such as /readyz");

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            HttpURI uri = request.getHttpURI();
            String path = uri.getPath();
            if (path == null || !path.startsWith("/") || uri.hasViolations() || !isPlain(path)) {
                StatusResponses.answer(request, response, callback, REFUSED);
                return true;
            }
            return super.handle(request, response, callback);
        }

        private static boolean isPlain(String path) {
            return path.indexOf(';') < 0
                    && path.indexOf('\\') < 0
                    && !path.contains("//")
                    && !path.contains("/./")
                    && !path.contains("/../")
                    && !path.endsWith("/.")
                    && !path.endsWith("/..");
        }
    }

    /**
     * Boundary between non-blocking and blocking handlers: the handlers after it run on a virtual thread per request. It declares itself
     * non-blocking, so that the handlers in front of it run on the thread that read the request.
     */
    private static final class VirtualThreadHandler extends Handler.Wrapper {
        private final ExecutorService threads = Tasks.virtualThreads("request");

        @Override
        public InvocationType getInvocationType() {
            return InvocationType.NON_BLOCKING;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            threads.execute(() -> handleHere(request, response, callback));
            return true;
        }

        private void handleHere(Request request, Response response, Callback callback) {
            try {
                if (!super.handle(request, response, callback)) {
                    Response.writeError(request, response, callback, 404);
                }
                // All throwables, as this thread has no caller that could handle them.
            } catch (Throwable failure) {
                Response.writeError(request, response, callback, failure);
            }
        }

        @Override
        protected void doStop() throws Exception {
            super.doStop();
            threads.shutdownNow();
        }
    }
}
