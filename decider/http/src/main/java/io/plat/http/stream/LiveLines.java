package io.plat.http.stream;

import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Live stream of events, a line of text each. Events are queued without waiting; without subscribers they cost one read of a counter. Events that do
 * not fit are dropped and reported as a number. Thread-safe.
 *
 * @param <T> the events
 */
public final class LiveLines<T> implements AutoCloseable {
    private static final byte[] BEFORE = "data: ".getBytes(StandardCharsets.US_ASCII);

    private static final int MAX_SUBSCRIBERS = 16;

    /** Maximum bytes of queued events as they were received; in memory they take a dozen times as much. */
    private static final long MAX_PENDING =
            Math.min(2 << 20, Runtime.getRuntime().maxMemory() / 128);

    /** Size of an event without its review, in bytes. */
    private static final int EVENT = 1 << 10;

    /** Maximum size of a streamed event: in memory, a review is about a dozen times larger. */
    private static final int MAX_EVENT = 16 << 10;

    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);

    private static final Status TOO_MANY = Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "too many subscribers to decisions, please try again later")
            .withRetryAfter(10);
    private static final Status STOPPING = Status.of(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");

    private final BiConsumer<T, ByteArrayOutputStream> text;
    private final ToIntFunction<T> bytes;
    private final AtomicLong pending = new AtomicLong();
    private final AtomicLong missed = new AtomicLong();
    private final EventStreams<LineSubscriber> streams = new EventStreams<>(
            new EventStreams.Settings("live-decisions", MAX_SUBSCRIBERS, HEARTBEAT, WRITE_TIMEOUT, TOO_MANY, STOPPING),
            LineSubscriber::new,
            LineSubscriber::greet);

    /**
     * Creates a stream without subscribers.
     *
     * @param text appends an event as one line of ASCII, with a line feed; called by one thread
     * @param bytes returns the size of an event as received
     */
    public LiveLines(BiConsumer<T, ByteArrayOutputStream> text, ToIntFunction<T> bytes) {
        this.text = text;
        this.bytes = bytes;
    }

    /** Returns whether there are subscribers; if not, events need not be passed on. */
    public boolean hasSubscribers() {
        return streams.admitted() > 0;
    }

    /** Publishes an event. Returns at once. */
    public void publish(T event) {
        if (!hasSubscribers()) {
            return;
        }
        int size = bytes.applyAsInt(event) + EVENT;
        if (size > MAX_EVENT + EVENT || pending.get() + size > MAX_PENDING) {
            missed.incrementAndGet();
            return;
        }
        pending.addAndGet(size);
        streams.later(() -> {
            pending.addAndGet(-size);
            send(event);
        });
    }

    private void send(T event) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        line.writeBytes(BEFORE);
        text.accept(event, line);
        line.write('\n');
        byte[] bytes = line.toByteArray();
        long unseen = missed.getAndSet(0);
        streams.each(subscriber -> {
            if (unseen > 0) {
                subscriber.missed(unseen);
            }
            subscriber.send(bytes);
        });
    }

    /** Answers a request with a stream, or refuses it. */
    public void serve(Request request, Response response, Callback callback) {
        streams.serve(request, response, callback);
    }

    /** Ends the stream of a request, if any; aborts it if it was ended before and still exists. Returns at once. */
    public void end(Request request) {
        streams.end(request);
    }

    /** Ends all streams, gracefully if their clients read in time. Later subscribers are answered 503. Returns at once. */
    public void endAll() {
        streams.endAll();
    }

    @Override
    public void close() {
        streams.close();
    }

    /** The stream of one subscriber. Lines that arrive during a write are queued, up to a limit, and sent with the next one. */
    private static final class LineSubscriber extends EventStream {
        /** Maximum size of the queue of one subscriber, in bytes. */
        static final int MAX_WAITING = 512 << 10;

        private final Deque<byte[]> waiting = new ArrayDeque<>();
        private int bytes;
        private long dropped;

        LineSubscriber(Context context) {
            super(context);
        }

        /** Sends a first event, so that the client knows at once that it was admitted. */
        void greet() {
            heartbeat();
        }

        /** Sends or queues an event. */
        void send(byte[] event) {
            if (bytes + event.length > MAX_WAITING) {
                dropped++;
            } else {
                waiting.add(event);
                bytes += event.length;
            }
            writable();
        }

        /** Reports a number of dropped events. */
        void missed(long number) {
            dropped += number;
            writable();
        }

        @Override
        protected void writable() {
            if (!isFree() || (waiting.isEmpty() && dropped == 0)) {
                return;
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 10);
            if (dropped > 0) {
                out.writeBytes(("event: dropped\ndata: " + dropped + "\n\n").getBytes(StandardCharsets.US_ASCII));
                dropped = 0;
            }
            for (byte[] event = waiting.poll(); event != null; event = waiting.poll()) {
                out.writeBytes(event);
            }
            bytes = 0;
            write(out.toByteArray());
        }

        @Override
        protected void ended() {
            waiting.clear();
        }
    }
}
