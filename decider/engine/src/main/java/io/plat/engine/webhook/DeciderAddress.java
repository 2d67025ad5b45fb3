package io.plat.engine.webhook;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One of the addresses of a decider, with its connections and health. Thread-safe. */
final class DeciderAddress {
    /** A timeout shorter than this does not count as a failure. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final InetAddress address;
    private final RemoteDecider remote;
    private final AddressHealth health;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile @Nullable RevisionStream revisions;
    private volatile boolean retired;

    DeciderAddress(InetAddress address, RemoteDecider remote, AddressHealth health) {
        this.address = address;
        this.remote = remote;
        this.health = health;
    }

    InetAddress address() {
        return address;
    }

    AddressHealth health() {
        return health;
    }

    /** Returns its load relative to its share. */
    double load() {
        return (inFlight.get() + 1) / health.part();
    }

    /**
     * Sends a request once.
     *
     * @param tries whether this request tries an address that is out of use
     */
    <T> Reply<T> ask(RemoteDecider.Subject<T> subject, byte[] question, Duration atMost, boolean tries)
            throws InterruptedException {
        inFlight.incrementAndGet();
        boolean reported = false;
        try {
            Reply<T> reply = remote.ask(subject, question, atMost);
            switch (reply) {
                case Reply.Answered<T> answered -> health.answered();
                case Reply.Failed<T> refused -> health.answered();
                case Reply.Unusable<T> unusable -> health.failed(tries);
                case Reply.Unavailable<T> unavailable -> {
                    if (unavailable.down()) {
                        health.failed(tries);
                    } else {
                        health.answered();
                    }
                }
                case Reply.TimedOut<T> late -> {
                    if (tries || atMost.compareTo(PATIENCE) >= 0) {
                        health.failed(tries);
                    }
                }
            }
            reported = true;
            return reply;
        } finally {
            if (tries && !reported) {
                health.leftOpen();
            }
            if (inFlight.decrementAndGet() == 0 && retired) {
                remote.close();
            }
        }
    }

    /** Begins to follow its revisions. To be called once. */
    void follow(RevisionStream.Listener listener) {
        RevisionStream stream = remote.revisions(listener, RevisionStream.Timing.REAL);
        revisions = stream;
        stream.start();
    }

    /**
     * Records a response, after which its revisions can be followed.
     *
     * @param doubted whether of another revision than its stream sent
     */
    void answered(boolean doubted) {
        RevisionStream stream = revisions;
        if (stream != null && doubted) {
            stream.doubt();
        } else if (stream != null) {
            stream.answered();
        }
    }

    /** Stops using it; requests in progress continue. */
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
