package io.plat.http.authentication.oidc;

import io.plat.http.authentication.jwt.KeySet;
import io.plat.process.BackgroundLoop;
import io.plat.process.Waiting;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys of an issuer, fetched at startup, periodically so that withdrawn keys disappear, and when a token names an unknown key, which is
 * rate limited. The last fetched keys stay in use while the issuer is unavailable.
 */
public final class RemoteKeySet implements IssuerKeys {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteKeySet.class);

    private final Source source;
    private final Intervals intervals;
    private final LongSupplier nanoTime;
    private final ReentrantLock fetching = new ReentrantLock();
    private final BackgroundLoop loop;
    private volatile @Nullable KeySet keys;
    private volatile long lastFetch;
    private volatile boolean closed;

    /** Source of the current keys. */
    @FunctionalInterface
    public interface Source {
        /**
         * Fetches the current keys; blocks for a bounded time.
         *
         * @throws InterruptedException if this thread is interrupted
         */
        KeySet fetch() throws UnusableKeysException, InterruptedException;
    }

    /**
     * Intervals of requests to the issuer.
     *
     * @param refresh interval after a success
     * @param retry interval after a failure
     * @param unknownKeys minimum interval between requests for unknown keys
     */
    public record Intervals(Duration refresh, Duration retry, Duration unknownKeys) {
        /** Every ten minutes; every ten seconds after a failure, as in kube-apiserver; at most every five seconds. */
        public static final Intervals DEFAULT =
                new Intervals(Duration.ofMinutes(10), Duration.ofSeconds(10), Duration.ofSeconds(5));
    }

    private RemoteKeySet(Source source, Intervals intervals, LongSupplier nanoTime) {
        this.source = source;
        this.intervals = intervals;
        this.nanoTime = nanoTime;
        this.lastFetch = nanoTime.getAsLong() - intervals.unknownKeys().toNanos();
        this.loop = BackgroundLoop.virtual("oidc-keys", this::round);
    }

    /** Starts fetching in the background. */
    public static RemoteKeySet start(Source source, Intervals intervals, LongSupplier nanoTime) {
        RemoteKeySet keys = new RemoteKeySet(source, intervals, nanoTime);
        keys.loop.start();
        return keys;
    }

    private Duration round() throws InterruptedException {
        fetching.lockInterruptibly();
        try {
            return fetch() ? intervals.refresh() : intervals.retry();
        } finally {
            fetching.unlock();
        }
    }

    /** Fetches the keys; the caller holds the lock. */
    private boolean fetch() throws InterruptedException {
        lastFetch = nanoTime.getAsLong();
        try {
            keys = source.fetch();
            return true;
        } catch (UnusableKeysException e) {
            LOG.warn("the keys of the OpenID Connect issuer could not be fetched: cause={}", e.getMessage());
            return false;
        }
    }

    @Override
    public Optional<KeySet> known() {
        return Optional.ofNullable(keys);
    }

    @Override
    public boolean wouldFetch(String id) {
        return !knows(id) && isDue();
    }

    private boolean knows(String id) {
        return known().map(set -> !set.named(id).isEmpty()).orElse(false);
    }

    private boolean isDue() {
        return nanoTime.getAsLong() - lastFetch >= intervals.unknownKeys().toNanos()
                || (keys == null && fetching.isLocked());
    }

    /** Returns the keys. Concurrent callers wait for the fetch in progress, and fetch again only if another one is due. */
    @Override
    public Optional<KeySet> withKey(String id) {
        if (!wouldFetch(id)) {
            return known();
        }
        // Begun before the lock is taken, since its end may wait, too.
        try (Waiting _ = Waiting.begin()) {
            if (fetching.tryLock(TlsKeySource.DEADLINE.toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    if (!closed
                            && !knows(id)
                            && nanoTime.getAsLong() - lastFetch
                                    >= intervals.unknownKeys().toNanos()) {
                        fetch();
                    }
                } finally {
                    fetching.unlock();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return known();
    }

    @Override
    public void close() {
        closed = true;
        loop.close();
    }
}
