package io.plat.apiserver.stored;

import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;

/** Store as requests use it: a committed write is an effect of the request, which is not served again after that. */
public final class RequestStore extends DelegatingStore {
    public RequestStore(ObjectStore store) {
        super(store);
    }

    @Override
    public Outcome commit(Transaction transaction) throws StorageException {
        Outcome outcome = super.commit(transaction);
        if (outcome instanceof Outcome.Committed) {
            RequestMemory.current().effect();
        }
        return outcome;
    }
}
