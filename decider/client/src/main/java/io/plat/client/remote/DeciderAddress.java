package io.plat.client.remote;

import io.plat.client.remote.Reply.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One of the addresses of a decider, with its persistent connections and its health. The calling thread writes and reads itself, as handing over to
 * another thread would take longer than the decision. Thread-safe.
 */
final class DeciderAddress {
    /** Minimum duration of a timeout that counts as a failure. */
    private static final Duration MIN_TIMEOUT = Duration.ofMillis(200);

    private static final String LATE = "no answer in time";

    private final Deciders.Target target;
    private final String label;
    private final Endpoint endpoint;
    private final ConnectionPool connections;
    private final Deadlines deadlines;
    private final AddressHealth health;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile @Nullable RevisionStream revisions;
    private volatile boolean retired;

    /**
     * Creates an address without connecting.
     *
     * @param label its name in messages and metrics
     * @param deadlines aborts slow requests; closed by its creator
     */
    DeciderAddress(
            Deciders.Target target,
            String label,
            Endpoint endpoint,
            ConnectionPool connections,
            Deadlines deadlines,
            AddressHealth health) {
        this.target = target;
        this.label = label;
        this.endpoint = endpoint;
        this.connections = connections;
        this.deadlines = deadlines;
        this.health = health;
    }

    /** State of an attempt: whether a response has started, and the connection was reused. Confined to the calling thread. */
    private static final class Attempt {
        private boolean begun;
        private boolean kept;
    }

    Deciders.Target target() {
        return target;
    }

    String label() {
        return label;
    }

    AddressHealth health() {
        return health;
    }

    /** Returns the load relative to its share. */
    double load() {
        return (inFlight.get() + 1) / health.share();
    }

    /**
     * Sends a request once.
     *
     * @param isProbe whether this request probes an ejected address
     * @param isReplaceable whether another address is available
     */
    <T> Reply<T> send(RequestType<T> type, byte[] body, Duration atMost, boolean isProbe, BooleanSupplier isReplaceable)
            throws InterruptedException {
        inFlight.incrementAndGet();
        boolean reported = false;
        try {
            Reply<T> reply = send(type, body, atMost);
            if (!(reply instanceof Reply.Failure<T> failure)) {
                health.answered();
            } else if (failure.kind() == Kind.BUSY || failure.kind() == Kind.FAILED) {
                if (isDecision(type)) {
                    health.refused(isProbe, isReplaceable.getAsBoolean());
                } else {
                    health.answered();
                }
            } else if (failure.kind() != Kind.TIMED_OUT || isProbe || atMost.compareTo(MIN_TIMEOUT) >= 0) {
                health.failed(isProbe);
            }
            reported = true;
            return reply;
        } finally {
            if (isProbe && !reported) {
                health.abandonProbe();
            }
            if (inFlight.decrementAndGet() == 0 && retired) {
                connections.close();
            }
        }
    }

    /** Returns whether requests are for decisions, which every decider must serve. */
    private boolean isDecision(RequestType<?> type) {
        return type.url().apply(endpoint.url()).equals(endpoint.url());
    }

    /** Sends a request on a persistent connection, and again on a new one if that was closed before the response. */
    private <T> Reply<T> send(RequestType<T> type, byte[] body, Duration atMost) throws InterruptedException {
        if (connections.isClosed()) {
            return new Reply.Failure<>(Kind.DOWN, "the client is closed");
        }
        if (atMost.compareTo(Duration.ZERO) <= 0) {
            return new Reply.Failure<>(Kind.TIMED_OUT, LATE);
        }
        long begin = System.nanoTime();
        Attempt attempt = new Attempt();
        Reply<T> reply = attempt(attempt, type, body, atMost);
        if (reply instanceof Reply.Failure<T> failure && failure.isTemporary() && !attempt.begun && attempt.kept) {
            Duration remaining = atMost.minusNanos(System.nanoTime() - begin);
            if (remaining.compareTo(Duration.ZERO) > 0) {
                connections.forget();
                return attempt(new Attempt(), type, body, remaining);
            }
        }
        return reply;
    }

    private <T> Reply<T> attempt(Attempt attempt, RequestType<T> type, byte[] body, Duration atMost)
            throws InterruptedException {
        Exchange request;
        try {
            request = connections.prepared(type.url().apply(endpoint.url()), "application/json", body, atMost);
        } catch (IOException e) {
            return new Reply.Failure<>(Kind.FAILED, SanitizedText.of(String.valueOf(e.getMessage())));
        }
        try (Deadlines.Deadline deadline = deadlines.in(atMost, request::cancel)) {
            try {
                return connections.execute(request, response -> {
                    attempt.begun = true;
                    return type.reply(response);
                });
            } catch (IOException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                attempt.kept = request.wasOnReusedConnection();
                return deadline.passed()
                        ? new Reply.Failure<>(Kind.TIMED_OUT, LATE)
                        : ConnectionFailures.reply(e, attempt.begun);
            }
        }
    }

    /** Starts to follow the revisions of this decider. Must be called once. */
    void follow(RevisionStream.Listener listener, HostProgram program) {
        RevisionStream stream = new RevisionStream(
                endpoint.revisions(), connections, deadlines, program, listener, RevisionStream.Timing.REAL);
        revisions = stream;
        stream.start();
    }

    /**
     * Records a response, after which its revisions can be followed.
     *
     * @param doubted whether its revision differs from that of the stream
     */
    void answered(boolean doubted) {
        RevisionStream stream = revisions;
        if (stream != null && doubted) {
            stream.doubt();
        } else if (stream != null) {
            stream.answered();
        }
    }

    /** Stops using the address; requests in progress continue. */
    void retire() {
        retired = true;
        if (revisions != null) {
            revisions.close();
        }
        if (inFlight.get() == 0) {
            connections.close();
        }
    }

    /** Aborts requests in progress and closes all connections. */
    void close() {
        if (revisions != null) {
            revisions.close();
        }
        connections.close();
    }
}
