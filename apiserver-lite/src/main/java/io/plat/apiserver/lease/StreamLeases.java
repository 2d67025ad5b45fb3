package io.plat.apiserver.lease;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.FilterChain;
import io.plat.http.WaitingThreads;
import io.plat.process.BackgroundLoop;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases of all streams, and the thread that checks them in rounds. The clients' streams are checked in turn, and a round that
 * takes long is interrupted for the next one, so that a client with many streams delays only its own. Checks that block, on a webhook
 * or etcd, run on separate threads, {@value #CONCURRENT} of a client at a time; equal requests of one round are authorized once.
 * Thread-safe.
 *
 * <p>A denial ends a stream immediately. If a decision fails, it is repeated in each round, and the stream is ended after a timeout: the
 * client reconnects, and receives the reason.
 */
public final class StreamLeases implements AutoCloseable {
    private static final int CONCURRENT = 32;

    private static final Logger LOG = LoggerFactory.getLogger(StreamLeases.class);

    private final LeaseChecks checks;
    private final Timing timing;
    private final Map<String, ClientStreams> clients = new ConcurrentHashMap<>();
    private final WaitingThreads threads = new WaitingThreads("stream-lease");
    private final BackgroundLoop rounds;
    private volatile boolean ending;

    private static final class ClientStreams {
        private final Set<StreamLease> running = ConcurrentHashMap.newKeySet();
        private final Semaphore concurrent = new Semaphore(CONCURRENT);

        /** Streams still to be checked. Accessed by rounds only. */
        private Iterator<StreamLease> next = Collections.emptyIterator();
    }

    /**
     * Filters and policy state that check streams.
     *
     * @param authorization authenticates and authorizes a request whose target is known
     * @param relevantHeaders predicate of header field names that these filters read
     * @param revision number that changes with the policy
     */
    public record LeaseChecks(
            FilterChain identity,
            FilterChain authorization,
            Predicate<String> relevantHeaders,
            LongSupplier revision) {}

    /**
     * Timing of checks.
     *
     * @param round interval between authentications
     * @param authorization maximum interval between authorizations, with jitter down to half of it
     * @param undecided maximum time without a decision
     */
    record Timing(Duration round, Duration authorization, Duration undecided) {
        static final Timing DEFAULT = new Timing(Duration.ofMillis(300), Duration.ofSeconds(55), Duration.ofSeconds(5));
    }

    public StreamLeases(LeaseChecks checks) {
        this(checks, Timing.DEFAULT);
    }

    StreamLeases(LeaseChecks checks, Timing timing) {
        this.checks = checks;
        this.timing = timing;
        this.rounds = BackgroundLoop.platform("stream-leases", this::round).start();
    }

    public StreamLease of(Call admitted) {
        return new StreamLease(
                this, RequestCopy.of(admitted.received(), admitted.info(), checks.relevantHeaders()), admitted);
    }

    /**
     * Authenticates and authorizes an admitted request again.
     *
     * @throws StatusException if it would be rejected now, or its credential authenticates another user or other groups
     */
    public void renew(Call admitted) throws StatusException {
        Call again = new Call(admitted.received(), admitted.info());
        checks.authorization().admitRemaining(again);
        if (!again.user().name().equals(admitted.user().name())
                || !new TreeSet<>(again.user().groups())
                        .equals(new TreeSet<>(admitted.user().groups()))) {
            throw new StatusException(StatusReason.UNAUTHORIZED, "Unauthorized");
        }
    }

    void add(StreamLease lease) {
        clients.compute(lease.client, (client, known) -> {
            ClientStreams streams = known == null ? new ClientStreams() : known;
            streams.running.add(lease);
            return streams;
        });
        if (ending) {
            lease.end();
        }
    }

    void remove(StreamLease lease) {
        clients.computeIfPresent(lease.client, (client, streams) -> {
            streams.running.remove(lease);
            return streams.running.isEmpty() ? null : streams;
        });
    }

    /** Runs a check that may block, unless the client has no more streams. */
    void schedule(String client, Runnable action) {
        @Nullable ClientStreams streams = clients.get(client);
        if (streams == null) {
            return;
        }
        Semaphore concurrent = streams.concurrent;
        try {
            threads.execute(() -> {
                concurrent.acquireUninterruptibly();
                try {
                    action.run();
                } finally {
                    concurrent.release();
                }
            });
        } catch (RejectedExecutionException stopped) {
            LOG.debug("a stream was checked after shutdown", stopped);
        }
    }

    long nextAuthorization() {
        long max = timing.authorization().toNanos();
        return ThreadLocalRandom.current().nextLong(max / 2, max);
    }

    /** Returns the maximum time without a decision. */
    Duration undecidedTimeout() {
        return timing.undecided();
    }

    private Duration round() {
        long begin = System.nanoTime();
        List<ClientStreams> unfinished = new ArrayList<>(clients.values());
        // A client whose streams were not all checked in the last round continues there.
        for (ClientStreams client : unfinished) {
            client.next = client.next.hasNext() ? client.next : client.running.iterator();
        }
        while (!unfinished.isEmpty()
                && System.nanoTime() - begin < timing.round().toNanos()) {
            unfinished.removeIf(this::checkNext);
        }
        return unfinished.isEmpty() ? timing.round() : Duration.ofMillis(1);
    }

    private boolean checkNext(ClientStreams client) {
        if (!client.next.hasNext()) {
            return true;
        }
        try {
            client.next.next().check(checks, System.nanoTime());
            // A failing lease must not prevent checks of others.
        } catch (RuntimeException | Error unexpected) {
            LOG.error("a stream could not be ended", unexpected);
        }
        return false;
    }

    public void endAll() {
        ending = true;
        clients.values().forEach(client -> client.running.forEach(StreamLease::end));
    }

    @Override
    public void close() {
        rounds.close();
        threads.close();
    }
}
