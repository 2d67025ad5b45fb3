package io.plat.apiserver.authentication.oidc;

import io.plat.apiserver.authentication.jwt.KeySet;
import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an issuer, fetched from it: at once, again every few minutes so that a key which it has withdrawn goes, and when a token
 * names a key that is not known, but not more often than every few seconds, whatever tokens name. What was fetched last stays
 * in use while the issuer is away.
 */
public final class FetchedKeys implements IssuerKeys {
    private static final Logger LOG = LoggerFactory.getLogger(FetchedKeys.class);

    private final Source source;
    private final Pace pace;
    private final LongSupplier nanoTime;
    private final ReentrantLock fetching = new ReentrantLock();
    private final BackgroundLoop loop;
    private volatile @Nullable KeySet keys;
    private volatile long asked;
    private volatile boolean closed;

    /** Where keys come from. */
    @FunctionalInterface
    public interface Source {
        /**
         * The keys as they are now; waits for them within bounds.
         *
         * @throws UnusableKeysException where they can't be had
         * @throws InterruptedException if this thread is to end
         */
        KeySet fetch() throws UnusableKeysException, InterruptedException;
    }

    /**
     * How often the issuer is asked.
     *
     * @param refresh how long after keys were fetched
     * @param retry how long after they could not be
     * @param least how long apart requests for unknown keys are at least
     */
    public record Pace(Duration refresh, Duration retry, Duration least) {
        /** Every ten minutes; every ten seconds while it fails, as existing servers do; every five seconds at most. */
        public static final Pace STANDARD =
                new Pace(Duration.ofMinutes(10), Duration.ofSeconds(10), Duration.ofSeconds(5));
    }

    private FetchedKeys(Source source, Pace pace, LongSupplier nanoTime) {
        this.source = source;
        this.pace = pace;
        this.nanoTime = nanoTime;
        this.asked = nanoTime.getAsLong() - pace.least().toNanos();
        this.loop = BackgroundLoop.virtual("oidc-keys", this::round);
    }

    /** Begins to fetch, in the background. */
    public static FetchedKeys start(Source source, Pace pace, LongSupplier nanoTime) {
        FetchedKeys keys = new FetchedKeys(source, pace, nanoTime);
        keys.loop.start();
        return keys;
    }

    private Duration round() throws InterruptedException {
        fetching.lockInterruptibly();
        try {
            return fetch() ? pace.refresh() : pace.retry();
        } finally {
            fetching.unlock();
        }
    }

    /** Fetches the keys; by whoever holds the lock. */
    private boolean fetch() throws InterruptedException {
        asked = nanoTime.getAsLong();
        try {
            keys = source.fetch();
            return true;
        } catch (UnusableKeysException e) {
            LOG.warn("the keys of the OpenID Connect issuer can't be had: {}", e.getMessage());
            return false;
        }
    }

    @Override
    public Optional<KeySet> known() {
        return Optional.ofNullable(keys);
    }

    @Override
    public boolean wouldAsk(String id) {
        return !knows(id) && isDue();
    }

    private boolean knows(String id) {
        return known().map(set -> !set.named(id).isEmpty()).orElse(false);
    }

    private boolean isDue() {
        return nanoTime.getAsLong() - asked >= pace.least().toNanos() || (keys == null && fetching.isLocked());
    }

    /** Whoever comes while another fetches waits for what that one gets, and asks again only if it is due then. */
    @Override
    public Optional<KeySet> withKey(String id) {
        if (!wouldAsk(id)) {
            return known();
        }
        try {
            if (fetching.tryLock(TlsKeySource.DEADLINE.toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    if (!closed
                            && !knows(id)
                            && nanoTime.getAsLong() - asked >= pace.least().toNanos()) {
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
