package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Schemas that refer to each other by name ({@code #/definitions/NAME}). Thread-safe. */
public final class Definitions {
    private static final String REFERENCE = "#/definitions/";

    private final JsonNode byName;
    private final boolean open;
    private final Map<String, TypeSchema.Level> known = new ConcurrentHashMap<>();

    /**
     * Creates the definitions of a document.
     *
     * @param byName schemas by name; not modified any more
     * @param open whether an object without declared fields has arbitrary fields, rather than none
     */
    public Definitions(JsonNode byName, boolean open) {
        this.byName = byName;
        this.open = open;
    }

    /** Returns definitions without references, as required for custom types. */
    public static Definitions none() {
        return new Definitions(JsonNodeFactory.instance.objectNode(), false);
    }

    public TypeSchema read(JsonNode declared) {
        String name = name(declared);
        JsonNode schema = name.isEmpty() ? declared : byName.path(name);
        // References share the schemas below a definition, which may be recursive.
        TypeSchema.Level level = name.isEmpty() ? level(schema) : known.computeIfAbsent(name, key -> level(schema));
        return new TypeSchema(declared, level);
    }

    private TypeSchema.Level level(JsonNode schema) {
        return new TypeSchema.Level(this, schema, null);
    }

    /** Returns whether an object without declared fields has arbitrary fields, rather than none. */
    boolean open() {
        return open;
    }

    public TypeSchema named(String name) {
        return read(JsonNodeFactory.instance.objectNode().put("$ref", REFERENCE + name));
    }

    private static String name(JsonNode declared) {
        String reference = declared.path("$ref").asText("");
        return reference.startsWith(REFERENCE) ? reference.substring(REFERENCE.length()) : "";
    }
}
