package io.plat.apiserver.authentication.account;

import java.util.Objects;

/**
 * An object by its name and uid.
 *
 * @param name its name
 * @param uid its uid; {@code ""} for a node that is not known here
 */
public record ObjectReference(String name, String uid) {
    public ObjectReference {
        Objects.requireNonNull(name);
        Objects.requireNonNull(uid);
    }
}
