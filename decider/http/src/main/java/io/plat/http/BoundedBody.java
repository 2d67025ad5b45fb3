package io.plat.http;

import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Non-blocking reader of a whole request body. A body with a too large Content-Length is rejected before it is read, one that turns out to be too
 * large as soon as that is known. The total memory of large bodies in progress is bounded, and clients share it: beyond that the response is 429,
 * also for an unfinished body whose memory another client needs.
 *
 * <p>The receiver is called exactly once: on the calling thread if the body is available, else on the thread that reads the rest. It must not block.
 */
public final class BoundedBody {
    private static final Logger LOG = LoggerFactory.getLogger(BoundedBody.class);
    private static final int FIRST_CAPACITY = 1024;

    /** Size above which bodies share the memory limit, as do smaller ones that have to be awaited. */
    private static final int SMALL = 8 << 10;

    /** Memory that is reserved with the first bytes of a larger body: enough for a usual review, and little for a body that never arrives. */
    private static final int BEFORE_MORE = 4 << 10;

    /** Minimum average rate of a body after the grace period, in bytes per second. */
    private static final int MIN_RATE = 240;

    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

    static final Status TOO_SLOW =
            StatusResponses.of(HttpStatus.REQUEST_TIMEOUT_408, "the request was not complete in time");

    /** Incomplete bodies. */
    private static final Set<BoundedBody> AWAITED = ConcurrentHashMap.newKeySet();

    private final Request request;
    private final int limit;
    private final Receiver receiver;
    private final Runnable resume = Invocable.from(Invocable.InvocationType.NON_BLOCKING, this::readOn);
    /** Memory that is reserved with the first bytes, none before. */
    private final int expected;

    private byte[] bytes = {};
    private int length;
    private FairLimit.@Nullable Share share;
    private long reserved;
    private boolean awaited;
    private long awaitedSince;
    private volatile int arrived;

    /** Guarded by this: whether the memory was withdrawn, and whether the body has been handed over. */
    private boolean withdrawn;

    private boolean complete;

    private BoundedBody(Request request, int limit, int expected, Receiver receiver) {
        this.request = request;
        this.limit = limit;
        this.receiver = receiver;
        this.expected = expected;
    }

    /** Receiver of a body, or of the failure to read it. */
    public interface Receiver {
        /**
         * Handles the whole body.
         *
         * @param bytes owned by the receiver; only the first {@code length} belong to the body
         * @param length the number of bytes
         */
        void received(byte[] bytes, int length);

        /** Handles a body that is not available yet. Called at most once, before waiting for it. */
        default void awaited() {}

        /**
         * Handles a failure.
         *
         * @param cause a {@link StatusException} with the response, else the connection failed
         */
        void failed(Throwable cause);
    }

    /**
     * Reads the body of a request.
     *
     * @param limit maximum size of the body, in bytes
     */
    public static void read(Request request, int limit, Receiver receiver) {
        long announced = request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
        if (announced > limit) {
            receiver.failed(tooLarge(limit));
            return;
        }
        int expected = announced >= 0 ? (int) Math.min(announced, SMALL) : Math.min(limit, FIRST_CAPACITY);
        new BoundedBody(request, limit, expected, receiver).readOn();
    }

    /** Aborts bodies that are overdue or arrive too slowly, and notifies their receivers. */
    static void failSlow(Connector connector, long boundNanos) {
        AWAITED.removeIf(body ->
                body.request.getConnectionMetaData().getConnector() == connector && body.failsAsSlow(boundNanos));
    }

    private boolean failsAsSlow(long boundNanos) {
        long nanos = NanoTime.since(awaitedSince);
        boolean slow = nanos > GRACE_NANOS && arrived < MIN_RATE * TimeUnit.NANOSECONDS.toSeconds(nanos);
        boolean lost = isWithdrawn();
        if (!lost && !slow && nanos <= boundNanos) {
            return false;
        }
        try {
            request.fail(new StatusException(lost ? LargeBodyMemory.refused() : TOO_SLOW));
        } catch (RuntimeException arrives) {
            // The rest is arriving now, on another thread.
            LOG.debug("aborting a body failed, closing its connection", arrives);
            UnreadResponses.end(request);
        }
        return true;
    }

    private void readOn() {
        if (!read()) {
            if (!awaited) {
                awaited = true;
                awaitedSince = NanoTime.now();
                if (!reserve(UnreadResponses.OVERHEAD)) {
                    receiver.failed(new StatusException(LargeBodyMemory.refused()));
                    return;
                }
                AWAITED.add(this);
                receiver.awaited();
            }
            request.demand(resume);
        } else if (awaited) {
            AWAITED.remove(this);
        }
    }

    /** Reads the available data; returns whether the receiver was called. */
    private boolean read() {
        while (true) {
            Content.@Nullable Chunk chunk = request.read();
            if (chunk == null) {
                return false;
            }
            if (Content.Chunk.isFailure(chunk)) {
                receiver.failed(chunk.getFailure());
                return true;
            }
            boolean last = chunk.isLast();
            @Nullable StatusException failure = take(chunk);
            chunk.release();
            if (failure != null) {
                withdraw();
                if (share != null) {
                    share.release();
                }
                receiver.failed(failure);
                return true;
            }
            if (last) {
                handOver();
                return true;
            }
        }
    }

    private void handOver() {
        byte[] whole;
        synchronized (this) {
            complete = !withdrawn;
            whole = bytes;
        }
        if (!complete) {
            receiver.failed(new StatusException(LargeBodyMemory.refused()));
            return;
        }
        if (share != null) {
            share.settle();
        }
        receiver.received(whole, length);
    }

    /** Drops the received part, as another client needs the memory. Other threads use the connection; the next one aborts the request. */
    private synchronized void withdraw() {
        if (!complete) {
            withdrawn = true;
            bytes = new byte[0];
        }
    }

    private synchronized boolean isWithdrawn() {
        return withdrawn;
    }

    private @Nullable StatusException take(Content.Chunk chunk) {
        int more = chunk.remaining();
        if (more > limit - length) {
            return tooLarge(limit);
        }
        if (length + more > bytes.length) {
            long wanted = length == 0 ? Math.min(expected, BEFORE_MORE) : 2L * bytes.length;
            int capacity = (int) Math.min(limit, Math.max(length + more, wanted));
            if (capacity > SMALL && !reserve((long) LargeBodyMemory.EXPANSION * capacity)) {
                return new StatusException(LargeBodyMemory.refused());
            }
            grow(capacity);
        }
        synchronized (this) {
            if (withdrawn) {
                return new StatusException(LargeBodyMemory.refused());
            }
            chunk.get(bytes, length, more);
        }
        length += more;
        arrived = length;
        return null;
    }

    private synchronized void grow(int capacity) {
        if (!withdrawn) {
            bytes = Arrays.copyOf(bytes, capacity);
        }
    }

    private boolean reserve(long memory) {
        FairLimit.@Nullable Share own = share;
        if (own == null) {
            FairLimit.Share made = LargeBodyMemory.share(RequestClient.of(request), this::withdraw);
            // Data of a body is live until the response to its request, or longer if the receiver retains it.
            Request.addCompletionListener(request, failure -> made.release());
            share = made;
            own = made;
        }
        boolean grown = own.grow(Math.max(0, memory - reserved));
        reserved = Math.max(reserved, memory);
        return grown;
    }

    private static StatusException tooLarge(int limit) {
        return new StatusException(Status.of(
                StatusReason.REQUEST_ENTITY_TOO_LARGE, "request body is too large: limit is " + limit + " bytes"));
    }
}
