package io.plat.apiserver.lease;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.FilterChain;
import io.plat.apiserver.filter.IncomingRequest;
import io.plat.http.WaitingThreads;
import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases of all streams, and the thread that judges them in rounds. Judgements that block, on a webhook or etcd, run on threads of their
 * own, {@value #CONCURRENT} at a time; equal requests of one round are authorized once. Thread-safe.
 *
 * <p>A denial ends a stream immediately. If a decision fails, it is repeated in each round, and the stream is ended after a timeout: the
 * client reconnects, and receives the reason.
 */
public final class StreamLeases implements AutoCloseable {
    private static final int CONCURRENT = 32;

    private static final Logger LOG = LoggerFactory.getLogger(StreamLeases.class);

    private final LeaseChecks judges;
    private final Timing timing;
    private final Set<StreamLease> running = ConcurrentHashMap.newKeySet();
    private final WaitingThreads threads = new WaitingThreads("stream-lease");
    private final Semaphore concurrent = new Semaphore(CONCURRENT);
    private final BackgroundLoop rounds;
    private volatile boolean ending;

    /**
     * Filters and policy state that judge streams.
     *
     * @param identity authenticates a request
     * @param whole authenticates and authorizes a request
     * @param deciding predicate of header field names that these filters read
     * @param revision number that changes with the policy
     */
    public record LeaseChecks(
            FilterChain identity, FilterChain whole, Predicate<String> deciding, LongSupplier revision) {}

    /**
     * Timing of judgements.
     *
     * @param round interval between authentications
     * @param authorization maximum interval between authorizations, with jitter down to half of it
     * @param undecided maximum time without a decision
     */
    record Timing(Duration round, Duration authorization, Duration undecided) {
        static final Timing USUAL = new Timing(Duration.ofMillis(300), Duration.ofSeconds(55), Duration.ofSeconds(5));
    }

    public StreamLeases(LeaseChecks judges) {
        this(judges, Timing.USUAL);
    }

    StreamLeases(LeaseChecks judges, Timing timing) {
        this.judges = judges;
        this.timing = timing;
        this.rounds = BackgroundLoop.platform("stream-leases", this::round).start();
    }

    /**
     * Returns the lease of a stream that an admitted request opens.
     *
     * @param request the request as received
     */
    public StreamLease of(Call admitted, IncomingRequest request) {
        return new StreamLease(this, RequestCopy.of(request, judges.deciding()), admitted);
    }

    void add(StreamLease lease) {
        running.add(lease);
        if (ending) {
            lease.over();
        }
    }

    void remove(StreamLease lease) {
        running.remove(lease);
    }

    /** Runs a judgement that may block. */
    void later(Runnable judgement) {
        try {
            threads.execute(() -> {
                concurrent.acquireUninterruptibly();
                try {
                    judgement.run();
                } finally {
                    concurrent.release();
                }
            });
        } catch (RejectedExecutionException stopped) {
            LOG.debug("a stream was checked after shutdown", stopped);
        }
    }

    /** Returns the time until the next authorization, with jitter. */
    long nextAuthorization() {
        long most = timing.authorization().toNanos();
        return ThreadLocalRandom.current().nextLong(most / 2, most);
    }

    /** Returns the maximum time without a decision. */
    Duration patience() {
        return timing.undecided();
    }

    private Duration round() {
        long now = System.nanoTime();
        for (StreamLease lease : running) {
            try {
                lease.judge(judges, now);
                // A failing lease must not prevent the judgement of others.
            } catch (RuntimeException | Error unexpected) {
                LOG.error("a stream could not be ended", unexpected);
            }
        }
        return timing.round();
    }

    /** Ends all current and future streams. */
    public void endAll() {
        ending = true;
        running.forEach(StreamLease::over);
    }

    /** Stops judging. */
    @Override
    public void close() {
        rounds.close();
        threads.close();
    }
}
