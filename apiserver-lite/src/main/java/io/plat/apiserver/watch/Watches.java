package io.plat.apiserver.watch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.apiserver.lease.StreamLease;
import io.plat.apiserver.operations.ObjectWatch;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Subscription;
import io.plat.apiserver.type.Target;
import io.plat.http.FairLimit;
import io.plat.process.BackgroundLoop;
import io.plat.process.Tasks;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * All running watches, and their shared resources. Their number is limited separately from short requests. If the limit is reached, the
 * oldest watch of the client with the most watches ends as complete, to admit another client's. Thread-safe.
 */
public final class Watches implements AutoCloseable {
    private static final long FRAME_BYTES = 16L << 20;

    private static final long PENDING_BYTES = Runtime.getRuntime().maxMemory() / 8;

    /** Memory that a watch holds for each character of its selectors, parsed for events and for authorization. */
    private static final int SELECTOR_OVERHEAD = 40;

    /** Memory that a watch holds for each character of its URI and header fields, in several copies. */
    private static final int REQUEST_OVERHEAD = 4;

    /** Characters of URI and header fields that every watch may have. */
    private static final int ORDINARY = 2048;

    /** Characters that take as much memory as the objects of a header field or a parameter. */
    private static final int PIECE = 64;

    private static final long SECONDS_TO_END = 2;

    /** Granularity of timeouts, bookmarks and write limits. */
    private static final Duration TICK = Duration.ofMillis(100);

    private static final Status STOPPING = Status.of(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");

    private final ResourceOperations operations;
    private final FairLimit limit;
    private final long slotBytes;
    private final ExecutorService threads;
    private final BackgroundLoop timers;
    private final WatchStream.Shared shared;
    private final Set<WatchStream> running = ConcurrentHashMap.newKeySet();
    private final DynamicTypes types;
    private final Subscription typeChanges;
    private volatile boolean closed;

    /**
     * @param types custom types, whose watches end when their definition or its versions change, as they show objects in one form
     */
    public Watches(ResourceOperations operations, DynamicTypes types, WatchLimits limits, MeterRegistry registry) {
        this.operations = operations;
        this.types = types;
        this.limit = new FairLimit(limits.watches());
        this.slotBytes = Math.max(1, PENDING_BYTES / limits.watches());
        threads = Tasks.processors("watch");
        shared = new WatchStream.Shared(
                new FairTurns(threads),
                new FrameCache(FRAME_BYTES),
                new PendingWrites(PENDING_BYTES),
                new WatchMeters(registry),
                limits);
        timers = BackgroundLoop.platform("watch-timers", this::round).start();
        typeChanges = types.listen(() -> running.forEach(this::endUnlessCurrent));
    }

    /**
     * Serves a watch. Returns once it has started; the callback completes when it ends.
     *
     * @throws StatusException if it cannot start, before any response: 400 and 422 for invalid options, 410 for a version whose history
     *     is compacted, 429 beyond the limit of watches or the client's share of it, 503 while the server stops
     */
    public void serve(WatchRequest watch, StreamLease lease, Request request, Response response, Callback callback)
            throws StatusException {
        if (closed) {
            throw new StatusException(STOPPING);
        }
        var stream = new WatchStream(watch, shared);
        FairLimit.Share share = limit.share(watch.client(), stream::end);
        if (!share.grow(cost(watch.options(), request))) {
            throw new StatusException(FairLimit.REFUSED);
        }
        boolean started = false;
        try {
            started = begin(stream, share, watch, lease, request, response, callback);
        } finally {
            if (!started) {
                share.release();
            }
        }
    }

    /** Returns the number of slots of a watch: a long request takes the memory, and the time to authorize it again, of many. */
    private long cost(ListOptions options, Request request) {
        int selectors =
                options.labelSelector().length() + options.fieldSelector().length();
        String target = request.getHttpURI().toString();
        long size = target.length()
                + PIECE * target.chars().filter(one -> one == '&').count();
        for (HttpField field : request.getHeaders()) {
            size += PIECE
                    + field.getName().length()
                    + String.valueOf(field.getValue()).length();
        }
        long held = (long) selectors * SELECTOR_OVERHEAD + Math.max(0, size - ORDINARY) * REQUEST_OVERHEAD;
        return 1 + held / slotBytes;
    }

    /** Returns whether a watch has started; a HEAD is answered immediately. */
    private boolean begin(
            WatchStream stream,
            FairLimit.Share share,
            WatchRequest watch,
            StreamLease lease,
            Request request,
            Response response,
            Callback callback)
            throws StatusException {
        ObjectWatch events = operations.watch(watch.target(), watch.options(), stream::wake);
        if (HttpMethod.HEAD.is(request.getMethod())) {
            events.close();
            response.setStatus(HttpStatus.OK_200);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, watch.form().streamContentType());
            response.write(true, null, callback);
            return false;
        }
        running.add(stream);
        lease.begin(stream);
        stream.start(events, sink(watch, stream, request, response, callback), () -> {
            lease.release();
            ended(stream, share);
        });
        endUnlessCurrent(stream);
        return true;
    }

