package io.plat.http.stream;

import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;

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
    /** The first event is a heartbeat, so that the client knows at once that it was admitted. */
    private final EventStreams streams = new EventStreams(
            new EventStreams.Settings("live-decisions", MAX_SUBSCRIBERS, HEARTBEAT, WRITE_TIMEOUT, TOO_MANY, STOPPING),
            () -> EventStream.HEARTBEAT);

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
        streams.send(line.toByteArray(), missed.getAndSet(0));
    }

    /** Returns the streams of the subscribers. */
    public EventStreams streams() {
        return streams;
    }

    @Override
    public void close() {
        streams.close();
    }
}
