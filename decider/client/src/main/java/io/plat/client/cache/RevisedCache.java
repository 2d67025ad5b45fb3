package io.plat.client.cache;

import io.plat.client.cache.CacheCounts.Event;
import io.plat.client.remote.DeciderRevisionListener;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Cache of answers, keyed by the whole request.
 *
 * <p>An answer expires after a fixed time: a hit never extends it, so that a revocation takes effect regardless of use. Concurrent equal requests are
 * sent once: later ones wait for the first, whose deadline began earlier, and are sent themselves if it throws. Memory is bounded by the size of the
 * requests.
 *
 * <p>While the deciders' revisions are received, an answer is cached no longer than its revision is in effect. Names of revisions have no order: the
 * last one received is the newest. Answers of all others are dropped at once, and requests in progress are detached: no later request waits for them,
 * and their answers are not cached. Neither is an answer that arrives before the notification of its revision. After a disconnection, answers are
 * cached until they expire or are stale.
 *
 * @param <Q> the request; {@link Comparable}, so that requests of equal hash codes do not slow down lookups
 * @param <A> the answer
 */
public final class RevisedCache<Q extends Comparable<? super Q>, A> implements DeciderRevisionListener {
    private final Function<Q, Revised<A>> source;
    private final Rules<Q, A> rules;
    private final LongSupplier nanos;
    private final CacheCounts counts = new CacheCounts();
    private volatile Era<Q, A> era;

    /** Lifetimes of cached answers. */
    public interface Rules<Q, A> {
        /** Returns the lifetime of an answer; zero if it is not cached. */
        Duration lifetime(A answer);

        /** Returns the approximate memory of an entry, in bytes. */
        int bytes(Q request, Revised<A> answer);

        /** Returns the owner of an entry that the calling thread adds: of a full cache, each has a share. */
        default String owner(Q request) {
            return "";
        }

        /** Returns the maximum of their sum. */
        long maxBytes();

        /** Returns whether concurrent equal requests may share an answer. */
        boolean shares();

        /** Returns whether an answer is stale, without a revision stream for a duration since the disconnection and the answer. */
        default boolean isStale(A answer, Duration since) {
            return false;
        }
    }

    /**
     * Known revisions of the deciders, and the answers of these revisions.
     *
     * @param connectedUntil when the stream was lost; null while connected: all cached answers are then of the current revisions
     * @param revisions the latest revision of each decider
     */
    private record Era<Q, A>(@Nullable Long connectedUntil, Set<String> revisions, Memory<Q, A> memory) {
        boolean connected() {
            return connectedUntil == null;
        }

        /** Returns whether the answer to a request that began in an era may be cached now. */
        boolean accepts(String answered, Era<Q, A> begun) {
            return revisions.contains(answered) || (!connected() && memory == begun.memory);
        }
    }

    /**
     * Cached answers, and the requests in progress that will add to them. Both are dropped together by replacing this object: a request in progress
     * then writes to an unused one.
     */
    private static final class Memory<Q, A> {
        private final ExpiringMap<Q, Revised<A>> answers;
        private final ConcurrentMap<Q, CompletableFuture<A>> inProgress = new ConcurrentHashMap<>();

        /** Set once answers of several revisions were received. */
        private volatile boolean mixed;

        Memory(ExpiringMap<Q, Revised<A>> answers) {
            this.answers = answers;
        }
    }

    /**
     * Creates an empty cache.
     *
     * @param source sends a request, and blocks
     * @param nanos the clock of expiry
     */
    public RevisedCache(Function<Q, Revised<A>> source, Rules<Q, A> rules, LongSupplier nanos) {
        this.source = source;
        this.rules = rules;
        this.nanos = nanos;
        this.era = new Era<>(nanos.getAsLong(), Set.of(), empty());
    }

    private Memory<Q, A> empty() {
        return new Memory<>(new ExpiringMap<>(rules::owner, rules.maxBytes(), nanos, counts));
    }

    /** Returns the cached answer, or else waits for that of the source. */
    public A get(Q request) {
        Era<Q, A> now = era;
        @Nullable A known = hit(now, request);
        if (known != null) {
            return known;
        }
        counts.add(Event.MISS, 1);
        if (!rules.shares()) {
            return fetch(request, now);
        }
        CompletableFuture<A> own = new CompletableFuture<>();
        @Nullable CompletableFuture<A> others = now.memory.inProgress.putIfAbsent(request, own);
        if (others != null) {
            @Nullable A shared = others.join();
            return shared != null ? shared : fetch(request, now);
        }
        return getShared(own, request, now);
    }

