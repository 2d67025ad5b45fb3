package io.plat.apiserver.objects;

import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.process.Tasks;
import java.util.concurrent.CompletableFuture;

/** A store in which a service that goes, in whatever way, gives back what it was lent. */
public final class GivenBack extends DelegatingStore {
    private final ServiceLending lending;

    public GivenBack(ObjectStore store, ServiceLending lending) {
        super(store);
        this.lending = lending;
    }

    @Override
    public CompletableFuture<Outcome> submit(Transaction transaction) {
        CompletableFuture<Outcome> submitted = super.submit(transaction);
        if (transaction.change() instanceof Transaction.Delete(var key)
                && key.resource().equals(ServiceLending.SERVICES)) {
            // Reading may wait, which whoever completes a write must not.
            var _ = submitted.thenAccept(outcome -> Tasks.virtual("services-given-back", () -> takeBack(outcome)));
        }
        return submitted;
    }

    private void takeBack(Outcome outcome) {
        if (outcome instanceof Outcome.Committed(Event gone)) {
            try {
                lending.takeBack(gone.entry());
            } catch (StorageException e) {
                // Nobody waits for this. What the service had is for whoever takes it next.
                return;
            }
        }
    }
}
