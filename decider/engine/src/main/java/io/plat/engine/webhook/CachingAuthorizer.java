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
import io.plat.engine.explain.Explained;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.NamedGrants;
import io.plat.engine.webhook.CacheCounts.Event;
import io.plat.review.Attributes;
import io.plat.review.explain.Bounded;
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
 * Remembers the decisions of another authorizer, keyed by the whole question.
 *
 * <p>How long a decision holds is counted from when it was made: a hit never extends it, so that a revoked right is gone after
 * its time however often it is used. {@link Undecided} is never remembered. A question that is being asked is asked once, however
 * many ask it meanwhile: those wait for the first, whose deadline began before theirs. Memory is bounded by the size of the
 * questions, and with it their number; a huge one is asked each time, as in existing servers.
 *
 * <p>Where somebody tells the decider's revisions, a decision holds no longer than the revision that it was made under. Names of
 * revisions have no order of their own: the one told last is the newest. What was decided under another is dropped at once, and so
 * is what is still on its way: no later question waits for it, and it is not remembered. An answer that overtakes the news of
 * its revision is not remembered either. When nobody tells any more, decisions hold for their time again.
 */
public final class CachingAuthorizer implements Authorizer, DelegatingExplainer, PolicyNews {
    private static final Unexplained STALE = new Unexplained(
            WebhookGrant.MODE, "an earlier decision is remembered, and would not be made like this now");

    private final Function<Attributes, Answer> source;
    private final Explainer explainer;
    private final Settings settings;
    private final CacheCounts counts = new CacheCounts();
    private volatile Era era;

    /**
     * What is known of the decider's revisions, and what is remembered meanwhile.
     *
     * @param told whether each new revision is told; all that is remembered was then decided under the present ones
     * @param revisions those told last: one, or one for each of several deciders
     */
    private record Era(boolean told, Set<String> revisions, Memory memory) {
        /** Whether an answer to a question that was asked in some era may be remembered now. */
        boolean takes(String answered, Era asked) {
            boolean present = revisions.contains(answered);
            return present || (!told && memory == asked.memory);
        }
    }

    /**
     * What is remembered.
     *
     * @param allowed how long an allow holds; zero remembers none
     * @param unallowed how long anything else that was decided holds; zero remembers none
     * @param maxBytes roughly how much memory the cache may take, in bytes
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
     * A cache before an authorizer.
     *
     * @param source decides, and waits for it; says by which policy
     * @param explainer explains the same decisions
     * @param ticker tells the time by which decisions expire
     */
    CachingAuthorizer(Function<Attributes, Answer> source, Explainer explainer, Settings settings, Ticker ticker) {
        this.source = source;
        this.explainer = explainer;
        this.settings = settings;
        this.era = new Era(false, Set.of(), new Memory(new Memory.Parts(settings.maxBytes(), ticker, counts)));
    }

    @Override
    public Decision authorize(Attributes attributes) {
        if (QuestionSize.isHuge(attributes)) {
            return source.apply(attributes).decision();
        }
        Era now = era;
        Decision known = hit(now, attributes);
        if (known != null) {
            return known;
        }
        counts.add(Event.MISS, 1);
        // An answer that must not be remembered must not be shared either: it was made before the other question came.
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
        return QuestionSize.isHuge(attributes) ? null : hit(era, attributes);
    }

    private @Nullable Decision hit(Era now, Attributes attributes) {
        Decision known = now.memory.find(attributes);
        if (known != null) {
            counts.add(Event.HIT, 1);
        }
        return known;
    }

    /** The decision where it is remembered; looked at without being counted. */
    Optional<Decision> cached(Attributes attributes) {
        return QuestionSize.isHuge(attributes) ? Optional.empty() : Optional.ofNullable(era.memory.find(attributes));
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
            // Somebody may have asked and been answered since the cache was looked at.
            Decision known = now.memory.find(attributes);
            decision = known != null ? known : ask(attributes, now);
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

    private Decision ask(Attributes attributes, Era asked) {
        Answer answer = source.apply(attributes);
        Decision decision = answer.decision();
        if (!asked.revisions.contains(answer.revision())) {
            asked.memory.mix();
        }
        Duration holds = settings.holds(decision);
        if (holds.isPositive()) {
            Era now = era;
            if (now.takes(answer.revision(), asked)) {
                // Should another era begin right here, this is remembered where nobody looks any more.
                now.memory.put(attributes, answer, holds);
            } else {
                counts.add(Event.OUTDATED, 1);
            }
        }
        return decision;
    }

    @Override
    public synchronized boolean told(Set<String> revisions) {
        Era before = era;
        boolean same = before.revisions.equals(revisions);
        if (before.told && same) {
            return false;
        }
        boolean further = !before.revisions.isEmpty() && revisions.containsAll(before.revisions);
        if (before.told && further && !before.memory.isMixed()) {
            // Another decider has begun to tell; what the others decided is as good as it was.
            era = new Era(true, Set.copyOf(revisions), before.memory);
            return false;
        }
        // While revisions are told nothing of other ones is remembered, so that there often is nothing to look through.
        boolean other = before.told && Collections.disjoint(before.revisions, revisions);
        Memory next = other ? before.memory.empty() : before.memory.of(revisions);
        era = new Era(true, Set.copyOf(revisions), next);
        counts.add(Event.REVISION, Math.max(0, before.memory.size() - next.size()));
        return !same || before.memory.isMixed();
    }

    @Override
    public synchronized void untold() {
        era = new Era(false, era.revisions, era.memory);
    }

    @Override
    public synchronized void changed() {
        Era before = era;
        era = new Era(before.told, before.told ? before.revisions : Set.of(), before.memory.empty());
        counts.add(Event.REVISION, before.memory.size());
    }

    /** What happened to it so far. */
    public CacheCounts counts() {
        return counts;
    }

    /** How many decisions are remembered, roughly. */
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
     * <p>Explanations are not remembered. Where the decision still is, and another one than would be made now, it is the one that is
     * explained: by what it went by, and by saying so.
     */
    @Override
    public Explained explain(Attributes attributes) {
        Explained now = explainer.explain(attributes);
        Optional<Decision> remembered = cached(attributes);
        if (remembered.isEmpty() || isSame(remembered.get(), now.decision())) {
            return now;
        }
        return remembered(remembered.get(), now.findings());
    }

    private static Explained remembered(Decision decision, Findings now) {
        List<Unexplained> unexplained = new ArrayList<>(now.unexplained());
        unexplained.add(STALE);
        boolean allowed = decision instanceof Allow;
        return new Explained(
                decision,
                new Findings(
                        NamedGrants.of(decision),
                        allowed ? Bounded.none() : now.nearMisses(),
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
