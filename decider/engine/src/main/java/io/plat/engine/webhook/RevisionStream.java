package io.plat.engine.webhook;

import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the revisions of a decider's policy for as long as it is open: connects, hears, and when the stream ends or falls silent
 * connects again, later each time it fails. A decider that offers none is asked again now and then.
 */
final class RevisionStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RevisionStream.class);

    /** Headers come at once or not at all: nothing has to be decided for them. */
    private static final Duration HEADERS = Duration.ofSeconds(5);

    private final Endpoint endpoint;
    private final URI url;
    private final RevisionNews listener;
    private final Timing timing;
    private final Thread thread;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean connected;
    private String said = "";

    /**
     * When to try again.
     *
     * @param backoff the waits between attempts; beyond its number of attempts they grow no more
     * @param silence a stream that says nothing for so long, not even that it is there, is given up
     * @param unoffered the wait where the decider offers no stream
     * @param random gives numbers from 0 to 1
     */
    record Timing(Backoff backoff, Duration silence, Duration unoffered, DoubleSupplier random) {
        static final Timing REAL = new Timing(
                new Backoff(Duration.ofMillis(100), 2, 0.5, 8),
                Duration.ofSeconds(15),
                Duration.ofMinutes(1),
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** How an attempt ended. */
    private sealed interface End {
        /** There was a stream. */
        record Lost(String reason) implements End {}

        /** There was none, but there may be one soon. */
        record Unavailable(String reason) implements End {}

        /** This decider has none. */
        record Unoffered(String reason) implements End {}
    }

    RevisionStream(Endpoint endpoint, RevisionNews listener, Timing timing) {
        this.endpoint = endpoint;
        this.url = address(endpoint.url());
        this.listener = listener;
        this.timing = timing;
        this.thread = Thread.ofVirtual().name("revisions").unstarted(this::run);
    }

    /** Where a decider that is asked at some address offers its revisions. */
    static URI address(URI asked) {
        String path = asked.getRawPath();
        int api = path.indexOf("/apis/");
        String base = api >= 0 ? path.substring(0, api + 1) : path.substring(0, path.lastIndexOf('/') + 1);
        return asked.resolve(base.isEmpty() ? "/revisions" : base + "revisions");
    }

    /** Begins to follow. To be called once. */
    void start() {
        thread.start();
    }

    /** Whether each new revision is heard of. */
    boolean isConnected() {
        return connected;
    }

    private void run() {
        int failures = 0;
        try {
            while (!closed.get()) {
                Duration wait = switch (followOrFail()) {
                    case End.Lost(String reason) -> {
                        failures = 1;
                        say("lost", reason);
                        yield backoff(failures);
                    }
                    case End.Unavailable(String reason) -> {
                        failures++;
                        say("none", reason);
                        yield backoff(failures);
                    }
                    case End.Unoffered(String reason) -> {
                        say("none", reason);
                        yield timing.unoffered().plus(backoff(1));
                    }
                };
                Thread.sleep(wait);
            }
        } catch (InterruptedException stopped) {
            // Nobody else knows this thread; it was told to end.
            LOG.debug("the revisions of {} are followed no longer", url);
        }
    }

    private Duration backoff(int failures) {
        return timing.backoff().after(Math.min(failures, timing.backoff().attempts()), timing.random());
    }

    /** Logs a change of the state, not each attempt. */
    private synchronized void say(String state, String detail) {
        if (closed.get() || state.equals(said)) {
            return;
        }
        said = state;
        if (state.equals("told")) {
            LOG.info("{}: policy {}; what it answers is kept until it tells another one", url, detail);
        } else {
            LOG.warn("{}: no news of policies ({}); what it answers is kept for its time", url, detail);
        }
    }

    /** A fault of this program costs one attempt, and not all news until the next start. */
    private End followOrFail() throws InterruptedException {
        try {
            return follow();
        } catch (RuntimeException bug) {
            LOG.error("following the revisions of {} failed", url, bug);
            return new End.Unavailable(
                    "it could not be followed: " + bug.getClass().getSimpleName());
        }
    }

    private End follow() throws InterruptedException {
        HttpRequest request;
        try {
            request = request();
        } catch (ProblemsException e) {
            return new End.Unavailable(Quoted.oneLine(String.valueOf(e.getMessage())));
        }
        RevisionEvents events = new RevisionEvents(this::hear);
        try (HttpClient client = client(endpoint)) {
            return follow(client, request, events);
        }
    }

    private End follow(HttpClient client, HttpRequest request, RevisionEvents events) throws InterruptedException {
        CompletableFuture<HttpResponse<Void>> response = client.sendAsync(request, handler(events));
        try {
            HttpResponse<Void> head = response.get();
            @Nullable End refused = refusal(head);
            return refused != null ? refused : new End.Lost(events.awaitEnd(timing.silence()));
        } catch (ExecutionException e) {
            return new End.Unavailable(reason(Failures.reply(e.getCause() == null ? e : e.getCause(), false)));
        } finally {
            events.end();
            response.cancel(true);
            client.shutdownNow();
            silent();
        }
    }

    private static String reason(Reply<?> failure) {
        return switch (failure) {
            case Reply.Unavailable<?> unavailable -> unavailable.reason();
            case Reply.TimedOut<?> late -> late.reason();
            case Reply.Failed<?> failed -> failed.reason();
            case Reply.Answered<?> answered -> throw new IllegalStateException("a failure is no answer");
        };
    }

    /** Made anew for each stream, which outlasts any connection that could be used again. */
    private static HttpClient client(Endpoint endpoint) {
        return HttpClient.newBuilder()
                .sslContext(endpoint.tls())
                .connectTimeout(HEADERS)
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .build();
    }

    private HttpRequest request() throws ProblemsException {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(HEADERS)
                .header("Accept", RevisionEvents.TYPE)
                .header("User-Agent", "plat")
                .GET();
        if (endpoint.token() != null) {
            request.header("Authorization", "Bearer " + endpoint.token().read());
        }
        return request.build();
    }

    private static BodyHandler<Void> handler(RevisionEvents events) {
        return head -> offers(head) ? events : new Unread();
    }

    private static @Nullable End refusal(HttpResponse<Void> head) {
        int code = head.statusCode();
        if (code == 429 || code >= 500) {
            return new End.Unavailable("HTTP " + code);
        }
        return offers(code, head.headers().firstValue("Content-Type").orElse(""))
                ? null
                : new End.Unoffered("HTTP " + code);
    }

    private static boolean offers(HttpResponse.ResponseInfo head) {
        return offers(
                head.statusCode(), head.headers().firstValue("Content-Type").orElse(""));
    }

    private static boolean offers(int code, String type) {
        return code == 200 && type.toLowerCase(Locale.ROOT).startsWith(RevisionEvents.TYPE);
    }

    private void hear(String revision) {
        say("told", revision);
        // First, so that whoever fails on it is told that the news have ended.
        connected = true;
        listener.told(revision);
    }

    private void silent() {
        if (connected) {
            connected = false;
            listener.untold();
        }
    }

    /** Follows no longer. What is remembered stays; nobody is told that the news have ended. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            thread.interrupt();
        }
    }
}
