package io.plat.http;

import io.plat.http.metrics.ServerMetrics;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;

/**
 * The first handler: counts and times every request to the end of its response, and during shutdown tells clients to close their connections, so that
 * they send new requests to other servers.
 */
final class RequestMetricsHandler extends Handler.Wrapper {
    private final ServerMetrics metrics;
    private final CountDownLatch drained = new CountDownLatch(1);
    private volatile boolean draining;

    RequestMetricsHandler(ServerMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        metrics.requestBegan();
        Request.addCompletionListener(request, failure -> ended(request, response));
        if (draining
                && request.getConnectionMetaData().getHttpVersion().getVersion() <= HttpVersion.HTTP_1_1.getVersion()) {
            response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        }
        return super.handle(request, response, callback);
    }

    private void ended(Request request, Response response) {
        metrics.requestEnded(request.getMethod(), response.getStatus(), NanoTime.since(request.getHeadersNanoTime()));
        if (draining) {
            openWhenDrained();
        }
    }

    private void openWhenDrained() {
        if (metrics.requestsInFlight() == 0) {
            drained.countDown();
        }
    }

    /** Starts asking clients to close their connections. */
    void drain() {
        draining = true;
        openWhenDrained();
    }

    /** Waits until no request is in progress; returns false on a timeout. */
    boolean awaitDrained(Duration bound) throws InterruptedException {
        return drained.await(bound.toNanos(), TimeUnit.NANOSECONDS);
    }
}
