package io.plat.apiserver.storage;

import java.util.List;

/**
 * Some objects of a range, in order.
 *
 * @param entries the objects
 * @param remaining how many of the range stand behind the last of them
 */
public record Page(List<Entry> entries, long remaining) {
    public Page {
        entries = List.copyOf(entries);
    }
}
