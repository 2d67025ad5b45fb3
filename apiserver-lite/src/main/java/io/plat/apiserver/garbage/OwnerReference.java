package io.plat.apiserver.garbage;

/**
 * Owner reference in metadata.
 *
 * @param apiVersion apiVersion of the owner
 * @param kind kind of the owner
 * @param name name of the owner, which is in the same namespace or cluster-scoped
 * @param uid uid of the owner
 * @param blocks whether foreground deletion of the owner waits for the object
 */
record OwnerReference(String apiVersion, String kind, String name, String uid, boolean blocks) {}
