package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.follow.SourceException.Kind;
import io.plat.engine.rbac.served.ReceivedObject;
import io.plat.engine.rbac.served.ServedEvent;
import io.plat.engine.rbac.served.ServedJson;
import io.plat.engine.rbac.served.ServedPage;
import io.plat.review.ApiGroups;
import io.plat.review.codec.MalformedResponseException;
import io.plat.review.source.BoundedLines;
import io.plat.review.source.Quoted;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The list and watch requests of a follower, from the request to the decoded response or failure. */
final class RoleRequests {
    private static final String ROOT = "/apis/" + ApiGroups.RBAC + "/v1/";
    private static final int STATUS_BYTES = 64 << 10;
    /** Divisor of the chunk size after a response that is too long. */
    private static final int SMALLER = 8;
    /** Maximum number of events in a batch. */
    private static final int PORTION = 1000;

    private final Transport transport;
    private final Limits limits;
    private final Timing timing;
    private final LongSupplier nanoTime;
    /** Held while a response is decoded, which takes many times its size: one at a time, regardless of type. */
    private final Object decoding = new Object();
    /** Memory of the objects of incomplete lists of all types. */
    private final AtomicLong listed = new AtomicLong();

    RoleRequests(Transport transport, Limits limits, Timing timing, LongSupplier nanoTime) {
        this.transport = transport;
        this.limits = limits;
        this.timing = timing;
        this.nanoTime = nanoTime;
    }

    /** Handler of received events, in order. */
    @FunctionalInterface
    interface Events {
        void handle(List<ServedEvent> events) throws SourceException;
    }

    /** Reader of a successful response. */
    @FunctionalInterface
    private interface Reading<T> {
        T read(InputStream body) throws IOException, SourceException, MalformedResponseException;
    }

    /**
     * Lists every object of a type, as one page.
     *
     * @param chunked whether to request chunks, or everything at once
     */
    ServedPage list(RbacKind kind, boolean chunked) throws SourceException {
        AtomicLong memory = new AtomicLong();
        try {
            return list(kind, chunked ? limits.chunk() : 0, memory);
        } finally {
            listed.addAndGet(-memory.get());
        }
    }

    private ServedPage list(RbacKind kind, int firstSize, AtomicLong memory) throws SourceException {
        List<ReceivedObject> items = new ArrayList<>();
        List<String> nameless = new ArrayList<>();
        String version = "";
        String next = "";
        int size = firstSize;
        for (int page = 0; page == 0 || !next.isEmpty(); page++) {
            ServedPage read;
            try {
                read = chunk(kind, size, next);
            } catch (SourceException failure) {
                if (failure.kind() != Kind.TOO_LONG || size == 1) {
                    throw failure;
                }
                // The objects are large: fewer of them are requested at a time.
                size = size == 0 ? limits.chunk() : Math.max(1, size / SMALLER);
                page--;
                continue;
            }
            long more = read.items().stream().mapToLong(ReceivedObject::bytes).sum()
                    + read.nameless().stream().mapToLong(String::length).sum();
            memory.addAndGet(more);
            long all = listed.addAndGet(more);
            items.addAll(read.items());
            nameless.addAll(read.nameless());
            if (page == 0) {
                version = read.version();
            }
            if (version.isEmpty() || !read.version().equals(version)) {
                throw malformed("a list has the resource version " + Quoted.of(read.version())
                        + (page == 0 ? "" : " after " + Quoted.of(version)));
            }
            if (items.size() + nameless.size() > limits.objects() || all > limits.memory() || page > limits.pages()) {
                throw limits.exceeded();
            }
            next = read.next();
        }
        return new ServedPage(version, "", items, nameless);
    }

    /** Returns the server's current resource version, from a list of one object. */
    String version(RbacKind kind) throws SourceException {
        return chunk(kind, 1, "").version();
    }

    private ServedPage chunk(RbacKind kind, int limit, String next) throws SourceException {
        String query = "?limit=" + limit
                + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
        return send(kind.resource() + query, timing.answer(), body -> page(kind, read(body, limits.pageBytes())));
    }

    private ServedPage page(RbacKind kind, byte[] body) throws MalformedResponseException {
        synchronized (decoding) {
            return ServedJson.page(kind, body);
        }
    }

    private ServedEvent event(RbacKind kind, byte[] line) throws MalformedResponseException {
        synchronized (decoding) {
            return ServedJson.event(kind, line);
        }
    }

