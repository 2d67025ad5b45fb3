package io.plat.apiserver.storage;

import java.util.List;

/**
 * Page of a range, in order.
 *
 * @param remaining number of objects in the range after the last of them
 */
public record Page(List<Entry> entries, long remaining) {
    public Page {
        entries = List.copyOf(entries);
    }
}
