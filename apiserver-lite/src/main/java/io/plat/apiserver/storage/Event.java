package io.plat.apiserver.storage;

import org.jspecify.annotations.Nullable;

/**
 * One change. A revision is one change of one key, so that events have one order and a watch can be resumed after any of them.
 *
 * @param type what happened
 * @param entry the state after the change; for a deletion the last state, under the revision of the deletion
 * @param previous the state before the change; null exactly for a creation
 */
public record Event(Type type, Entry entry, @Nullable Entry previous) {
    /** The kind of change. */
    public enum Type {
        CREATED,
        UPDATED,
        DELETED
    }

    public Event {
        if ((type == Type.CREATED) != (previous == null)) {
            throw new IllegalArgumentException(type + " with" + (previous == null ? "out" : "") + " a previous state");
        }
    }

    /** Returns the change that a write makes of what was there. */
    public static Event of(@Nullable Entry previous, Entry entry) {
        return new Event(previous == null ? Type.CREATED : Type.UPDATED, entry, previous);
    }

    /** Returns the deletion of an object at a revision. */
    public static Event deletion(Entry previous, long revision) {
        return new Event(Type.DELETED, new Entry(previous.key(), previous.value(), revision), previous);
    }

    /** The revision of the change. */
    public long revision() {
        return entry.revision();
    }

    /** The key that changed. */
    public Key key() {
        return entry.key();
    }
}
