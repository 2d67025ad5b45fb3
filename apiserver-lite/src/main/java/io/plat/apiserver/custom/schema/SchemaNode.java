package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A schema and those below it. Immutable.
 *
 * <p>What shapes a value (types, fields, what is kept) is here by itself, what else it has to be is in its {@link Demands}.
 */
public final class SchemaNode {
    private static final String EXTENSION = "x-kubernetes-";

    private final JsonNode source;
    private final String type;
    private final boolean nullable;
    private final boolean intOrString;
    private final boolean preserves;
    private final boolean embedded;
    private final Map<String, SchemaNode> properties;
    private final @Nullable SchemaNode items;
    private final @Nullable SchemaNode additional;
    private final boolean anyAdditional;
    private final Demands demands;

    private SchemaNode(JsonNode source) {
        this.source = source;
        this.type = source.path("type").asText("");
        this.nullable = source.path("nullable").asBoolean();
        this.intOrString = source.path(EXTENSION + "int-or-string").asBoolean();
        this.preserves = source.path(EXTENSION + "preserve-unknown-fields").asBoolean();
        this.embedded = source.path(EXTENSION + "embedded-resource").asBoolean();
        var fields = new LinkedHashMap<String, SchemaNode>();
        source.path("properties").properties().forEach(field -> fields.put(field.getKey(), of(field.getValue())));
        this.properties = Collections.unmodifiableMap(fields);
        this.items = source.path("items").isObject() ? of(source.path("items")) : null;
        JsonNode others = source.path("additionalProperties");
        this.additional = others.isObject() ? of(others) : null;
        this.anyAdditional = others.isBoolean() && others.booleanValue();
        this.demands = new Demands(source);
    }

    /**
     * Compiles a schema.
     *
     * @param source as a definition has it; not changed any more
     */
    public static SchemaNode of(JsonNode source) {
        return new SchemaNode(source);
    }

    /** The schema as it was written. */
    public JsonNode source() {
        return source;
    }

    /** The JSON type, {@code ""} where none is said. */
    public String type() {
        return type;
    }

    /** Whether null is a value. */
    public boolean nullable() {
        return nullable;
    }

    /** Whether a whole number or a text may stand here. */
    public boolean intOrString() {
        return intOrString;
    }

    /** Whether what is not described is kept. */
    public boolean preserves() {
        return preserves;
    }

    /** Whether whole objects stand here, with kind, apiVersion and metadata. */
    public boolean embedded() {
        return embedded;
    }

    /** The fields that are described. */
    public Map<String, SchemaNode> properties() {
        return properties;
    }

    /** What the value of a field is: what is said of it, or of all other fields; null where nothing is. */
    public @Nullable SchemaNode of(String field) {
        @Nullable SchemaNode described = properties.get(field);
        return described == null ? additional : described;
    }

    /** What the elements are; null where that is not said. */
    public @Nullable SchemaNode items() {
        return items;
    }

    /** What the values of all other fields are; null where that is not said. */
    public @Nullable SchemaNode additional() {
        return additional;
    }

    /** Whether there may be fields that are not described, with any values. */
    boolean anyAdditional() {
        return anyAdditional;
    }

    /** The value of a field that was not sent; a missing node where there is none. */
    public JsonNode standard() {
        return source.path("default");
    }

    /** {@code set}, {@code map}, {@code atomic} or {@code ""}. */
    public String listType() {
        return source.path(EXTENSION + "list-type").asText("");
    }

    /** The fields by which elements of a list are told apart. */
    public List<String> listKeys() {
        return texts(source.path(EXTENSION + "list-map-keys"));
    }

    /** {@code granular}, {@code atomic} or {@code ""}. */
    public String mapType() {
        return source.path(EXTENSION + "map-type").asText("");
    }

    /** The rules in CEL, as they were written. */
    public List<JsonNode> rules() {
        var rules = new ArrayList<JsonNode>();
        source.path(EXTENSION + "validations").forEach(rules::add);
        return rules;
    }

    /** What else a value has to be. */
    Demands demands() {
        return demands;
    }

    /** The texts of a list. */
    static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(item -> texts.add(item.asText()));
        return List.copyOf(texts);
    }
}
