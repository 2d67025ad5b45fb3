package io.plat.decider.live;

import io.plat.decider.log.Decided;
import io.plat.decider.log.DecisionText;
import io.plat.http.StatusAnswers;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The handler of {@code /decisions} and all who look on there. Safe for any number of threads; nothing in it waits. */
public final class LiveDecisions extends Handler.Wrapper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveDecisions.class);
    private static final String PATH = "/decisions";
    private static final byte[] BEFORE = "data: ".getBytes(StandardCharsets.US_ASCII);

    private static final int MOST_ONLOOKERS = 16;
    private static final int MOST_PENDING = 1_000;

    /** What is asked with more is not shown: a review in memory is some dozen times as large as its bytes. */
    private static final int LARGEST_REVIEW = 16 << 10;

    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LAST_WORDS_SECONDS = 2;

    private static final Status METHOD = Status.of(
            StatusReason.METHOD_NOT_ALLOWED, "the server does not allow this method on the requested resource");
    private static final Status TOO_MANY = Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "too many look on at decisions, please try again later")
            .withDetails(new Status.Details("", "", "", "", List.of(), 10));
    private static final Status STOPPING = Status.of(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");

    private final DecisionText text;
    private final Function<Request, @Nullable Status> admission;
    private final AtomicInteger admitted = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicLong missed = new AtomicLong();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("live-decisions").factory());

    /** Touched by the one thread only, as is what follows. */
    private final Set<Onlooker> onlookers = new HashSet<>();

    private boolean ending;

    /**
     * Nobody looks on yet.
     *
     * @param text writes decisions
     * @param admission why a client may not look on, or null
     */
    public LiveDecisions(DecisionText text, Function<Request, @Nullable Status> admission) {
        this.text = text;
        this.admission = admission;
        var unused = thread.scheduleWithFixedDelay(
                this::beat, HEARTBEAT.toMillis(), HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether anybody looks on: else decisions need not be told of. */
    public boolean isWatched() {
        return admitted.get() > 0;
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
        later(() -> {
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
        for (Onlooker onlooker : List.copyOf(onlookers)) {
            if (unseen > 0) {
                onlooker.missed(unseen);
            }
            onlooker.tell(bytes);
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!PATH.equals(request.getHttpURI().getPath())) {
            return super.handle(request, response, callback);
        }
        @Nullable Status refusal = refusal(request, response);
        if (refusal != null) {
            StatusAnswers.answer(request, response, callback, refusal);
            return true;
        }
        Onlooker.Http http = new Onlooker.Http(request, response, callback);
        try {
            thread.execute(() -> join(http));
        } catch (RejectedExecutionException stopped) {
            admitted.decrementAndGet();
            StatusAnswers.answer(request, response, callback, STOPPING);
        }
        return true;
    }

    private @Nullable Status refusal(Request request, Response response) {
        @Nullable Status refused = admission.apply(request);
        if (refused != null) {
            return refused;
        }
        if (!HttpMethod.GET.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET");
            return METHOD;
        }
        if (admitted.incrementAndGet() > MOST_ONLOOKERS) {
            admitted.decrementAndGet();
            return TOO_MANY;
        }
        return null;
    }

    private void join(Onlooker.Http http) {
        if (ending) {
            admitted.decrementAndGet();
            StatusAnswers.answer(http.request(), http.response(), http.callback(), STOPPING);
            return;
        }
        Onlooker onlooker = new Onlooker(http, this::later, this::leave);
        onlookers.add(onlooker);
        onlooker.begin();
    }

    private void leave(Onlooker onlooker) {
        if (onlookers.remove(onlooker)) {
            admitted.decrementAndGet();
        }
    }

    private void later(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException stopped) {
            // Every connection is being closed.
            LOG.debug("a onlooker was heard of after the end");
        }
    }

    private void beat() {
        try {
            List.copyOf(onlookers).forEach(onlooker -> onlooker.beat(PATIENCE.toNanos()));
        } catch (RuntimeException bug) {
            // The next heartbeat would not come.
            LOG.error("those who look on at decisions could not be told that there is no news", bug);
        }
    }

    /** Ends every stream, as complete where its client takes that in time. Later onlookers are answered 503. Returns at once. */
    public void endAll() {
        later(() -> {
            ending = true;
            List.copyOf(onlookers).forEach(Onlooker::end);
        });
        var unused = thread.schedule(this::cutOff, LAST_WORDS_SECONDS, TimeUnit.SECONDS);
    }

    private void cutOff() {
        List.copyOf(onlookers)
                .forEach(onlooker -> onlooker.cutOff(new TimeoutException("the server has waited long enough")));
    }

    /** Serves nobody any more. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
