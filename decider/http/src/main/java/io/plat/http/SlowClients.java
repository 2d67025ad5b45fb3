package io.plat.http;

import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.server.internal.HTTP2ServerConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes the connections of clients whose handshake or request (headers and body) is not complete in time. With the idle timeout alone, a client
 * could hold a connection forever by sending a byte per minute. A slow body is first answered 408; an unread response is aborted. If incomplete
 * headers exceed their total size, the oldest long ones are aborted. On an HTTP/2 connection only the slow request is reset, unless its headers are
 * incomplete.
 */
final class SlowClients extends AbstractLifeCycle {
    private static final String NO_CIPHER_YET = "SSL_NULL_WITH_NULL_NULL";

    /** Maximum total size of long incomplete headers, in bytes: a sixteenth of the heap, as parsing them takes about twice as much. */
    private static final long INCOMPLETE_HEADERS = Runtime.getRuntime().maxMemory() / 16;

    /** Maximum size of a header that is not counted, in bytes, above that of usual requests. */
    private static final int SHORT_HEADER = 4 << 10;

    /** The time of the first byte if there is none yet. */
    private static final long NO_REQUEST = 0;

    private final AbstractConnector connector;
    private final long boundNanos;
    private final long intervalMillis;

    /** Times at which HTTP/2 requests were first seen incomplete, in nanoseconds; only used by one sweep at a time. */
    private Map<Stream, Long> incomplete = new HashMap<>();

    SlowClients(AbstractConnector connector, Duration bound) {
        this.connector = connector;
        this.boundNanos = bound.toNanos();
        this.intervalMillis = Math.clamp(bound.toMillis() / 4, 10, 250);
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
        try {
            closeSlow();
        } finally {
            scheduleNext();
        }
    }

    private void closeSlow() {
        BoundedBody.failSlow(connector, boundNanos);
        UnreadResponses.endSlow(connector, boundNanos);
        Map<Stream, Long> stillIncomplete = new HashMap<>();
        List<Incomplete> headers = new ArrayList<>();
        for (EndPoint endPoint : connector.getConnectedEndPoints()) {
            if (isTooSlow(endPoint)) {
                endPoint.close();
            } else if (endPoint.getConnection() instanceof SslConnection tls) {
                switch (tls.getSslEndPoint().getConnection()) {
                    case HTTP2ServerConnection http2 -> {
                        failSlow(http2, stillIncomplete);
                        if (http2.getSession().getParser() instanceof Http2.HeaderBlocks blocks) {
                            addIncomplete(endPoint, blocks, headers);
                        }
                    }
                    case HttpConnection http -> addIncomplete(endPoint, http.getParser(), headers);
                    case null, default -> {}
                }
            }
        }
        incomplete = stillIncomplete;
        tooMany(headers, INCOMPLETE_HEADERS).forEach(header -> header.endPoint.close());
    }

    /**
     * An incomplete header.
     *
     * @param begin when the request began, in nanoseconds
     * @param length its received size, in bytes
     */
    record Incomplete(EndPoint endPoint, long begin, int length) {}

    private static void addIncomplete(EndPoint endPoint, HttpParser parser, List<Incomplete> headers) {
        int length = parser.getHeaderLength();
        if (length > SHORT_HEADER && parser.inHeaderState()) {
            headers.add(new Incomplete(endPoint, parser.getBeginNanoTime(), length));
        }
    }

    /** Adds the incomplete header of an HTTP/2 connection, during which no other frame may be sent. */
    private void addIncomplete(EndPoint endPoint, Http2.HeaderBlocks blocks, List<Incomplete> headers) {
        int length = blocks.length();
        long begin = blocks.begin();
        if (length > 0 && NanoTime.since(begin) > boundNanos) {
            endPoint.close();
        } else if (length > SHORT_HEADER) {
            headers.add(new Incomplete(endPoint, begin, length));
        }
    }

    /** Returns the oldest headers to abort so that the others fit. */
    static List<Incomplete> tooMany(List<Incomplete> headers, long room) {
        long total = headers.stream().mapToLong(Incomplete::length).sum();
        List<Incomplete> aborted = new ArrayList<>();
        headers.sort((one, other) -> Long.signum(one.begin - other.begin));
        for (Iterator<Incomplete> oldest = headers.iterator(); total > room; ) {
            Incomplete next = oldest.next();
            total -= next.length;
            aborted.add(next);
        }
        return aborted;
    }

    private void failSlow(HTTP2ServerConnection connection, Map<Stream, Long> stillIncomplete) {
        for (Stream stream : connection.getSession().getStreams()) {
            if (stream.isRemotelyClosed()) {
                continue;
            }
            long since = Objects.requireNonNullElseGet(incomplete.get(stream), NanoTime::now);
            if (NanoTime.since(since) > boundNanos) {
                // Also notifies the reader of the body, unlike a mere reset, so that it aborts the request.
                connection.onStreamFailure(stream, new StatusException(BoundedBody.TOO_SLOW), Callback.NOOP);
            } else {
                stillIncomplete.put(stream, since);
            }
        }
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

    /**
     * Returns whether the request in progress is too slow. The parser belongs to another thread and may advance to the next request meanwhile:
     * the time only counts if the same request was in progress before and after reading its state.
     */
    boolean isTooSlow(HttpParser parser) {
        long begin = parser.getBeginNanoTime();
        // A request whose body timed out is being answered.
        return begin != NO_REQUEST
                && NanoTime.since(begin) > boundNanos + TimeUnit.MILLISECONDS.toNanos(2 * intervalMillis)
                && !parser.isIdle()
                && parser.getBeginNanoTime() == begin;
    }
}
