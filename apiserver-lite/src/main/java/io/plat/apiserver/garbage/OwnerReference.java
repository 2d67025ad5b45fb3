package io.plat.apiserver.garbage;

/**
 * A reference to an owner, as metadata has it.
 *
 * @param apiVersion the group and version of the owner's kind
 * @param kind the owner's kind
 * @param name the owner's name; it is in the namespace of the object that refers to it, or in none
 * @param uid which object of that name
 * @param blocks whether the owner, deleted in the foreground, waits for the object that refers to it
 */
record OwnerReference(String apiVersion, String kind, String name, String uid, boolean blocks) {}
