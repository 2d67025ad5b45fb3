package io.plat.http.stream;

import io.plat.http.FairLimit;
import io.plat.http.RequestClient;
import io.plat.http.StatusResponses;
import io.plat.process.Tasks;
import io.plat.review.status.Status;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Event streams of one path, and the thread that writes them. Thread-safe; never waits for a client. */
public final class EventStreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);
    private static final int DRAIN_SECONDS = 2;

    private final Settings settings;
    private final Supplier<byte[]> first;
    private final FairLimit limit;
    private final ScheduledExecutorService thread;

    /** Only accessed on {@link #thread}, like {@link #ending}. */
    private final Set<EventStream> streams = new HashSet<>();

    private boolean ending;

    /**
     * Limits of streams and responses beyond them.
     *
     * @param name name of the thread, and of the streams in the log
     * @param maxStreams maximum number of streams; beyond it, the oldest stream of the client with the most streams ends
     * @param heartbeat interval between heartbeats on a stream
     * @param writeTimeout maximum duration of a write before its client is disconnected
     * @param tooMany response beyond the maximum
     * @param stopping response during shutdown
     */
    public record Settings(
            String name, int maxStreams, Duration heartbeat, Duration writeTimeout, Status tooMany, Status stopping) {}

    /**
     * Creates an empty set of streams.
     *
     * @param first supplies the first event of a stream, on the thread
     */
    public EventStreams(Settings settings, Supplier<byte[]> first) {
        this.settings = settings;
        this.limit = new FairLimit(settings.maxStreams());
        this.first = first;
        this.thread = Tasks.timer(settings.name());
        long nanos = settings.heartbeat().toNanos();
        var unused = thread.scheduleWithFixedDelay(this::heartbeat, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** Returns the number of admitted clients, including those whose streams have not been opened yet. */
    public int admitted() {
        return (int) limit.inUse();
    }

    /** Answers a request with a stream, or refuses it. */
    public void serve(Request request, Response response, Callback callback) {
        if (!HttpMethod.GET.is(request.getMethod())) {
            StatusResponses.refuseMethod(request, response, callback, "GET");
            return;
        }
        EventStream.Exchange http = new EventStream.Exchange(request, response, callback);
        FairLimit.Share share = limit.share(RequestClient.of(request), () -> end(request));
        Request.addCompletionListener(request, failure -> share.release());
        if (!share.grow(1)) {
            StatusResponses.answer(request, response, callback, settings.tooMany());
            return;
        }
        try {
            thread.execute(() -> join(http));
        } catch (RejectedExecutionException stopped) {
            rejectStopping(http);
        }
    }

    /** Ends the stream of a request, if any; aborts it if it was ended before and still exists. Returns at once. */
    public void end(Request request) {
        later(() -> each(stream -> {
            if (stream.answers(request)) {
                stream.endOrAbort();
            }
        }));
    }

    private void rejectStopping(EventStream.Exchange http) {
        StatusResponses.answer(http.request(), http.response(), http.callback(), settings.stopping());
    }

    private void join(EventStream.Exchange http) {
        if (ending) {
            rejectStopping(http);
            return;
        }
        EventStream stream = new EventStream(http, this::later, streams::remove);
        streams.add(stream);
        stream.begin();
        stream.send(first.get(), true, 0);
    }

    /** Runs a task on the thread, after earlier ones. Returns at once. */
    public void later(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException stopped) {
            // All connections are being closed.
            LOG.debug("a task was submitted to event streams that have ended: stream={}", settings.name());
        }
    }

    /**
     * Sends an event to all streams, in addition to queued ones; on the thread.
     *
     * @param missed number of dropped events before it
     */
    public void send(byte[] event, long missed) {
        each(stream -> stream.send(event, false, missed));
    }

    /** Sends an event that makes earlier ones obsolete to all streams; on the thread. */
    public void sendLatest(byte[] event) {
        each(stream -> stream.send(event, true, 0));
    }

    private void each(Consumer<EventStream> action) {
        // An action may end a stream, which removes it from the set.
        List.copyOf(streams).forEach(action);
    }

    private void heartbeat() {
        try {
            long timeout = settings.writeTimeout().toNanos();
            each(stream -> stream.heartbeat(timeout));
        } catch (RuntimeException bug) {
            // Otherwise there would be no further heartbeat.
            LOG.error("heartbeats of event streams could not be sent: stream={}", settings.name(), bug);
        }
    }

    /** Ends all streams, gracefully if their clients read in time. Later clients are answered 503. Returns at once. */
    public void endAll() {
        later(() -> {
            ending = true;
            each(EventStream::end);
        });
        var unused = thread.schedule(this::abortAll, DRAIN_SECONDS, TimeUnit.SECONDS);
    }

    private void abortAll() {
        each(stream -> stream.abort(new TimeoutException("the client did not read the end of the stream in time")));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
