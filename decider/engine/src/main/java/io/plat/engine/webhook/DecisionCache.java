package io.plat.engine.webhook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Ticker;
import io.plat.engine.Decision;
import io.plat.review.Attributes;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Cached decisions until they expire, and the requests in progress that will add to them. Both are dropped together by replacing the cache: a
 * request in progress then writes to an unused one.
 */
final class DecisionCache {
    private final Parts parts;
    private final Cache<Attributes, Remembered> answers;
    private final ConcurrentMap<Attributes, CompletableFuture<Decision>> asking = new ConcurrentHashMap<>();
    private volatile boolean mixed;

    /**
     * Parts shared by the caches of one authorizer.
     *
     * @param maxBytes approximate maximum memory of each
     * @param ticker the clock of expiry
     * @param counts counts events
     */
    record Parts(long maxBytes, Ticker ticker, CacheCounts counts) {}

    /**
     * A decision.
     *
     * @param until when it ends, by the ticker
     */
    private record Remembered(RevisedDecision answer, long until) {}

    DecisionCache(Parts parts) {
        this.parts = parts;
        this.answers = Caffeine.newBuilder()
                .ticker(parts.ticker())
                .expireAfter(Expiry.<Attributes, Remembered>creating((question, remembered) -> left(remembered)))
                .weigher((Attributes question, Remembered remembered) -> RequestSize.bytes(question, remembered.answer))
                .maximumWeight(parts.maxBytes())
                .evictionListener((question, remembered, cause) -> count(cause))
                // Eviction is a few list operations; done by the caller it needs no thread and is over when the call
                // is.
                .executor(Runnable::run)
                .build();
    }

    private Duration left(Remembered remembered) {
        return Duration.ofNanos(Math.max(0, remembered.until - parts.ticker().read()));
    }

    private void count(RemovalCause cause) {
        parts.counts().add(cause == RemovalCause.EXPIRED ? CacheCounts.Event.EXPIRED : CacheCounts.Event.SIZE, 1);
    }

    /** Returns the cached decision, or null. Does not block. */
    @Nullable
    Decision find(Attributes question) {
        Remembered remembered = answers.getIfPresent(question);
        return remembered == null ? null : remembered.answer.decision();
    }

    void put(Attributes question, RevisedDecision answer, Duration holds) {
        answers.put(question, new Remembered(answer, parts.ticker().read() + holds.toNanos()));
    }

    /** Requests in progress with their future decisions. */
    ConcurrentMap<Attributes, CompletableFuture<Decision>> asking() {
        return asking;
    }

    /** Records that responses of several revisions were received while this was in use. */
    void mix() {
        mixed = true;
    }

    boolean isMixed() {
        return mixed;
    }

    /** Returns the approximate number of decisions. */
    long size() {
        return answers.estimatedSize();
    }

    /** Roughly how much they take, in bytes. */
    long bytes() {
        return answers.policy()
                .eviction()
                .map(eviction -> eviction.weightedSize().orElse(0))
                .orElse(0L);
    }

    /** Returns a cache of the decisions of some revisions; their expiry is unchanged. */
    DecisionCache of(Set<String> revisions) {
        DecisionCache retained = new DecisionCache(parts);
        answers.asMap().forEach((question, remembered) -> {
            if (revisions.contains(remembered.answer.revision())) {
                retained.answers.put(question, remembered);
            }
        });
        return retained;
    }

    /** A memory of nothing. */
    DecisionCache empty() {
        return new DecisionCache(parts);
    }
}
