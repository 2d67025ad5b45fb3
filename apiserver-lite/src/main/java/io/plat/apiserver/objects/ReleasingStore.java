package io.plat.apiserver.objects;

import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.process.Tasks;
import java.util.concurrent.CompletableFuture;

/** Store decorator that releases the allocations of a deleted service, however it is deleted. */
public final class ReleasingStore extends DelegatingStore {
    private final ServiceAllocation services;

    public ReleasingStore(ObjectStore store, ServiceAllocation services) {
        super(store);
        this.services = services;
    }

    @Override
    public CompletableFuture<Outcome> submit(Transaction transaction) {
        CompletableFuture<Outcome> submitted = super.submit(transaction);
        if (transaction.change() instanceof Transaction.Delete(var key)
                && key.resource().equals(ServiceAllocation.SERVICES)) {
            // Reading may block, which the thread that completes a write must not.
            var _ = submitted.thenAccept(outcome -> Tasks.virtual("services-released", () -> release(outcome)));
        }
        return submitted;
    }

    private void release(Outcome outcome) {
        if (outcome instanceof Outcome.Committed(Event gone)) {
            try {
                services.release(gone.entry());
            } catch (StorageException e) {
                // Nothing depends on it: the items can be reallocated anyway.
                return;
            }
        }
    }
}
