package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.storage.Entry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The memory that definitions take for as long as they are stored: their trees, and what schemas are compiled to. Bounded, as whoever may
 * create definitions could fill the heap with them. For any number of threads.
 */
final class DefinitionMemory {
    /** The most that all definitions together take: a quarter of the heap. */
    static final long MOST = Runtime.getRuntime().maxMemory() / 4;

    /** The tree, the schema that shapes objects, and the one by which owners of fields are told apart. */
    private static final int FORMS = 3;

    private final Map<String, Long> taken = new ConcurrentHashMap<>();
    private final long most;

    DefinitionMemory(long most) {
        this.most = most;
    }

    /** Counts a definition that is stored. */
    void keep(Entry entry) {
        taken.put(entry.key().name(), FORMS * TreeSize.of(entry.value()));
    }

    /** Counts a definition no longer. */
    void release(String name) {
        taken.remove(name);
    }

    /** Counts none. */
    void clear() {
        taken.clear();
    }

    /** Whether there is room for a definition as it is to become; always where it becomes no larger. */
    boolean fits(JsonNode definition) {
        String name = definition.path("metadata").path("name").asText("");
        long own = FORMS * TreeSize.of(definition.path("spec"));
        long before = taken.getOrDefault(name, 0L);
        long all = taken.values().stream().mapToLong(each -> each).sum();
        return own <= before || all - before + own <= most;
    }
}
