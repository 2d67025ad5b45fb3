package io.plat.decider.revision;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.http.StatusAnswers;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
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
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The handler of {@code /revisions} and all who listen there. Safe for any number of threads; nothing in it waits for a client. */
public final class RevisionStreams extends Handler.Wrapper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RevisionStreams.class);
    private static final String PATH = "/revisions";
    private static final int LAST_WORDS_SECONDS = 2;
    private static final Status METHOD = Status.of(
            StatusReason.METHOD_NOT_ALLOWED, "the server does not allow this method on the requested resource");
    private static final Status TOO_MANY = Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "too many follow the revisions, please try again later")
            .withDetails(new Status.Details("", "", "", "", List.of(), 10));
    private static final Status STOPPING = Status.of(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping")
            .withDetails(new Status.Details("", "", "", "", List.of(), 1));

    private final Settings settings;
    private final Supplier<String> present;
    private final AtomicInteger admitted = new AtomicInteger();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("revisions").factory());

    /** Touched by the one thread only, as is what follows. */
    private final Set<Subscriber> subscribers = new HashSet<>();

    private boolean ending;

    /**
     * What subscribers may cost.
     *
     * @param subscribers how many there may be; more are answered 429
     * @param heartbeat how often each hears something
     * @param patience how long a write may take before its subscriber is cut off
     */
    public record Settings(int subscribers, Duration heartbeat, Duration patience) {
        /** A thousand servers; three heartbeats fit into the silence after which one of them gives up. */
        public static final Settings DEFAULT = new Settings(1000, Duration.ofSeconds(5), Duration.ofSeconds(10));
    }

    /**
     * Streams without subscribers.
     *
     * @param present the revision that decides when it is asked
     */
    public RevisionStreams(Settings settings, Supplier<String> present, MeterRegistry registry) {
        this.settings = settings;
        this.present = present;
        Gauge.builder("policy.revision.subscribers", admitted, AtomicInteger::get)
                .description("Clients that are told the policy's revisions.")
                .register(registry);
        long nanos = settings.heartbeat().toNanos();
        var unused = thread.scheduleWithFixedDelay(this::beat, nanos, nanos, TimeUnit.NANOSECONDS);
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
        Subscriber.Http http = new Subscriber.Http(request, response, callback);
        try {
            thread.execute(() -> join(http));
        } catch (RejectedExecutionException stopped) {
            admitted.decrementAndGet();
            StatusAnswers.answer(request, response, callback, STOPPING);
        }
        return true;
    }

    private @Nullable Status refusal(Request request, Response response) {
        if (!HttpMethod.GET.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET");
            return METHOD;
        }
        if (admitted.incrementAndGet() > settings.subscribers()) {
            admitted.decrementAndGet();
            return TOO_MANY;
        }
        return null;
    }

    private void join(Subscriber.Http http) {
        if (ending) {
            admitted.decrementAndGet();
            StatusAnswers.answer(http.request(), http.response(), http.callback(), STOPPING);
            return;
        }
        Subscriber subscriber = new Subscriber(http, this::later, this::leave);
        subscribers.add(subscriber);
        subscriber.begin();
        subscriber.tell(present.get());
    }

    private void leave(Subscriber subscriber) {
        if (subscribers.remove(subscriber)) {
            admitted.decrementAndGet();
        }
    }

    private void later(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException stopped) {
            // Every connection is being closed.
            LOG.debug("a subscriber was heard of after the end");
        }
    }

    /** Another revision decides. Returns at once. */
    public void changed() {
        later(() -> {
            // Asked here, so that however many change it at a time the last word is the last revision.
            String revision = present.get();
            List.copyOf(subscribers).forEach(subscriber -> subscriber.tell(revision));
        });
    }

    private void beat() {
        try {
            long patience = settings.patience().toNanos();
            List.copyOf(subscribers).forEach(subscriber -> subscriber.beat(patience));
        } catch (RuntimeException bug) {
            // The next heartbeat would not come.
            LOG.error("the subscribers of revisions could not be told that there is no news", bug);
        }
    }

    /** Ends every stream, as complete where its client takes that in time. Later subscribers are answered 503. Returns at once. */
    public void endAll() {
        later(() -> {
            ending = true;
            List.copyOf(subscribers).forEach(Subscriber::end);
        });
        var unused = thread.schedule(this::cutOff, LAST_WORDS_SECONDS, TimeUnit.SECONDS);
    }

    private void cutOff() {
        List.copyOf(subscribers)
                .forEach(subscriber -> subscriber.cutOff(new TimeoutException("the server has waited long enough")));
    }

    /** Serves nobody any more. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
