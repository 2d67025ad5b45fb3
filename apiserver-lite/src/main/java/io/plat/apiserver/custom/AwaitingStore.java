package io.plat.apiserver.custom;

import io.plat.apiserver.resource.ResourceCatalog;
import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Transaction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/** A store whose writes of definitions complete once what they define is served. */
final class AwaitingStore extends DelegatingStore {
    /** A write is durable by then; it is not held back for ever where the follower has failed. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final LongFunction<CompletableFuture<Boolean>> inEffect;

    /**
     * A store.
     *
     * @param inEffect completes once a revision is in effect
     */
    AwaitingStore(ObjectStore store, LongFunction<CompletableFuture<Boolean>> inEffect) {
        super(store);
        this.inEffect = inEffect;
    }

    @Override
    public CompletableFuture<Outcome> submit(Transaction transaction) {
        CompletableFuture<Outcome> submitted = super.submit(transaction);
        return transaction.change().key().resource().equals(ResourceCatalog.DEFINITIONS)
                ? submitted.thenCompose(this::awaited)
                : submitted;
    }

    private CompletableFuture<Outcome> awaited(Outcome outcome) {
        return outcome instanceof Outcome.Committed committed
                ? inEffect.apply(committed.event().revision())
                        .completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                        .thenApply(reached -> outcome)
                : CompletableFuture.completedFuture(outcome);
    }
}
