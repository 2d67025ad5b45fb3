package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A schema that is written in JSON: the form of OpenAPI with the extensions of the field ({@code x-kubernetes-list-type}, {@code
 * x-kubernetes-list-map-keys}, {@code x-kubernetes-map-type}, {@code x-kubernetes-patch-strategy}, {@code
 * x-kubernetes-preserve-unknown-fields}, {@code x-kubernetes-int-or-string}), which the built-in types have and those that others
 * define alike.
 */
final class JsonSchema implements TypeSchema {
    private static final String EXTENSION = "x-kubernetes-";

    private final JsonNode source;
    private final JsonNode schema;
    private final Below below;
    private final Form form;
    private final boolean preserves;
    private final boolean keepsUnknown;
    private final ListKind listKind;
    private final List<String> keys;
    private final Merging merging;
    private final boolean atomic;
    private final List<String> allowed;
    private final String format;

    /**
     * A schema.
     *
     * @param source what stands at the place; what it says beside a reference holds there
     * @param schema what it refers to, or the same
     * @param below what lies below {@code schema}
     * @param open whether an object that no field is said of holds any fields
     */
    JsonSchema(JsonNode source, JsonNode schema, Below below, boolean open) {
        this.source = source;
        this.schema = schema;
        this.below = below;
        this.form = readForm();
        this.preserves = schema.path(EXTENSION + "preserve-unknown-fields").asBoolean();
        this.keepsUnknown = preserves || (open && form == Form.OBJECT && !schema.has("properties"));
        this.listKind = switch (said("list-type")) {
            case "set" -> ListKind.SET;
            case "map" -> ListKind.MAP;
            default -> ListKind.ATOMIC;
        };
        this.keys = texts(declared("list-map-keys"));
        this.merging = readMerging();
        this.atomic = readAtomic();
        this.allowed = texts(schema.path("enum"));
        this.format = schema.path("format").asText("");
    }

    private Form readForm() {
        if (source.path("$ref").asText().endsWith(".Quantity")) {
            return Form.QUANTITY;
        }
        if (schema.path("format").asText().equals("int-or-string")
                || schema.path(EXTENSION + "int-or-string").asBoolean()) {
            return Form.INT_OR_STRING;
        }
        return switch (schema.path("type").asText()) {
            case "object" ->
                !schema.has("properties") && schema.path("additionalProperties").isObject() ? Form.MAP : Form.OBJECT;
            case "array" -> Form.LIST;
            case "string" -> Form.TEXT;
            case "integer" -> Form.INTEGER;
            case "number" -> Form.NUMBER;
            case "boolean" -> Form.BOOLEAN;
            default -> Form.ANY;
        };
    }

    private Merging readMerging() {
        List<String> strategies = List.of(said("patch-strategy").split(",", -1));
        boolean merges = form == Form.LIST ? strategies.contains("merge") : !strategies.contains("replace");
        return new Merging(merges, said("patch-merge-key"));
    }

    private boolean readAtomic() {
        return switch (form) {
            // An object that is not described is one value, unless it is said to keep what is in it.
            case OBJECT -> said("map-type").equals("atomic") || (!schema.has("properties") && !preserves);
            case MAP -> said("map-type").equals("atomic");
            case LIST -> listKind == ListKind.ATOMIC;
            case ANY -> !schema.isMissingNode() && !preserves;
            case TEXT, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY -> true;
        };
    }

    /** What is said at the place of the field counts, and else what the definition says. */
    private JsonNode declared(String extension) {
        JsonNode here = source.path(EXTENSION + extension);
        return here.isMissingNode() ? schema.path(EXTENSION + extension) : here;
    }

    private String said(String extension) {
        return declared(extension).asText("");
    }

    private static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(item -> texts.add(item.asText()));
        return List.copyOf(texts);
    }

    @Override
    public Form form() {
        return form;
    }

    @Override
    public Map<String, TypeSchema> fields() {
        return form == Form.OBJECT ? below.fields() : Map.of();
    }

    @Override
    public boolean keepsUnknown() {
        return keepsUnknown;
    }

    @Override
    public TypeSchema element() {
        return switch (form) {
            case LIST -> below.element("items");
            case MAP -> below.element("additionalProperties");
            case OBJECT, TEXT, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY, ANY -> UNKNOWN;
        };
    }

    @Override
    public boolean atomic() {
        return atomic;
    }

    @Override
    public ListKind listKind() {
        return listKind;
    }

    @Override
    public List<String> keys() {
        return keys;
    }

    @Override
    public Merging merging() {
        return merging;
    }

    @Override
    public Set<String> required() {
        return form == Form.OBJECT ? below.required() : Set.of();
    }

    @Override
    public List<String> allowed() {
        return allowed;
    }

    @Override
    public String format() {
        return format;
    }

    @Override
    public Map<String, JsonNode> standards() {
        return form == Form.OBJECT ? below.standards() : Map.of();
    }

    @Override
    public String toString() {
        return form + " " + source;
    }
}
