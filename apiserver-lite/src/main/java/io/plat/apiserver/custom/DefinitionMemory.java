package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.storage.Entry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Accounting of the memory of stored definitions: their trees and compiled schemas. It is bounded, so that creating definitions cannot
 * exhaust the heap. Thread-safe.
 */
final class DefinitionMemory {
    /** Maximum memory of all definitions together: a quarter of the heap. */
    static final long MOST = Runtime.getRuntime().maxMemory() / 4;

    /** The tree, the schema of objects, and the schema for field ownership. */
    private static final int FORMS = 3;

    private final Map<String, Long> taken = new ConcurrentHashMap<>();
    private final long most;

    DefinitionMemory(long most) {
        this.most = most;
    }

    /** Accounts for a stored definition. */
    void keep(Entry entry) {
        taken.put(entry.key().name(), FORMS * TreeSize.of(entry.value()));
    }

    /** Releases the memory of a definition. */
    void release(String name) {
        taken.remove(name);
    }

    /** Resets the accounting. */
    void clear() {
        taken.clear();
    }

    /** Returns whether there is memory for a new state of a definition; always true if it does not grow. */
    boolean fits(JsonNode definition) {
        String name = definition.path("metadata").path("name").asText("");
        long own = FORMS * TreeSize.of(definition.path("spec"));
        long before = taken.getOrDefault(name, 0L);
        long all = taken.values().stream().mapToLong(each -> each).sum();
        return own <= before || all - before + own <= most;
    }
}
