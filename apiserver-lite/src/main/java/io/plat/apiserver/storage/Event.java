package io.plat.apiserver.storage;

import org.jspecify.annotations.Nullable;

/**
 * Change of one key. Each revision is one change of one key, so events are totally ordered and a watch can resume after any of them.
 *
 * @param entry state after the change; for a deletion the last state, with the revision of the deletion
 * @param previous state before the change; null for a creation only
 */
public record Event(Type type, Entry entry, @Nullable Entry previous) {
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

    public static Event of(@Nullable Entry previous, Entry entry) {
        return new Event(previous == null ? Type.CREATED : Type.UPDATED, entry, previous);
    }

    public static Event deletion(Entry previous, long revision) {
        return new Event(Type.DELETED, new Entry(previous.key(), previous.value(), revision), previous);
    }

    public long revision() {
        return entry.revision();
    }

    public Key key() {
        return entry.key();
    }
}
