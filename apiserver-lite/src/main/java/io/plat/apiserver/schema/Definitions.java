package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Schemas that refer to each other by name ({@code #/definitions/NAME}). For any number of threads. */
public final class Definitions {
    private static final String REFERENCE = "#/definitions/";

    private final JsonNode byName;
    private final boolean open;
    private final Map<String, TypeSchema.Level> known = new ConcurrentHashMap<>();

    /**
     * The definitions of a document.
     *
     * @param byName an object with a schema under each name; not changed any more
     * @param open whether an object without described fields holds any fields, and not none
     */
    public Definitions(JsonNode byName, boolean open) {
        this.byName = byName;
        this.open = open;
    }

    /** Schemas that refer to nothing, as those of types that others define have to be. */
    public static Definitions none() {
        return new Definitions(JsonNodeFactory.instance.objectNode(), false);
    }

    /** The schema that stands at a place: a reference, or the schema itself. */
    public TypeSchema read(JsonNode declared) {
        String name = name(declared);
        JsonNode schema = name.isEmpty() ? declared : byName.path(name);
        // All references share what lies below a definition: schemas may contain themselves.
        TypeSchema.Level level = name.isEmpty() ? level(schema) : known.computeIfAbsent(name, key -> level(schema));
        return new TypeSchema(declared, level);
    }

    private TypeSchema.Level level(JsonNode schema) {
        return new TypeSchema.Level(this, schema, null);
    }

    /** Returns whether an object without described fields holds any fields, and not none. */
    boolean open() {
        return open;
    }

    /** The definition of a name. */
    public TypeSchema named(String name) {
        return read(JsonNodeFactory.instance.objectNode().put("$ref", REFERENCE + name));
    }

    private static String name(JsonNode declared) {
        String reference = declared.path("$ref").asText("");
        return reference.startsWith(REFERENCE) ? reference.substring(REFERENCE.length()) : "";
    }
}
