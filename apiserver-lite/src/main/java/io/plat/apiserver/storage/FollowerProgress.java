package io.plat.apiserver.storage;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * FollowerProgress of a follower by resource: the changes that it has read, and those that have taken effect. Thread-safe; updated by the
 * follower's threads.
 */
public final class FollowerProgress {
    /** Maximum delay of an acknowledgement; the write is durable by then. */
    public static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Map<String, Long> read = new ConcurrentHashMap<>();
    private final Map<String, RevisionWaiters> effective = new ConcurrentHashMap<>();

    /** Records that all changes of a resource up to a revision have been read. */
    public void read(String resource, long revision) {
        read.put(resource, revision);
    }

    /** Records that all changes that have been read are in effect. */
    public void markEffective() {
        read.forEach((resource, revision) -> waiters(resource).reached(revision));
    }

    RevisionWaiters waiters(String resource) {
        return effective.computeIfAbsent(resource, any -> new RevisionWaiters(0));
    }

    /** Returns a store that delays the acknowledgement of some writes until the follower has them in effect. */
    public ObjectStore delaying(
            ObjectStore store, Predicate<Key> followed, Function<Outcome, CompletableFuture<Outcome>> late) {
        return new DelegatingStore(store) {
            @Override
            public CompletableFuture<Outcome> submit(Transaction transaction) {
                CompletableFuture<Outcome> submitted = super.submit(transaction);
                return followed.test(transaction.key())
                        ? submitted.thenCompose(outcome -> inEffect(outcome, late))
                        : submitted;
            }
        };
    }

    private CompletableFuture<Outcome> inEffect(Outcome outcome, Function<Outcome, CompletableFuture<Outcome>> late) {
        if (!(outcome instanceof Outcome.Committed(Event event))) {
            return CompletableFuture.completedFuture(outcome);
        }
        RevisionWaiters waiters = waiters(event.key().resource());
        CompletableFuture<@Nullable Void> reached = waiters.of(event.revision());
        return reached.thenApply(inEffect -> true)
                .completeOnTimeout(false, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(inEffect -> {
                    if (inEffect) {
                        return CompletableFuture.completedFuture(outcome);
                    }
                    waiters.cancel(reached);
                    return late.apply(outcome);
                });
    }
}
