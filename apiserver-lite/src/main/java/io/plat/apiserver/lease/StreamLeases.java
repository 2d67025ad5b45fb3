package io.plat.apiserver.lease;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.FilterChain;
import io.plat.apiserver.filter.Incoming;
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
 * The leases of all streams, and the thread that has them judged, round by round. What has to wait for a decider or for
 * etcd is judged on threads of its own, {@value #CONCURRENT} at a time; equal questions of one round are asked once, by the authorizer. For any number of threads.
 *
 * <p>A refusal ends a stream at once. Where its right could not be determined, it is judged again in each round, and ended once that
 * lasts: a client resumes, and gets the reason.
 */
public final class StreamLeases implements AutoCloseable {
    private static final int CONCURRENT = 32;

    private static final Logger LOG = LoggerFactory.getLogger(StreamLeases.class);

    private final Judges judges;
    private final Timing timing;
    private final Set<StreamLease> running = ConcurrentHashMap.newKeySet();
    private final WaitingThreads threads = new WaitingThreads("stream-lease");
    private final Semaphore concurrent = new Semaphore(CONCURRENT);
    private final BackgroundLoop rounds;
    private volatile boolean ending;

    /**
     * What streams are judged by.
     *
     * @param identity authenticates
     * @param whole authenticates and authorizes as a request is
     * @param deciding selects, by name, the header fields that these look at
     * @param revision a number that is another whenever the policy is
     */
    public record Judges(FilterChain identity, FilterChain whole, Predicate<String> deciding, LongSupplier revision) {}

    /**
     * How often streams are judged.
     *
     * @param round from one authentication to the next
     * @param authorization from one authorization to the next, at most; half of it at least, so that not all come at the same time
     * @param undecided how long a right may be undecided
     */
    record Timing(Duration round, Duration authorization, Duration undecided) {
        static final Timing USUAL = new Timing(Duration.ofMillis(300), Duration.ofSeconds(55), Duration.ofSeconds(5));
    }

    /** No streams yet. */
    public StreamLeases(Judges judges) {
        this(judges, Timing.USUAL);
    }

    StreamLeases(Judges judges, Timing timing) {
        this.judges = judges;
        this.timing = timing;
        this.rounds = BackgroundLoop.platform("stream-leases", this::round).start();
    }

    /**
     * The lease of a stream that an admitted request opens.
     *
     * @param request the request as it was delivered
     */
    public StreamLease of(Call admitted, Incoming request) {
        return new StreamLease(this, KeptRequest.of(request, judges.deciding()), admitted);
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

    /** Judges where that may wait. */
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
            LOG.debug("a stream was judged after the end", stopped);
        }
    }

    /** For how long what was authorized now is not asked about again: not all at the same time. */
    long nextAuthorization() {
        long most = timing.authorization().toNanos();
        return ThreadLocalRandom.current().nextLong(most / 2, most);
    }

    /** The time that a right may be undecided. */
    Duration patience() {
        return timing.undecided();
    }

    private Duration round() {
        long now = System.nanoTime();
        for (StreamLease lease : running) {
            try {
                lease.judge(judges, now);
                // One that can't be judged must not keep the others from it.
            } catch (RuntimeException | Error unexpected) {
                LOG.error("a stream could not be ended", unexpected);
            }
        }
        return timing.round();
    }

    /** Ends all streams, and those that begin from now on. */
    public void endAll() {
        ending = true;
        running.forEach(StreamLease::over);
    }

    /** Judges nobody any more. */
    @Override
    public void close() {
        rounds.close();
        threads.close();
    }
}
