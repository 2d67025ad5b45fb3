package io.plat.apiserver.authentication.account;

/**
 * Reference to an object by name and uid.
 *
 * @param uid its uid; {@code ""} for an unknown node
 */
public record ObjectReference(String name, String uid) {}
