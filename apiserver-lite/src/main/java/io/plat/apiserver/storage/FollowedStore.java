package io.plat.apiserver.storage;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/** Store that delays the acknowledgement of some writes until a follower has them in effect. */
public final class FollowedStore extends DelegatingStore {
    /** Maximum delay of an acknowledgement; the write is durable by then. */
    public static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Predicate<Key> followed;
    private final Progress progress;
    private final Function<Outcome, CompletableFuture<Outcome>> late;

    /**
     * @param followed predicate of keys whose writes wait
     * @param progress progress of the follower
     * @param late outcome of a write that has not taken effect in time
     */
    public FollowedStore(
            ObjectStore store,
            Predicate<Key> followed,
            Progress progress,
            Function<Outcome, CompletableFuture<Outcome>> late) {
        super(store);
        this.followed = followed;
        this.progress = progress;
        this.late = late;
    }

    @Override
    public CompletableFuture<Outcome> submit(Transaction transaction) {
        CompletableFuture<Outcome> submitted = super.submit(transaction);
        return followed.test(transaction.change().key()) ? submitted.thenCompose(this::inEffect) : submitted;
    }

    private CompletableFuture<Outcome> inEffect(Outcome outcome) {
        if (!(outcome instanceof Outcome.Committed committed)) {
            return CompletableFuture.completedFuture(outcome);
        }
        CompletableFuture<Boolean> reached = progress.until(
                committed.event().key().resource(), committed.event().revision());
        return reached.completeOnTimeout(false, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(inEffect -> {
                    if (inEffect) {
                        return CompletableFuture.completedFuture(outcome);
                    }
                    progress.cancel(reached);
                    return late.apply(outcome);
                });
    }
}
