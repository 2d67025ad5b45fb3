package io.plat.apiserver.stored;

import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;

/** Store for requests, which hold no compute slot while they wait for a commit. */
public final class RequestStore extends DelegatingStore {
    public RequestStore(ObjectStore store) {
        super(store);
    }

    @Override
    public Outcome commit(Transaction transaction) throws StorageException {
        RequestMemory.current().endTurn();
        return super.commit(transaction);
    }
}