    /** Returns the cached answer, or null. A hit is counted, a miss is not. Does not block. */
    public @Nullable A getIfPresent(Q request) {
        return hit(era, request);
    }

    private @Nullable A hit(Era<Q, A> now, Q request) {
        @Nullable A known = find(now, request);
        if (known != null) {
            counts.add(Event.HIT, 1);
        }
        return known;
    }

    /** Returns the cached answer, without counting the lookup; null if there is none. */
    public @Nullable A peek(Q request) {
        return find(era, request);
    }

    private @Nullable A find(Era<Q, A> now, Q request) {
        ExpiringMap.@Nullable Entry<Q, Revised<A>> entry = now.memory.answers.find(request);
        if (entry == null) {
            return null;
        }
        A answer = entry.value().answer();
        @Nullable Long until = now.connectedUntil;
        if (until != null) {
            long at = nanos.getAsLong();
            // The age of an answer without a stream is counted from the answer itself.
            if (rules.isStale(answer, Duration.ofNanos(Math.min(at - until, at - entry.added())))) {
                return null;
            }
        }
        return answer;
    }

    private A getShared(CompletableFuture<A> own, Q request, Era<Q, A> now) {
        @Nullable A answer = null;
        try {
            // Another request may have finished since the lookup.
            @Nullable A known = find(now, request);
            answer = known != null ? known : fetch(request, now);
            return answer;
        } finally {
            // Cached before the request in progress is removed, so that no other one begins in between.
            now.memory.inProgress.remove(request, own);
            own.complete(answer);
        }
    }

    private A fetch(Q request, Era<Q, A> begun) {
        Revised<A> answer = source.apply(request);
        if (!begun.revisions.contains(answer.revision())) {
            begun.memory.mixed = true;
        }
        Duration lifetime = rules.lifetime(answer.answer());
        if (!lifetime.isZero() && !lifetime.isNegative()) {
            Era<Q, A> now = era;
            if (now.accepts(answer.revision(), begun)) {
                // If another era begins here, the answer is stored in an unused cache.
                long at = nanos.getAsLong();
                now.memory.answers.put(
                        request,
                        answer,
                        new ExpiringMap.Times(at, at + lifetime.toNanos()),
                        rules.bytes(request, answer));
            } else {
                counts.add(Event.OUTDATED, 1);
            }
        }
        return answer.answer();
    }

    @Override
    public synchronized boolean received(Set<String> revisions) {
        Era<Q, A> before = era;
        boolean same = before.revisions.equals(revisions);
        if (before.connected() && same) {
            return false;
        }
        boolean added = !before.revisions.isEmpty() && revisions.containsAll(before.revisions);
        if (before.connected() && added && !before.memory.mixed) {
            // Another decider started to send revisions; answers of the others remain valid.
            era = new Era<>(null, Set.copyOf(revisions), before.memory);
            return false;
        }
        Memory<Q, A> next = empty();
        // While connected, answers of other revisions are not cached, so there is often nothing to scan.
        if (!before.connected() || !Collections.disjoint(before.revisions, revisions)) {
            next.answers.addAll(before.memory.answers, answer -> revisions.contains(answer.revision()));
        }
        era = new Era<>(null, Set.copyOf(revisions), next);
        counts.add(Event.REVISION, Math.max(0, before.memory.answers.size() - next.answers.size()));
        return !same || before.memory.mixed;
    }

    @Override
    public synchronized void disconnected() {
        if (era.connected()) {
            era = new Era<>(nanos.getAsLong(), era.revisions, era.memory);
        }
    }

    @Override
    public synchronized void changed() {
        Era<Q, A> before = era;
        era = new Era<>(before.connectedUntil, before.connected() ? before.revisions : Set.of(), empty());
        counts.add(Event.REVISION, before.memory.answers.size());
    }

    /** Returns the event counts. */
    public CacheCounts counts() {
        return counts;
    }

    /** Returns the approximate number of cached answers. */
    public long size() {
        return era.memory.answers.size();
    }

    /** Returns their approximate memory, in bytes. */
    public long bytes() {
        return era.memory.answers.weight();
    }
}
