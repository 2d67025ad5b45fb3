package io.plat.apiserver.operations;

import io.plat.apiserver.stored.ServedObject;
import java.util.Objects;

/**
 * What a watch tells of one object.
 *
 * @param type what happened, as the watch's selectors see it
 * @param object the object; for a deletion its last state, under the version of the deletion
 * @param change whether a change is told, so that others who follow the same are told the same; not so for an object that was
 *     there when the watch began
 */
public record WatchEvent(Type type, ServedObject object, boolean change) {
    /** The words of the field. */
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    public WatchEvent {
        Objects.requireNonNull(type);
        Objects.requireNonNull(object);
    }
}
