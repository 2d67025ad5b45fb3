package io.plat.apiserver.storage;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;

/**
 * Entries that are stored and that no type serves. They stay as they are: no read and no watch shows them, and nothing is written in their
 * place. For any number of threads.
 */
public final class ForeignEntries {
    private final Predicate<Entry> recognized;
    private final Set<Key> present = new ConcurrentSkipListSet<>();

    /** None yet; a store adds those that are recognized as it reads them. */
    public ForeignEntries(Predicate<Entry> recognized) {
        this.recognized = recognized;
    }

    /** Notes the present state of a key if it is a foreign one, and returns whether it is. */
    public boolean note(Entry entry) {
        boolean foreign = recognized.test(entry);
        if (foreign) {
            present.add(entry.key());
        } else if (!present.isEmpty()) {
            present.remove(entry.key());
        }
        return foreign;
    }

    /** Begins anew, before everything is read. */
    public void clear() {
        present.clear();
    }

    /** Notes that a key has no state any more. */
    public void gone(Key key) {
        if (!present.isEmpty()) {
            present.remove(key);
        }
    }

    /** Returns whether the present state of a key is a foreign one. */
    public boolean contains(Key key) {
        return !present.isEmpty() && present.contains(key);
    }

    /** The keys, in order. */
    public List<Key> keys() {
        return List.copyOf(present);
    }
}
