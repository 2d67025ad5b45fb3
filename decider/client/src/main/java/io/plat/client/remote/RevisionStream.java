package io.plat.client.remote;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Subscription to the revisions of a decider's policy: connects, listens, and reconnects if the stream ends or is silent. The delay between attempts
 * stays below a second, even if the decider is unreachable for long. A decider that does not support streams is tried again from time to time.
 */
final class RevisionStream implements AutoCloseable {
    private static final String TYPE = "text/event-stream";
    private static final int BUFFER = 4096;

    private final ConnectionPool connections;
    private final URI url;
    private final Listener listener;
    private final Timing timing;
    private final HostProgram program;
    private final HostProgram.Loop loop;
    private final Deadlines deadlines;
    private final Semaphore answered = new Semaphore(0);
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean connected;
    private volatile boolean waiting;
    private volatile long lastReceived;
    private boolean supported;
    private volatile @Nullable Exchange pending;
    private int failures;
    private String reported = "";

    /** Listener for the revisions of a decider's policy, called in order by one thread at a time. Must return at once. */
    interface Listener {
        /** Handles the revision in effect. */
        void received(String revision);

        /** Handles a heartbeat: the last revision is still in effect. */
        default void confirmed() {}

        /** Handles the disconnection, until the next revision. */
        void disconnected();

        /** Handles a failed connection attempt, which will be repeated. */
        default void unavailable() {}
    }

