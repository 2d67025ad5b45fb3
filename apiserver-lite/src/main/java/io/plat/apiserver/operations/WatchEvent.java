package io.plat.apiserver.operations;

import io.plat.apiserver.stored.ServedObject;

/**
 * Watch event of one object.
 *
 * @param object the object; for a deletion its last state, with the version of the deletion
 * @param change whether it is a change, which watchers of the same objects share; false for an initial object
 */
public record WatchEvent(Type type, ServedObject object, boolean change) {
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }
}
