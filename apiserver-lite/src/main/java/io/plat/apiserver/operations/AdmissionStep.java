package io.plat.apiserver.operations;

import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.status.StatusException;

/**
 * Admission, by the newest policies, of requests that write no object of their own.
 *
 * @param store store with the policies
 */
record AdmissionStep(ObjectStore store, AdmissionCheck check) {
    void admit(AdmissionRequest request) throws StatusException {
        try {
            Snapshot snapshot = store.latest();
            if (check.applies(snapshot)) {
                check.admit(request, snapshot);
            }
        } catch (StorageException e) {
            throw ApiErrors.storage(e);
        }
    }
}
