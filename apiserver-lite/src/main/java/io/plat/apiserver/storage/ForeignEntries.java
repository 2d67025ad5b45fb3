package io.plat.apiserver.storage;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;

/**
 * Stored entries that no served type can have written. They are preserved: no read or watch returns them, and nothing is written in their
 * place. Thread-safe.
 */
public final class ForeignEntries {
    private final Predicate<Entry> isForeign;
    private final Set<Key> present = new ConcurrentSkipListSet<>();

    /** Creates an empty set; a store adds foreign entries as it reads them. */
    public ForeignEntries(Predicate<Entry> isForeign) {
        this.isForeign = isForeign;
    }

    public boolean record(Entry entry) {
        boolean foreign = isForeign.test(entry);
        if (foreign) {
            present.add(entry.key());
        } else if (!present.isEmpty()) {
            present.remove(entry.key());
        }
        return foreign;
    }

    /** Clears the set, before a reload. */
    public void clear() {
        present.clear();
    }

    public void removed(Key key) {
        if (!present.isEmpty()) {
            present.remove(key);
        }
    }

    public boolean contains(Key key) {
        return !present.isEmpty() && present.contains(key);
    }

    public List<Key> keys() {
        return List.copyOf(present);
    }
}
