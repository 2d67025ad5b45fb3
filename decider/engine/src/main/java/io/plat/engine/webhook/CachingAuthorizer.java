package io.plat.engine.webhook;

import com.github.benmanes.caffeine.cache.Ticker;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.explain.DelegatingExplainer;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.NamedGrants;
import io.plat.engine.webhook.CacheCounts.Event;
import io.plat.review.Attributes;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Findings;
import io.plat.review.explain.Unexplained;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of another authorizer's decisions, keyed by the whole request.
 *
 * <p>A decision expires after a fixed time: a hit never extends it, so that a revocation takes effect regardless of use. {@link Undecided} is
 * never cached. Concurrent equal requests are sent once: later ones wait for the first, whose deadline began before theirs. Memory is bounded by
 * the size of the requests; a huge one is not cached, as in kube-apiserver.
 *
 * <p>While the decider's revisions are received, a decision is cached no longer than its revision is in effect. Names of revisions have no
 * order: the last one received is the newest. Decisions of any other are dropped at once, and so are requests in progress: no later request
 * waits for them, and their decisions are not cached. A response that overtakes the notification of its revision is not cached either. After a
 * disconnection, decisions are cached until they expire again.
 */
public final class CachingAuthorizer implements Authorizer, DelegatingExplainer, DeciderRevisionListener {
    private static final Unexplained STALE = new Unexplained(
            WebhookGrant.MODE, "an earlier decision is remembered, and would not be made like this now");

    private final Function<Attributes, RevisedDecision> source;
    private final Explainer explainer;
    private final Settings settings;
    private final CacheCounts counts = new CacheCounts();
    private volatile Era era;

    /**
     * Known revisions of the decider, and the cache for them.
     *
     * @param connected whether each new revision is received; all cached decisions are then of the current ones
     * @param revisions the latest ones: one, or one for each of several deciders
     */
    private record Era(boolean connected, Set<String> revisions, DecisionCache memory) {
        /** Returns whether the response to a request of some era may be cached now. */
        boolean takes(String answered, Era asked) {
            boolean present = revisions.contains(answered);
            return present || (!connected && memory == asked.memory);
        }
    }

    /**
     * Cache settings.
     *
     * @param allowed lifetime of an allow; zero caches none
     * @param unallowed lifetime of any other decision; zero caches none
     * @param maxBytes approximate maximum memory of the cache, in bytes
     */
    public record Settings(Duration allowed, Duration unallowed, long maxBytes) {
        public Settings {
            if (allowed.isNegative() || unallowed.isNegative() || maxBytes <= 0) {
                throw new IllegalArgumentException("not a cache: " + allowed + ", " + unallowed + ", " + maxBytes);
            }
        }

        /** A cache with room for some ten thousand questions of the usual size. */
        public Settings(Duration allowed, Duration unallowed) {
            this(allowed, unallowed, 16 << 20);
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
     * Creates a cache for an authorizer.
     *
     * @param source decides, and blocks; returns the revision
     * @param explainer explains the same decisions
     * @param ticker the clock of expiry
     */
    CachingAuthorizer(
            Function<Attributes, RevisedDecision> source, Explainer explainer, Settings settings, Ticker ticker) {
        this.source = source;
        this.explainer = explainer;
        this.settings = settings;
        this.era = new Era(
                false, Set.of(), new DecisionCache(new DecisionCache.Parts(settings.maxBytes(), ticker, counts)));
    }

    @Override
    public Decision authorize(Attributes attributes) {
        if (RequestSize.isHuge(attributes)) {
            return source.apply(attributes).decision();
        }
        Era now = era;
        Decision known = hit(now, attributes);
        if (known != null) {
            return known;
        }
        counts.add(Event.MISS, 1);
        // A response that must not be cached must not be shared either: it was made before the other request arrived.
        boolean shared = settings.allowed().isPositive() && settings.unallowed().isPositive();
        return shared ? askOnce(attributes, now) : ask(attributes, now);
    }

    /**
     * {@inheritDoc}
     *
     * <p>That is where it is remembered. It counts as a hit; nothing is counted where it is not.
     */
    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        return RequestSize.isHuge(attributes) ? null : hit(era, attributes);
    }

    private @Nullable Decision hit(Era now, Attributes attributes) {
        Decision known = now.memory.find(attributes);
        if (known != null) {
            counts.add(Event.HIT, 1);
        }
        return known;
    }