    /**
     * Watches a type until the server ends the watch.
     *
     * @param version the version to start from
     * @param seconds the requested duration
     * @param events handles events; the watch continues when it returns
     */
    void watch(RbacKind kind, String version, long seconds, Events events) throws SourceException {
        String query = "?watch=1&allowWatchBookmarks=true&resourceVersion="
                + URLEncoder.encode(version, StandardCharsets.UTF_8) + "&timeoutSeconds=" + seconds;
        Duration silence = Duration.ofSeconds(seconds).plus(timing.silence());
        send(kind.resource() + query, silence, body -> {
            stream(kind, body, events);
            return true;
        });
    }

    private void stream(RbacKind kind, InputStream body, Events events) throws IOException, SourceException {
        BoundedLines lines = new BoundedLines(body, limits.eventBytes());
        List<ServedEvent> received = new ArrayList<>();
        int bytes = 0;
        try {
            for (byte[] line = lines.next(); line != null && lines.isComplete(); line = lines.next()) {
                ServedEvent event = event(kind, line);
                if (event instanceof ServedEvent.Failure failure) {
                    deliver(received, events);
                    throw failureOf(failure);
                }
                received.add(event);
                bytes += line.length;
                if (received.size() >= PORTION || bytes > limits.eventBytes() || !lines.isReady()) {
                    deliver(received, events);
                    bytes = 0;
                }
            }
        } catch (BoundedLines.LineTooLongException | MalformedResponseException e) {
            deliver(received, events);
            throw malformed(String.valueOf(e.getMessage()));
        }
        deliver(received, events);
        if (!lines.isComplete()) {
            throw new SourceException(Kind.UNREACHABLE, "a watch ended in the middle of an event");
        }
    }

    private static void deliver(List<ServedEvent> received, Events events) throws SourceException {
        if (!received.isEmpty()) {
            events.handle(List.copyOf(received));
            received.clear();
        }
    }

    private static SourceException failureOf(ServedEvent.Failure failure) {
        String message = "a watch ended: " + failure.code() + " " + SourceException.line(failure.message());
        return new SourceException(failure.isGone() ? Kind.GONE : Kind.REFUSED, message);
    }

    private <T> T send(String target, Duration silence, Reading<T> reading) throws SourceException {
        try (Transport.Answer answer = transport.get(ROOT + target, silence)) {
            if (answer.code() != 200) {
                throw refusal(answer, new TimedBody(answer.body(), silence));
            }
            if (!ServedJson.isJson(answer.contentType())) {
                throw malformed("an answer has the type " + Quoted.of(answer.contentType()));
            }
            return reading.read(new TimedBody(answer.body(), silence));
        } catch (MalformedResponseException e) {
            throw malformed(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw SourceException.of(e);
        }
    }

    private static SourceException refusal(Transport.Answer answer, InputStream in)
            throws IOException, SourceException {
        byte[] body = read(in, STATUS_BYTES);
        String message;
        try {
            message = ServedJson.isJson(answer.contentType())
                    ? ": " + SourceException.line(ServedJson.status(body).message())
                    : "";
        } catch (MalformedResponseException noStatus) {
            // The status code is sufficient; the body is optional.
            message = "";
        }
        return new SourceException(
                answer.code() == 410 ? Kind.GONE : Kind.REFUSED,
                "HTTP " + answer.code() + message,
                answer.retryAfter());
    }

    private static SourceException malformed(String what) {
        return new SourceException(Kind.MALFORMED, what);
    }

    private static byte[] read(InputStream body, int maxBytes) throws IOException, SourceException {
        byte[] all = body.readNBytes(maxBytes + 1);
        if (all.length > maxBytes) {
            throw new SourceException(Kind.TOO_LONG, "an answer is longer than " + maxBytes + " bytes");
        }
        return all;
    }

    /** A body with a time limit for all of it. */
    private final class TimedBody extends FilterInputStream {
        private final Duration within;
        private final long end;

        TimedBody(InputStream body, Duration within) {
            super(body);
            this.within = within;
            this.end = nanoTime.getAsLong() + within.toNanos();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            if (nanoTime.getAsLong() - end > 0) {
                throw new IOException("a response takes more than " + within.toSeconds() + " s");
            }
            return read;
        }
    }
}
