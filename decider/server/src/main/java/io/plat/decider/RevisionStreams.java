package io.plat.decider;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.http.stream.EventStream;
import io.plat.http.stream.EventStreams;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Handler of {@code GET /revisions}: server-sent events with the policy revision in effect, now and at each change. Thread-safe; nothing in it waits for
 * a client, and only a subscriber that does not read is disconnected.
 */
final class RevisionStreams extends Handler.Wrapper implements AutoCloseable {
    private static final String PATH = "/revisions";
    private static final Status TOO_MANY = Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "too many subscribers to revisions, please try again later")
            .withRetryAfter(10);
    private static final Status STOPPING = Status.of(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping")
            .withRetryAfter(1);

    private final Supplier<String> present;
    private final EventStreams<Subscriber> streams;

    /**
     * Creates a handler for a thousand servers, with several heartbeats within a client's read timeout.
     *
     * @param present supplies the current revision
     */
    public RevisionStreams(Supplier<String> present, MeterRegistry registry) {
        this(1000, Duration.ofSeconds(1), Duration.ofSeconds(10), present, registry);
    }

    RevisionStreams(
            int subscribers,
            Duration heartbeat,
            Duration writeTimeout,
            Supplier<String> present,
            MeterRegistry registry) {
        this.present = present;
        this.streams = new EventStreams<>(
                new EventStreams.Settings("revisions", subscribers, heartbeat, writeTimeout, TOO_MANY, STOPPING),
                Subscriber::new,
                subscriber -> subscriber.send(present.get()));
        Gauge.builder("policy.revision.subscribers", streams, EventStreams::admitted)
                .description("Connected clients of /revisions.")
                .register(registry);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!PATH.equals(request.getHttpURI().getPath())) {
            return super.handle(request, response, callback);
        }
        streams.serve(request, response, callback);
        return true;
    }

    /** Publishes the current revision. Returns at once. */
    public void changed() {
        streams.later(() -> {
            // Read here, so that after concurrent changes the last event has the last revision.
            String revision = present.get();
            streams.each(subscriber -> subscriber.send(revision));
        });
    }

    /** Ends all streams, gracefully if their clients read in time. Later subscribers are answered 503. Returns at once. */
    public void endAll() {
        streams.endAll();
    }

    @Override
    public void close() {
        streams.close();
    }

    /** A subscriber to revisions. Nothing is queued during a write: only the revision in effect after it matters. */
    static final class Subscriber extends EventStream {
        private String sent = "";
        private String present = "";

        Subscriber(Context context) {
            super(context);
        }

        /** Sends a revision, unless a write is in progress. */
        void send(String revision) {
            present = revision;
            if (isFree() && !sent.equals(present)) {
                sent = present;
                write(("id: " + sent + "\ndata: " + sent + "\n\n").getBytes(StandardCharsets.US_ASCII));
            }
        }

        @Override
        protected void writable() {
            send(present);
        }
    }
}
