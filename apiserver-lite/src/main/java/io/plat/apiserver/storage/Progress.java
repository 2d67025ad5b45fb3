package io.plat.apiserver.storage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Progress of a follower by resource: the changes that it has read, and those that have taken effect. Thread-safe; updated by the
 * follower's threads.
 */
public final class Progress {
    /** Maximum delay of an acknowledgement; the write is durable by then. */
    public static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Map<String, Long> read = new HashMap<>();
    private final Map<String, Long> effective = new HashMap<>();
    private final List<Waiter> waiting = new ArrayList<>();

    private record Waiter(String resource, long revision, CompletableFuture<Boolean> reached) {}

    /** Records that all changes of a resource up to a revision have been read. */
    public synchronized void read(String resource, long revision) {
        read.put(resource, revision);
    }

    /** Records that all changes that have been read are in effect. */
    public void markEffective() {
        for (Waiter one : reached()) {
            one.reached.complete(true);
        }
    }

    private synchronized List<Waiter> reached() {
        effective.putAll(read);
        List<Waiter> reached = new ArrayList<>();
        for (Iterator<Waiter> each = waiting.iterator(); each.hasNext(); ) {
            Waiter one = each.next();
            if (isEffective(one.resource, one.revision)) {
                reached.add(one);
                each.remove();
            }
        }
        return reached;
    }

    /**
     * Returns a store that delays the acknowledgement of some writes until the follower has them in effect.
     *
     * @param followed predicate of keys whose writes wait
     * @param late outcome of a write that has not taken effect in time
     */
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
        CompletableFuture<Boolean> reached = until(event.key().resource(), event.revision());
        return reached.completeOnTimeout(false, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(inEffect -> {
                    if (inEffect) {
                        return CompletableFuture.completedFuture(outcome);
                    }
                    cancel(reached);
                    return late.apply(outcome);
                });
    }

    /** Returns a future that completes with true once a change of a resource is in effect. */
    CompletableFuture<Boolean> until(String resource, long revision) {
        CompletableFuture<Boolean> reached = new CompletableFuture<>();
        synchronized (this) {
            if (!isEffective(resource, revision)) {
                waiting.add(new Waiter(resource, revision, reached));
                return reached;
            }
        }
        reached.complete(true);
        return reached;
    }

    /** Removes a future that is no longer needed. */
    synchronized void cancel(CompletableFuture<Boolean> reached) {
        waiting.removeIf(one -> one.reached == reached);
    }

    private boolean isEffective(String resource, long revision) {
        return effective.getOrDefault(resource, 0L) >= revision;
    }

    /** Returns the number of pending futures. */
    synchronized int waiting() {
        return waiting.size();
    }
}
