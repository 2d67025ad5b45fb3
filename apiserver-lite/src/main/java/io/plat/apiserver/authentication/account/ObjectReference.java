package io.plat.apiserver.authentication.account;

import java.util.Objects;

/**
 * Reference to an object by name and uid.
 *
 * @param uid its uid; {@code ""} for an unknown node
 */
public record ObjectReference(String name, String uid) {
    public ObjectReference {
        Objects.requireNonNull(name);
        Objects.requireNonNull(uid);
    }
}
