package io.plat.apiserver.stored;

import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.status.StatusException;

/** Store for requests, which hold no compute slot while they wait for a commit, and whose failures have a Status. */
public final class RequestStore extends DelegatingStore {
    /** Step of a request that uses a store. */
    @FunctionalInterface
    public interface Step<T> {
        T run() throws StatusException, StorageException;
    }

    public RequestStore(ObjectStore store) {
        super(store);
    }

    @Override
    public Outcome commit(Transaction transaction) throws StorageException {
        RequestMemory.current().endTurn();
        return super.commit(transaction);
    }

    /** Runs a step; a failure of the store becomes that of the request. */
    public static <T> T run(Step<T> step) throws StatusException {
        try {
            return step.run();
        } catch (StorageException e) {
            throw ApiErrors.storage(e);
        }
    }
}
