package io.plat.engine.webhook;

import io.plat.client.cache.Revised;
import io.plat.client.cache.RevisedCache;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.explain.DelegatingExplainer;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.process.Waiting;
import io.plat.review.Attributes;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Findings;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache of another authorizer's decisions, keyed by the whole request.
 *
 * <p>{@link Undecided} is never cached, and a huge request is not cached either, as in kube-apiserver. {@link RevisedCache} has the rules of
 * expiry, of concurrent equal requests and of revisions.
 */
public final class CachingAuthorizer implements Authorizer, DelegatingExplainer {
    private static final UnexplainedAuthorizer STALE = new UnexplainedAuthorizer(
            WebhookAuthorizer.MODE, "an earlier decision is cached, and differs from the current one");

    private static final ScopedValue<String> CLIENT = ScopedValue.newInstance();

    private final Function<Attributes, Revised<Decision>> source;
    private final Explainer explainer;
    private final RevisedCache<Attributes, Decision> cache;

    /**
     * Cache settings.
     *
     * @param authorizedTtl lifetime of an allow; zero caches none
     * @param unauthorizedTtl lifetime of any other decision; zero caches none
     * @param maxBytes approximate maximum memory of the cache, in bytes
     */
    public record Settings(Duration authorizedTtl, Duration unauthorizedTtl, long maxBytes)
            implements RevisedCache.Rules<Attributes, Decision> {
        public Settings {
            if (authorizedTtl.isNegative() || unauthorizedTtl.isNegative() || maxBytes <= 0) {
                throw new IllegalArgumentException(
                        "not a cache: " + authorizedTtl + ", " + unauthorizedTtl + ", " + maxBytes);
            }
        }

        /** Creates settings with room for some ten thousand requests of the usual size. */
        public Settings(Duration authorizedTtl, Duration unauthorizedTtl) {
            this(authorizedTtl, unauthorizedTtl, 16 << 20);
        }

        @Override
        public int bytes(Attributes request, Revised<Decision> answer) {
            return RequestSize.bytes(request, answer);
        }

        /** Returns the client that requests decisions about others, or else the user of the request. */
        @Override
        public String owner(Attributes request) {
            return CLIENT.isBound() ? CLIENT.get() : request.user().client();
        }

        /** Returns whether responses may be shared: not if they must not be cached, as they precede the later request. */
        @Override
        public boolean shares() {
            return authorizedTtl.isPositive() && unauthorizedTtl.isPositive();
        }

        @Override
        public Duration lifetime(Decision decision) {
            return switch (decision) {
                case Allow allow -> authorizedTtl;
                case Deny deny -> unauthorizedTtl;
                case NoOpinion none -> unauthorizedTtl;
                case Undecided undecided -> Duration.ZERO;
            };
        }
    }

    /**
     * Creates a cache for an authorizer.
     *
     * @param source decides, and blocks; returns the revision
     * @param explainer explains the same decisions
     * @param nanos the clock of expiry
     */
    CachingAuthorizer(
            Function<Attributes, Revised<Decision>> source,
            Explainer explainer,
            Settings settings,
            LongSupplier nanos) {
        this.source = source;
        this.explainer = explainer;
        this.cache = new RevisedCache<>(source, settings, nanos);
    }

    /**
     * Returns a decision about a user that a client has named: what is cached counts towards the client's share.
     *
     * @param client key of the client
     */
    public static Decision authorizeFor(String client, Authorizer authorizer, Attributes attributes) {
        return ScopedValue.where(CLIENT, client).call(() -> authorizer.authorize(attributes));
    }

    @Override
    public Decision authorize(Attributes attributes) {
        if (RequestSize.isHuge(attributes)) {
            return source.apply(attributes).answer();
        }
        Decision known = cache.getIfPresent(attributes);
        if (known != null) {
            return known;
        }
        // Perhaps for the answer to another request.
        try (Waiting _ = Waiting.begin()) {
            return cache.get(attributes);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Returns the cached decision. A hit is counted, a miss is not.
     */
    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        return RequestSize.isHuge(attributes) ? null : cache.getIfPresent(attributes);
    }

    /** Returns the cached decision, without counting the lookup. */
    Optional<Decision> cached(Attributes attributes) {
        return RequestSize.isHuge(attributes) ? Optional.empty() : Optional.ofNullable(cache.peek(attributes));
    }

    /** Returns the cache, which listens to the revisions of the decider. */
    RevisedCache<Attributes, Decision> cache() {
        return cache;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Explanations are not cached. If the cached decision differs from the current one, the cached one is explained, by its own grant and a note.
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
        List<UnexplainedAuthorizer> unexplained = new ArrayList<>(now.unexplained());
        unexplained.add(STALE);
        boolean allowed = decision instanceof Allow;
        return new ExplainedDecision(
                decision,
                new Findings(
                        decision.grants(),
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
