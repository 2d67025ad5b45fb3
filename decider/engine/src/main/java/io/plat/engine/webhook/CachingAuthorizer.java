package io.plat.engine.webhook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.review.Attributes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the decisions of another authorizer, keyed by the whole question.
 *
 * <p>How long a decision holds is counted from when it was made: a hit never extends it, so that a revoked right is gone after
 * its time however often it is used. {@link Undecided} is never remembered. A question that is being asked is asked once, however
 * many ask it meanwhile: those wait for the first, whose deadline began before theirs. Memory is bounded by the size of the
 * questions; a huge one is asked each time, as in existing servers.
 */
public final class CachingAuthorizer implements Authorizer {
    private final Authorizer authorizer;
    private final Settings settings;
    private final Cache<Attributes, Decision> decisions;
    private final ConcurrentMap<Attributes, CompletableFuture<Decision>> asking = new ConcurrentHashMap<>();

    /**
     * What is remembered.
     *
     * @param allowed how long an allow holds; zero remembers none
     * @param unallowed how long anything else that was decided holds; zero remembers none
     * @param maxBytes roughly how much memory the cache may take, in bytes
     */
    public record Settings(Duration allowed, Duration unallowed, long maxBytes) {
        /** Room for some ten thousand questions of the usual size. */
        public static final long DEFAULT_MAX_BYTES = 16 << 20;

        public Settings {
            if (allowed.isNegative() || unallowed.isNegative() || maxBytes <= 0) {
                throw new IllegalArgumentException("not a cache: " + allowed + ", " + unallowed + ", " + maxBytes);
            }
        }

        /** A cache of the default size. */
        public Settings(Duration allowed, Duration unallowed) {
            this(allowed, unallowed, DEFAULT_MAX_BYTES);
        }

        private Duration holds(Decision decision) {
            return switch (decision) {
                case Allow allow -> allowed;
                case Deny deny -> unallowed;
                case NoOpinion none -> unallowed;
                case Undecided undecided -> Duration.ZERO;
            };
        }
    }

    /**
     * A cache before an authorizer.
     *
     * @param ticker tells the time by which decisions expire
     */
    public CachingAuthorizer(Authorizer authorizer, Settings settings, Ticker ticker) {
        this.authorizer = authorizer;
        this.settings = settings;
        this.decisions = Caffeine.newBuilder()
                .ticker(ticker)
                .expireAfter(Expiry.<Attributes, Decision>creating((question, decision) -> settings.holds(decision)))
                .weigher((Attributes question, Decision decision) -> QuestionSize.bytes(question, decision))
                .maximumWeight(settings.maxBytes())
                // Eviction is a few list operations; done by the caller it needs no thread and is over when the call
                // is.
                .executor(Runnable::run)
                .build();
    }

    @Override
    public Decision authorize(Attributes attributes) {
        if (QuestionSize.isHuge(attributes)) {
            return authorizer.authorize(attributes);
        }
        Decision known = decisions.getIfPresent(attributes);
        if (known != null) {
            return known;
        }
        // An answer that must not be remembered must not be shared either: it was made before the other question came.
        boolean shared = settings.allowed().isPositive() && settings.unallowed().isPositive();
        return shared ? askOnce(attributes) : ask(attributes);
    }

    /**
     * The decision where it is remembered: without asking anybody and without waiting, so fit for a thread that must not block.
     */
    public Optional<Decision> cached(Attributes attributes) {
        return QuestionSize.isHuge(attributes)
                ? Optional.empty()
                : Optional.ofNullable(decisions.getIfPresent(attributes));
    }

    private Decision askOnce(Attributes attributes) {
        CompletableFuture<Decision> mine = new CompletableFuture<>();
        CompletableFuture<Decision> others = asking.putIfAbsent(attributes, mine);
        if (others != null) {
            return await(others);
        }
        Decision decision = null;
        try {
            // Somebody may have asked and been answered since the cache was looked at.
            Decision known = decisions.getIfPresent(attributes);
            decision = known != null ? known : ask(attributes);
            return decision;
        } finally {
            // Remembered before it is no longer being asked, so that nobody asks in between.
            asking.remove(attributes, mine);
            finish(mine, decision);
        }
    }

    private static void finish(CompletableFuture<Decision> mine, @Nullable Decision decision) {
        if (decision == null) {
            mine.cancel(false);
        } else {
            mine.complete(decision);
        }
    }

    private static Decision await(CompletableFuture<Decision> others) {
        try {
            return others.join();
        } catch (CancellationException | CompletionException e) {
            return new Undecided(Cause.FAILED, "the authorizer failed on the same question");
        }
    }

    private Decision ask(Attributes attributes) {
        Decision decision = authorizer.authorize(attributes);
        if (settings.holds(decision).isPositive()) {
            decisions.put(attributes, decision);
        }
        return decision;
    }
}
