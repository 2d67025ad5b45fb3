package io.plat.apiserver.schema;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names of the fields of built-in types. Parsers return these instances, as literals are, so that looking a field up compares references instead
 * of text. Names that clients chose are never added. Thread-safe.
 */
public final class FieldNames {
    private static final Map<String, String> DECLARED = new ConcurrentHashMap<>();

    private FieldNames() {}

    /** Adds the name of a field of a built-in type; returns the instance that parsers return. */
    public static String declare(String name) {
        return DECLARED.computeIfAbsent(name, String::intern);
    }

    /** Returns the declared instance of a name, else the name itself. */
    public static String of(String name) {
        return DECLARED.getOrDefault(name, name);
    }
}