    /** Returns the cached decision, without counting the lookup. */
    Optional<Decision> cached(Attributes attributes) {
        return RequestSize.isHuge(attributes) ? Optional.empty() : Optional.ofNullable(era.memory.find(attributes));
    }

    private Decision askOnce(Attributes attributes, Era now) {
        ConcurrentMap<Attributes, CompletableFuture<Decision>> asking = now.memory.asking();
        CompletableFuture<Decision> mine = new CompletableFuture<>();
        CompletableFuture<Decision> others = asking.putIfAbsent(attributes, mine);
        if (others != null) {
            return await(others);
        }
        Decision decision = null;
        try {
            // Another request may have finished since the cache was read.
            Decision known = now.memory.find(attributes);
            decision = known != null ? known : ask(attributes, now);
            return decision;
        } finally {
            // Cached before the request in progress is removed, so that no other begins in between.
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

    private Decision ask(Attributes attributes, Era asked) {
        RevisedDecision answer = source.apply(attributes);
        Decision decision = answer.decision();
        if (!asked.revisions.contains(answer.revision())) {
            asked.memory.mix();
        }
        Duration holds = settings.holds(decision);
        if (holds.isPositive()) {
            Era now = era;
            if (now.takes(answer.revision(), asked)) {
                // If another era begins right here, this is stored in an unused cache.
                now.memory.put(attributes, answer, holds);
            } else {
                counts.add(Event.OUTDATED, 1);
            }
        }
        return decision;
    }

    @Override
    public synchronized boolean received(Set<String> revisions) {
        Era before = era;
        boolean same = before.revisions.equals(revisions);
        if (before.connected && same) {
            return false;
        }
        boolean further = !before.revisions.isEmpty() && revisions.containsAll(before.revisions);
        if (before.connected && further && !before.memory.isMixed()) {
            // Another decider has begun to send revisions; decisions of the others remain valid.
            era = new Era(true, Set.copyOf(revisions), before.memory);
            return false;
        }
        // While revisions are received, decisions of other revisions are not cached, so that there often is nothing to
        // scan.
        boolean other = before.connected && Collections.disjoint(before.revisions, revisions);
        DecisionCache next = other ? before.memory.empty() : before.memory.of(revisions);
        era = new Era(true, Set.copyOf(revisions), next);
        counts.add(Event.REVISION, Math.max(0, before.memory.size() - next.size()));
        return !same || before.memory.isMixed();
    }

    @Override
    public synchronized void disconnected() {
        era = new Era(false, era.revisions, era.memory);
    }

    @Override
    public synchronized void changed() {
        Era before = era;
        era = new Era(before.connected, before.connected ? before.revisions : Set.of(), before.memory.empty());
        counts.add(Event.REVISION, before.memory.size());
    }

    /** Returns the numbers of events. */
    public CacheCounts counts() {
        return counts;
    }

    /** Returns the approximate number of cached decisions. */
    public long size() {
        return era.memory.size();
    }

    /** Roughly how much memory they take, in bytes. */
    public long bytes() {
        return era.memory.bytes();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Explanations are not cached. If the cached decision differs from the current one, the cached one is explained: by its own grant, and a
     * note that it is cached.
     */
    @Override
    public ExplainedDecision explain(Attributes attributes) {
        ExplainedDecision now = explainer.explain(attributes);
        Optional<Decision> remembered = cached(attributes);
        if (remembered.isEmpty() || isSame(remembered.get(), now.decision())) {
            return now;
        }
        return remembered(remembered.get(), now.findings());
    }

    private static ExplainedDecision remembered(Decision decision, Findings now) {
        List<Unexplained> unexplained = new ArrayList<>(now.unexplained());
        unexplained.add(STALE);
        boolean allowed = decision instanceof Allow;
        return new ExplainedDecision(
                decision,
                new Findings(
                        NamedGrants.of(decision),
                        allowed ? BoundedList.none() : now.nearMisses(),
                        allowed ? null : now.suggestion(),
                        unexplained));
    }

    private static boolean isSame(Decision one, Decision other) {
        return one instanceof Allow == other instanceof Allow && !(other instanceof Undecided);
    }

    @Override
    public Explainer explainer() {
        return explainer;
    }
}