    private void endUnlessCurrent(WatchStream stream) {
        if (closed || !types.now().isCurrent(stream.type())) {
            stream.end();
        }
    }

    private static FrameSink sink(
            WatchRequest watch, WatchStream stream, Request request, Response response, Callback callback) {
        String type = watch.form().streamContentType();
        return WebSocketFrames.isUpgrade(request)
                ? new WebSocketFrames(request, response, callback, type.startsWith("application/json"), stream::fail)
                : new HttpFrames(
                        request,
                        response,
                        callback,
                        type,
                        new ClientPresence(request.getConnectionMetaData().getConnection(), stream::fail));
    }

    private void ended(WatchStream stream, FairLimit.Share share) {
        share.release();
        running.remove(stream);
        synchronized (running) {
            running.notifyAll();
        }
    }

    private Duration round() {
        long now = System.nanoTime();
        running.forEach(stream -> stream.checkTimers(now));
        return TICK;
    }

    /** Ends every watch as complete, and aborts those that do not end in time. */
    @Override
    public void close() {
        closed = true;
        typeChanges.close();
        running.forEach(WatchStream::end);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_END);
        try {
            synchronized (running) {
                for (long remaining = end - System.nanoTime();
                        !running.isEmpty() && remaining > 0;
                        remaining = end - System.nanoTime()) {
                    TimeUnit.NANOSECONDS.timedWait(running, remaining);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var stopping = new EofException("the server is stopping");
        running.forEach(stream -> stream.fail(stopping));
        timers.close();
        threads.shutdown();
    }

    /** {@code apiserver_longrunning_requests} and {@code apiserver_watch_events_total}, with kube-apiserver's labels. Thread-safe. */
    static final class WatchMeters {
        private final MeterRegistry registry;
        private final ConcurrentMap<WatchLabels, Meters> byLabels = new ConcurrentHashMap<>();

        private record WatchLabels(ResourceType.Id type, String scope) {}

        record Meters(AtomicInteger running, Counter events) {}

        WatchMeters(MeterRegistry registry) {
            this.registry = registry;
        }

        Meters of(Target target) {
            return byLabels.computeIfAbsent(
                    new WatchLabels(target.type().id(), scope(target)), labels -> register(target.type(), labels));
        }

        private static String scope(Target target) {
            return !target.name().isEmpty() ? "resource" : target.namespace().isEmpty() ? "cluster" : "namespace";
        }

        private Meters register(ResourceType type, WatchLabels labels) {
            var running = new AtomicInteger();
            Gauge.builder("apiserver.longrunning.requests", running, AtomicInteger::get)
                    .description("Open watches.")
                    .tag("verb", "WATCH")
                    .tag("group", type.group())
                    .tag("version", type.version())
                    .tag("resource", type.resource())
                    .tag("subresource", "")
                    .tag("scope", labels.scope())
                    .tag("component", "apiserver")
                    .register(registry);
            Counter events = Counter.builder("apiserver.watch.events")
                    .description("Events sent to watches.")
                    .tag("group", type.group())
                    .tag("version", type.version())
                    .tag("kind", type.kind())
                    .register(registry);
            return new Meters(running, events);
        }
    }
}
