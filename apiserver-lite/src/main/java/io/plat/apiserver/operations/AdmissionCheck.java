package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;

/** The last step before a write that a client asks for: policies may deny it. For any number of threads. */
public interface AdmissionCheck {
    /** No policies. */
    AdmissionCheck NONE = new AdmissionCheck() {
        @Override
        public boolean applies(Snapshot snapshot) {
            return false;
        }

        @Override
        public void admit(AdmissionRequest request, Snapshot snapshot) {}
    };

    /**
     * Returns whether there are any policies.
     *
     * @throws StorageException if the store can't be read
     */
    boolean applies(Snapshot snapshot) throws StorageException;

    /**
     * Checks a write of a complete and valid object, where there are policies.
     *
     * @param snapshot a state of the store that is at least as new as the beginning of the request: its policies apply
     * @throws StatusException if a policy denies the request
     * @throws StorageException if the store can't be read
     */
    void admit(AdmissionRequest request, Snapshot snapshot) throws StatusException, StorageException;

    /** Writes what the server reports about a new generation of an object into its status. */
    default void report(ResourceType type, ObjectNode object) {}
}
