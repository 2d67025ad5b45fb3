package io.plat.apiserver.objects;

import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.process.Tasks;
import java.util.concurrent.CompletableFuture;

/** A store in which a service that goes, in whatever way, releases what was allocated to it. */
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
            // Reading may wait, which whoever completes a write must not.
            var _ = submitted.thenAccept(outcome -> Tasks.virtual("services-released", () -> release(outcome)));
        }
        return submitted;
    }

    private void release(Outcome outcome) {
        if (outcome instanceof Outcome.Committed(Event gone)) {
            try {
                services.release(gone.entry());
            } catch (StorageException e) {
                // Nobody waits for this. What the service had is for whoever takes it next.
                return;
            }
        }
    }
}
