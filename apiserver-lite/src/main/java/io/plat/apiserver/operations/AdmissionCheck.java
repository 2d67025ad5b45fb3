package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;

/** Admission of client writes, as the last step before storage. Thread-safe. */
public interface AdmissionCheck {
    AdmissionCheck NONE = new AdmissionCheck() {};

    default boolean applies(Snapshot snapshot) {
        return false;
    }

    /**
     * Admits a write of a complete and valid object, if there are policies.
     *
     * @param snapshot state of the store that is at least as new as the start of the request, with the policies to apply
     * @throws StatusException if a policy denies the request
     */
    default void admit(AdmissionRequest request, Snapshot snapshot) throws StatusException {}

    /**
     * Adds the server's report about a new generation of an object to its status.
     *
     * @throws StatusException if the server has no memory for the object, such as for another policy
     */
    default void report(ResourceType type, ObjectNode object, Snapshot snapshot) throws StatusException {}
}
