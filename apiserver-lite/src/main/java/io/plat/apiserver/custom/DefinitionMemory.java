package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.storage.Entry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Memory that stored definitions take: their trees, compiled schemas and rules, and the documents about the types that they define.
 * Bounded, as a user who may create definitions could fill the heap with them. Thread-safe.
 */
final class DefinitionMemory {
    /** Maximum memory of all definitions together: a quarter of the heap. */
    static final long MAX_BYTES = Runtime.getRuntime().maxMemory() / 4;

    /** Copies of a definition: its tree, the schema of objects, the schema of managed fields, and documents. */
    private static final int FORMS = 4;

    /** Bytes that documents contain for each served version, in addition to its schema and names. */
    private static final long PUBLISHED = 28 << 10;

    /** Number of times that documents mention the names of a version. */
    private static final long MENTIONS = 160;

    /** Factor for the lists of names in documents. */
    private static final int LISTINGS = 8;

    /** Bytes of a compiled rule, in addition to its characters. */
    private static final long RULE = 8 << 10;

    private static final int CHARACTER_OF_RULE = 128;

    private final Map<String, Long> bytesByName = new ConcurrentHashMap<>();
    private final long maxBytes;

    DefinitionMemory(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    void keep(Entry entry, JsonNode spec) {
        bytesByName.put(entry.key().name(), memory(TreeSize.of(entry.value()), spec));
    }

    private static long memory(long tree, JsonNode spec) {
        return FORMS * tree + published(spec) + rules(spec);
    }

    /** Returns the memory of the rules that check objects: those of the version in which they are stored. */
    private static long rules(JsonNode spec) {
        var size = new LongAdder();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("storage").asBoolean() && version.findValue("x-kubernetes-validations") != null) {
                TypeSchema.of(version.path("schema").path("openAPIV3Schema")).any(schema -> {
                    schema.rules().forEach(rule -> size.add(rule(rule)));
                    return false;
                });
            }
        }
        return size.sum();
    }

    private static long rule(JsonNode rule) {
        int length = rule.path("rule").asText().length()
                + rule.path("messageExpression").asText().length();
        return RULE + (long) CHARACTER_OF_RULE * length;
    }

    /** Returns the memory of the documents about a definition's versions. */
    private static long published(JsonNode spec) {
        JsonNode names = spec.path("names");
        int length = spec.path("group").asText().length()
                + names.path("plural").asText().length()
                + names.path("kind").asText().length();
        long each = PUBLISHED + LISTINGS * TreeSize.of(names);
        return spec.path("versions")
                .valueStream()
                .filter(version -> version.path("served").asBoolean())
                .mapToLong(version -> each
                        + MENTIONS * (length + version.path("name").asText().length()))
                .sum();
    }

    void release(String name) {
        bytesByName.remove(name);
    }

    void clear() {
        bytesByName.clear();
    }

    /** Returns whether there is memory for a new state of a definition; always true if it does not grow. */
    boolean fits(JsonNode definition) {
        String name = definition.path("metadata").path("name").asText("");
        JsonNode spec = definition.path("spec");
        long own = memory(TreeSize.of(spec), spec);
        long before = bytesByName.getOrDefault(name, 0L);
        long all = bytesByName.values().stream().mapToLong(each -> each).sum();
        return own <= before || all - before + own <= maxBytes;
    }
}
