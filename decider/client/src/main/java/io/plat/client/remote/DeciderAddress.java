package io.plat.client.remote;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One of the addresses of a decider, with its connections and health. Thread-safe. */
final class DeciderAddress {
    /** Minimum duration of a timeout that counts as a failure. */
    private static final Duration MIN_TIMEOUT = Duration.ofMillis(200);

    private final Deciders.Target target;
    private final String label;
    private final RemoteDecider remote;
    private final AddressHealth health;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile @Nullable RevisionStream revisions;
    private volatile boolean retired;

    DeciderAddress(Deciders.Target target, String label, RemoteDecider remote, AddressHealth health) {
        this.target = target;
        this.label = label;
        this.remote = remote;
        this.health = health;
    }

    Deciders.Target target() {
        return target;
    }

    /** Returns the name in messages and metrics. */
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
     */
    <T> Reply<T> send(RemoteDecider.RequestType<T> type, byte[] body, Duration atMost, boolean isProbe)
            throws InterruptedException {
        inFlight.incrementAndGet();
        boolean reported = false;
        try {
            Reply<T> reply = remote.send(type, body, atMost);
            if (reply instanceof Reply.TimedOut<T>) {
                if (isProbe || atMost.compareTo(MIN_TIMEOUT) >= 0) {
                    health.failed(isProbe);
                }
            } else if (reply instanceof Reply.Unusable<T>
                    || (reply instanceof Reply.Unavailable<T> unavailable && unavailable.down())) {
                health.failed(isProbe);
            } else {
                health.answered();
            }
            reported = true;
            return reply;
        } finally {
            if (isProbe && !reported) {
                health.abandonProbe();
            }
            if (inFlight.decrementAndGet() == 0 && retired) {
                remote.close();
            }
        }
    }

    /** Starts to follow the revisions of this decider. Must be called once. */
    void follow(RevisionStream.Listener listener) {
        RevisionStream stream = remote.revisions(listener, RevisionStream.Timing.REAL);
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
            remote.close();
        }
    }

    /** Aborts requests in progress and closes all connections. */
    void close() {
        if (revisions != null) {
            revisions.close();
        }
        remote.close();
    }
}
