package io.plat.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections whose client is too slow to be one: a handshake or a request, headers and body, that is not complete in
 * time. The idle timeout alone would let a client hold a connection for ever with a byte a minute.
 */
final class SlowClients extends AbstractLifeCycle {
    private static final String NO_CIPHER_YET = "SSL_NULL_WITH_NULL_NULL";

    private final AbstractConnector connector;
    private final long boundNanos;
    private final long intervalMillis;

    SlowClients(AbstractConnector connector, Duration bound) {
        this.connector = connector;
        this.boundNanos = bound.toNanos();
        this.intervalMillis = Math.clamp(bound.toMillis() / 4, 10, 1000);
    }

    @Override
    protected void doStart() {
        scheduleNext();
    }

    private void scheduleNext() {
        Scheduler scheduler = connector.getScheduler();
        if (scheduler.isRunning()) {
            scheduler.schedule(this::sweep, intervalMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void sweep() {
        if (!isRunning()) {
            return;
        }
        for (EndPoint endPoint : connector.getConnectedEndPoints()) {
            if (isTooSlow(endPoint)) {
                endPoint.close();
            }
        }
        scheduleNext();
    }

    private boolean isTooSlow(EndPoint endPoint) {
        Connection connection = endPoint.getConnection();
        if (!(connection instanceof SslConnection tls)) {
            return false;
        }
        if (NO_CIPHER_YET.equals(tls.getSSLEngine().getSession().getCipherSuite())) {
            long age = System.currentTimeMillis() - endPoint.getCreatedTimeStamp();
            return TimeUnit.MILLISECONDS.toNanos(age) > boundNanos;
        }
        return tls.getSslEndPoint().getConnection() instanceof HttpConnection http && isTooSlow(http.getParser());
    }

    private boolean isTooSlow(HttpParser parser) {
        return !parser.isIdle() && NanoTime.since(parser.getBeginNanoTime()) > boundNanos;
    }
}
