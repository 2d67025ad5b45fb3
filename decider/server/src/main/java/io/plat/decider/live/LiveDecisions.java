package io.plat.decider.live;

import io.plat.decider.log.Decided;
import io.plat.decider.log.DecisionText;
import io.plat.decider.stream.EventStreams;
import io.plat.http.StatusAnswers;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** The handler of {@code /decisions} and all who look on there. Safe for any number of threads; nothing in it waits. */
public final class LiveDecisions extends Handler.Wrapper implements AutoCloseable {
    private static final String PATH = "/decisions";
    private static final byte[] BEFORE = "data: ".getBytes(StandardCharsets.US_ASCII);

    private static final int MOST_ONLOOKERS = 16;
    private static final int MOST_PENDING = 1_000;

    /** What is asked with more is not shown: a review in memory is some dozen times as large as its bytes. */
    private static final int LARGEST_REVIEW = 16 << 10;

    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Status TOO_MANY = Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "too many look on at decisions, please try again later")
            .withDetails(new Status.Details("", "", "", "", List.of(), 10));
    private static final Status STOPPING = Status.of(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");

    private final DecisionText text;
    private final Function<Request, @Nullable Status> admission;
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicLong missed = new AtomicLong();
    private final EventStreams<Onlooker> streams = new EventStreams<>(
            new EventStreams.Settings("live-decisions", MOST_ONLOOKERS, HEARTBEAT, PATIENCE, TOO_MANY, STOPPING),
            Onlooker::new,
            Onlooker::greet);

    /**
     * Nobody looks on yet.
     *
     * @param text writes decisions
     * @param admission why a client may not look on, or null
     */
    public LiveDecisions(DecisionText text, Function<Request, @Nullable Status> admission) {
        this.text = text;
        this.admission = admission;
    }

    /** Whether anybody looks on: else decisions need not be told of. */
    public boolean isWatched() {
        return streams.admitted() > 0;
    }

    /** A decision was made. Returns at once. */
    public void made(Decided decided) {
        if (!isWatched()) {
            return;
        }
        if (decided.reviewBytes() > LARGEST_REVIEW || pending.get() >= MOST_PENDING) {
            missed.incrementAndGet();
            return;
        }
        pending.incrementAndGet();
        streams.later(() -> {
            pending.decrementAndGet();
            tell(decided);
        });
    }

    private void tell(Decided decided) {
        ByteArrayOutputStream event = new ByteArrayOutputStream(512);
        event.writeBytes(BEFORE);
        // One line of ASCII and its end.
        text.write(decided, event);
        event.write('\n');
        byte[] bytes = event.toByteArray();
        long unseen = missed.getAndSet(0);
        streams.each(onlooker -> {
            if (unseen > 0) {
                onlooker.missed(unseen);
            }
            onlooker.tell(bytes);
        });
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!PATH.equals(request.getHttpURI().getPath())) {
            return super.handle(request, response, callback);
        }
        @Nullable Status refusal = admission.apply(request);
        if (refusal == null) {
            streams.serve(request, response, callback);
        } else {
            StatusAnswers.answer(request, response, callback, refusal);
        }
        return true;
    }

    /** Ends every stream, as complete where its client takes that in time. Later onlookers are answered 503. Returns at once. */
    public void endAll() {
        streams.endAll();
    }

    /** Serves nobody any more. */
    @Override
    public void close() {
        streams.close();
    }
}