    /**
     * Durations of a subscription.
     *
     * @param backoff delays between attempts; they stop growing after its number of attempts
     * @param first time limit for the first revision, after the start of a stream
     * @param silence read timeout: a stream without even a heartbeat is closed after it
     * @param doubted shorter read timeout after a response with another policy
     * @param unsupported delay if the decider does not support streams
     * @param random supplies numbers from 0 to 1
     */
    record Timing(
            Backoff backoff,
            Duration first,
            Duration silence,
            Duration doubted,
            Duration unsupported,
            DoubleSupplier random) {
        static final Timing REAL = new Timing(
                new Backoff(Duration.ofMillis(100), 2.5, 0.5, 2),
                Duration.ofMillis(600),
                Duration.ofSeconds(6),
                Duration.ofMillis(1500),
                Duration.ofMinutes(1),
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** Result of an attempt, and its reason. */
    private record End(Kind kind, String reason) {
        private enum Kind {
            /** A stream was lost. */
            LOST,
            /** No stream could be opened; another attempt may succeed. */
            UNAVAILABLE,
            /** The decider has too many streams. */
            FULL,
            /** The decider does not support revision streams. */
            UNSUPPORTED
        }
    }

    /**
     * Creates a subscription without connecting.
     *
     * @param deadlines aborts attempts without a response
     */
    RevisionStream(
            URI url,
            ConnectionPool connections,
            Deadlines deadlines,
            HostProgram program,
            Listener listener,
            Timing timing) {
        this.program = program;
        this.connections = connections;
        this.deadlines = deadlines;
        this.url = url;
        this.listener = listener;
        this.timing = timing;
        this.loop = program.loop("revisions", true, this::round);
    }

    /** Starts the subscription. Must be called once. */
    void start() {
        loop.start();
    }

    /** Returns whether the stream is connected. */
    boolean isConnected() {
        return connected;
    }

    private Duration round() throws InterruptedException {
        long begin = System.nanoTime();
        End end = follow();
        boolean lost = end.kind == End.Kind.LOST;
        report(lost ? "lost" : "none", end.reason);
        Duration wait = switch (end.kind) {
            case LOST, UNAVAILABLE -> {
                failures = lost ? 1 : failures + 1;
                yield backoff(failures);
            }
            case FULL -> timing.silence();
            case UNSUPPORTED -> timing.unsupported();
        };
        listener.unavailable();
        // The duration of the attempt is part of the delay.
        pause(wait.minusNanos(System.nanoTime() - begin), end.kind == End.Kind.UNAVAILABLE);
        return Duration.ZERO;
    }

    /** Waits for the minimum delay, and then for the rest of the delay or until the decider answers a request. */
    private void pause(Duration wait, boolean untilAnswered) throws InterruptedException {
        Duration shortest = backoff(1);
        Thread.sleep(shortest.toMillis());
        answered.drainPermits();
        waiting = untilAnswered;
        var unused = answered.tryAcquire(wait.minus(shortest).toMillis(), TimeUnit.MILLISECONDS);
        waiting = false;
    }

    /** Reports a response, which shows that the decider is available. Returns at once. */
    void answered() {
        if (waiting) {
            answered.release();
        }
    }

    /** Reports a response whose policy differs from the last revision: a silent stream may be dead. Returns at once. */
    void doubt() {
        @Nullable Exchange request = pending;
        if (connected
                && request != null
                && System.nanoTime() - lastReceived > timing.doubted().toNanos()) {
            request.cancel();
        }
    }

    private Duration backoff(int failures) {
        return timing.backoff().after(Math.min(failures, timing.backoff().attempts()), timing.random());
    }

    /** Logs a change of state, not each attempt. */
    private synchronized void report(String state, String detail) {
        if (closed.get() || state.equals(reported)) {
            return;
        }
        reported = state;
        if (state.equals("connected")) {
            program.log(
                    System.Logger.Level.INFO,
                    "revision stream connected, responses are cached until the next revision: url=" + url + " revision="
                            + detail);
        } else {
            program.log(
                    System.Logger.Level.WARNING,
                    "revision stream disconnected, responses are cached until they expire: url=" + url + " cause="
                            + detail);
        }
    }

    @SuppressWarnings("try") // the deadline is active while open
    private End follow() throws InterruptedException {
        Exchange request;
        try {
            request = connections.prepared(url, TYPE, null, timing.silence());
        } catch (IOException e) {
            return new End(End.Kind.UNAVAILABLE, SanitizedText.of(String.valueOf(e.getMessage())));
        }
        pending = request;
        if (closed.get()) {
            throw new InterruptedException();
        }
        Duration first = supported ? timing.first() : timing.silence();
        Deadlines.Deadline deadline = deadlines.in(first, () -> abortUnlessConnected(request));
        try {
            return connections.execute(request, this::read);
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return lost(e);
        } finally {
            deadline.close();
            disconnected();
        }
    }

    private void abortUnlessConnected(Exchange request) {
        if (!connected) {
            request.cancel();
        }
    }

    private End lost(IOException failure) {
        if (!connected) {
            return new End(
                    End.Kind.UNAVAILABLE,
                    ConnectionFailures.reply(failure, false).reason());
        }
        return new End(
                End.Kind.LOST,
                failure instanceof SocketTimeoutException
                        ? "silent for " + timing.silence().toSeconds() + " s"
                        : "the connection failed");
    }

    /** Reads until the stream ends. */
    private End read(HttpResponse response) throws IOException {
        int code = response.code();
        if (code == 429) {
            return new End(End.Kind.FULL, "HTTP 429");
        }
        if (code >= 500) {
            return new End(End.Kind.UNAVAILABLE, "HTTP " + code);
        }
        if (code != 200
                || !response.header("Content-Type", "").toLowerCase(Locale.ROOT).startsWith(TYPE)) {
            // A proxy in front of an unavailable decider may send any response.
            return new End(supported ? End.Kind.UNAVAILABLE : End.Kind.UNSUPPORTED, "HTTP " + code);
        }
        return new End(End.Kind.LOST, events(response.body()));
    }

    /** Passes events to the listener and returns the reason of the end. */
    private String events(InputStream in) throws IOException {
        EventStreamReader stream = new EventStreamReader(this::event, listener::confirmed);
        byte[] buffer = new byte[BUFFER];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                lastReceived = System.nanoTime();
                stream.read(ByteBuffer.wrap(buffer, 0, count));
            }
            return "the decider closed the stream";
        } catch (EventStreamReader.MalformedException e) {
            return "not a revision stream: " + e.getMessage();
        }
    }

    private void event(String data) throws EventStreamReader.MalformedException {
        if (!RevisionName.isName(data)) {
            throw new EventStreamReader.MalformedException("invalid name of a revision");
        }
        if (!closed.get()) {
            received(data);
        }
    }

    private void received(String revision) {
        report("connected", revision);
        // Set first, so that a failing listener is notified of the disconnection.
        connected = true;
        supported = true;
        listener.received(revision);
    }

    private void disconnected() {
        if (connected) {
            connected = false;
            listener.disconnected();
        }
    }

    /** Ends the subscription. Cached decisions remain; the listener is not notified. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            loop.close();
            @Nullable Exchange request = pending;
            if (request != null) {
                request.cancel();
            }
        }
    }
}
