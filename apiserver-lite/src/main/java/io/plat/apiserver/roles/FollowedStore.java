package io.plat.apiserver.roles;

import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import io.plat.review.ApiGroups;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A store whose writes of role objects complete once the follower of its {@link #reading()} has them in effect. */
final class FollowedStore extends DelegatingStore {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedStore.class);

    /** A write is durable by then; it fails where decisions are not made by it. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String SUFFIX = "." + ApiGroups.RBAC;

    private final ObjectStore store;
    private final Progress progress;

    FollowedStore(ObjectStore store, Progress progress) {
        super(store);
        this.store = store;
        this.progress = progress;
    }

    @Override
    public CompletableFuture<Outcome> submit(Transaction transaction) {
        return super.submit(transaction).thenCompose(this::inEffect);
    }

    private CompletableFuture<Outcome> inEffect(Outcome outcome) {
        if (!(outcome instanceof Outcome.Committed committed)
                || !committed.event().key().resource().endsWith(SUFFIX)) {
            return CompletableFuture.completedFuture(outcome);
        }
        CompletableFuture<Boolean> reached = progress.until(
                committed.event().key().resource(), committed.event().revision());
        return reached.completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(inEffect -> {
                    if (inEffect) {
                        return CompletableFuture.completedFuture(outcome);
                    }
                    progress.giveUp(reached);
                    LOG.error("a role object was written and does not decide after {} s", PATIENCE.toSeconds());
                    return CompletableFuture.failedFuture(new StorageException(
                            StorageException.Kind.UNCERTAIN, "the change is stored, but not in effect yet"));
                });
    }

    /** The store as the one follower reads it: its watches report how far they have been read. */
    ObjectStore reading() {
        return new DelegatingStore(store) {
            @Override
            public Watch watch(KeyRange range, long after, Runnable ready) {
                progress.read(range.resource(), after);
                Watch watch = super.watch(range, after, ready);
                return new Watch() {
                    @Override
                    public Batch poll(int limit) {
                        Batch batch = watch.poll(limit);
                        if (batch instanceof Batch.Events events) {
                            progress.read(range.resource(), events.position());
                        }
                        return batch;
                    }

                    @Override
                    public void close() {
                        watch.close();
                    }
                };
            }
        };
    }
}
