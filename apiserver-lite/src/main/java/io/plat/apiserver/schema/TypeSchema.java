package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a field's values, or of the objects of a type, in the form of OpenAPI with the extensions of Kubernetes
 * ({@code x-kubernetes-list-type} and so on), for built-in and custom types alike. Schemas may refer to themselves: they are read level by
 * level, and walked along values. Immutable, for any number of threads.
 */
public final class TypeSchema {
    private static final String EXTENSION = "x-kubernetes-";

    /** The schema of values that nothing describes: their fields are distinguished by their names. */
    public static final TypeSchema UNKNOWN = of(MissingNode.getInstance());

    /** The forms of values. */
    public enum Form {
        /** Named fields, each with a schema of its own. */
        OBJECT,
        /** Any names, all with values of one schema. */
        MAP,
        /** Elements of one schema. */
        LIST,
        /** Text, perhaps of a {@link #format}. */
        TEXT,
        /** A whole number. */
        INTEGER,
        /** Any number. */
        NUMBER,
        /** True or false. */
        BOOLEAN,
        /** A number or a text. */
        INT_OR_STRING,
        /** An amount, which may be written as a number too. */
        QUANTITY,
        /** Anything; a value that is not {@link #atomic} is an object whose fields are known by their names alone. */
        ANY
    }

    /** The identity of a list's elements when several clients change the list. */
    public enum ListKind {
        /** None: the list is one value. */
        ATOMIC,
        /** Their values. */
        SET,
        /** The values of their {@link #keys}. */
        MAP
    }

    /**
     * The effect of a strategic merge patch on a value.
     *
     * @param merges whether it goes into a list or an object; a list is replaced otherwise
     * @param key the field that identifies the elements of a list; {@code ""} for elements that are texts or numbers
     */
    public record Merging(boolean merges, String key) {}

    private final JsonNode declared;
    private final Level level;
    private final String type;
    private final String format;
    private final List<String> allowed;
    private final Form form;
    private final boolean keepsUnknown;
    private final ListKind listKind;
    private final List<String> keys;
    private final Merging merging;
    private final boolean atomic;

    /**
     * A schema.
     *
     * @param declared the JSON at the place; its extensions beside a reference hold there
     * @param level the definition to which it refers, or the same JSON
     */
    TypeSchema(JsonNode declared, Level level) {
        this.declared = declared;
        this.level = level;
        this.type = json().path("type").asText("");
        this.format = json().path("format").asText("");
        this.allowed = texts(json().path("enum"));
        this.form = readForm();
        this.keepsUnknown =
                preserves() || (level.definitions.open() && form == Form.OBJECT && !json().has("properties"));
        this.listKind = switch (listType()) {
            case "set" -> ListKind.SET;
            case "map" -> ListKind.MAP;
            default -> ListKind.ATOMIC;
        };
        this.keys = texts(extension("list-map-keys"));
        List<String> strategies = List.of(extension("patch-strategy").asText("").split(",", -1));
        this.merging = new Merging(
                form == Form.LIST ? strategies.contains("merge") : !strategies.contains("replace"),
                extension("patch-merge-key").asText(""));
        this.atomic = readAtomic();
    }

    /** Whole objects: the fields of a schema and those that every object has. */
    private TypeSchema(TypeSchema objects, Level level) {
        this.declared = objects.declared;
        this.level = level;
        this.type = objects.type;
        this.format = "";
        this.allowed = List.of();
        this.form = Form.OBJECT;
        this.keepsUnknown = objects.form != Form.OBJECT || objects.keepsUnknown;
        this.listKind = ListKind.ATOMIC;
        this.keys = List.of();
        this.merging = objects.merging;
        this.atomic = false;
    }

    /** Returns a schema that refers to no other, as those of custom types. */
    public static TypeSchema of(JsonNode json) {
        return Definitions.none().read(json);
    }

    /**
     * Returns the schema of whole objects by which the owners of fields are distinguished: it requires and defaults nothing.
     *
     * @param inherited the fields that every object has, whatever the schema declares for them
     */
    public TypeSchema whole(Map<String, TypeSchema> inherited) {
        var fields = new LinkedHashMap<>(fields());
        fields.putAll(inherited);
        Members members = new Members(Collections.unmodifiableMap(fields), null, null, Set.of(), Map.of());
        return new TypeSchema(this, new Level(level.definitions, level.json, members));
    }

    /** A definition and, read when first asked for, the schemas below it. All references to a definition share it. */
    static final class Level {
        private final Definitions definitions;
        private final JsonNode json;
        private volatile @Nullable Members members;
        private volatile @Nullable Constraints constraints;

        Level(Definitions definitions, JsonNode json, @Nullable Members members) {
            this.definitions = definitions;
            this.json = json;
            this.members = members;
        }

        private Members members() {
            Members known = members;
            if (known == null) {
                synchronized (this) {
                    known = Objects.requireNonNullElseGet(members, this::read);
                    members = known;
                }
            }
            return known;
        }

        private Members read() {
            var fields = new LinkedHashMap<String, TypeSchema>();
            var defaults = new LinkedHashMap<String, JsonNode>();
            json.path("properties").properties().forEach(field -> {
                fields.put(field.getKey(), definitions.read(field.getValue()));
                if (field.getValue().has("default")) {
                    defaults.put(field.getKey(), field.getValue().path("default"));
                }
            });
            return new Members(
                    Collections.unmodifiableMap(fields),
                    schema("items"),
                    schema("additionalProperties"),
                    Collections.unmodifiableSet(new LinkedHashSet<>(texts(json.path("required")))),
                    Collections.unmodifiableMap(defaults));
        }

        private @Nullable TypeSchema schema(String member) {
            return json.path(member).isObject() ? definitions.read(json.path(member)) : null;
        }
    }

    private record Members(
            Map<String, TypeSchema> fields,
            @Nullable TypeSchema items,
            @Nullable TypeSchema additional,
            Set<String> required,
            Map<String, JsonNode> defaults) {}

    private Form readForm() {
        if (declared.path("$ref").asText().endsWith(".Quantity")) {
            return Form.QUANTITY;
        }
        if (intOrString() || (level.definitions.open() && format.equals("int-or-string"))) {
            return Form.INT_OR_STRING;
        }
        return switch (type) {
            case "object" ->
                json().path("properties").isEmpty()
                                && json().path("additionalProperties").isObject()
                        ? Form.MAP
                        : Form.OBJECT;
            case "array" -> Form.LIST;
            case "string" -> Form.TEXT;
            case "integer" -> Form.INTEGER;
            case "number" -> Form.NUMBER;
            case "boolean" -> Form.BOOLEAN;
            default -> Form.ANY;
        };
    }

    private boolean readAtomic() {
        return switch (form) {
            // An object that is not described is one value, unless it keeps unknown fields.
            case OBJECT -> mapType().equals("atomic") || (!json().has("properties") && !preserves());
            case MAP -> mapType().equals("atomic");
            case LIST -> listKind == ListKind.ATOMIC;
            case ANY -> !json().isMissingNode() && !preserves();
            case TEXT, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY -> true;
        };
    }

    /** An extension at the place of the field, else that of the definition. */
    private JsonNode extension(String name) {
        JsonNode here = declared.path(EXTENSION + name);
        return here.isMissingNode() ? json().path(EXTENSION + name) : here;
    }

    /** Returns the texts of a list. */
    public static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    /** Returns the JSON of the schema. */
    public JsonNode json() {
        return level.json;
    }

    /** Returns the JSON type; {@code ""} for none. */
    public String type() {
        return type;
    }

    /** Returns the form of values. */
    public Form form() {
        return form;
    }

    /** Returns whether null is a value. */
    public boolean nullable() {
        return json().path("nullable").asBoolean();
    }

    /** Returns whether a whole number or a text may stand here. */
    public boolean intOrString() {
        return json().path(EXTENSION + "int-or-string").asBoolean();
    }

    /** Returns whether values that the schema does not describe are kept. */
    public boolean preserves() {
        return json().path(EXTENSION + "preserve-unknown-fields").asBoolean();
    }

    /** Returns whether values are whole objects, with kind, apiVersion and metadata. */
    public boolean embedded() {
        return json().path(EXTENSION + "embedded-resource").asBoolean();
    }

    /** Returns the fields of an {@link Form#OBJECT}; none for another form. */
    public Map<String, TypeSchema> fields() {
        return form == Form.OBJECT ? level.members().fields : Map.of();
    }

    /** Returns the fields that are described, for any form: alternatives describe fields without a type. */
    public Map<String, TypeSchema> properties() {
        return level.members().fields;
    }

    /** Returns the schema of elements; null for none. */
    public @Nullable TypeSchema items() {
        return level.members().items;
    }

    /** Returns the schema of the fields that are not described; null for none. */
    public @Nullable TypeSchema additional() {
        return level.members().additional;
    }

    /** Returns whether there may be fields that are not described, with any values. */
    public boolean anyAdditional() {
        JsonNode others = json().path("additionalProperties");
        return others.isBoolean() && others.booleanValue();
    }

    /** Returns the schema of a field: its own, or that of all other fields; null for none. */
    public @Nullable TypeSchema of(String field) {
        @Nullable TypeSchema described = properties().get(field);
        return described == null ? additional() : described;
    }

    /** Returns the schema of a field, or of the values of a map; empty for an unknown field. */
    public Optional<TypeSchema> at(String name) {
        return switch (form) {
            case OBJECT -> {
                @Nullable TypeSchema field = fields().get(name);
                yield Optional.ofNullable(field == null && keepsUnknown ? UNKNOWN : field);
            }
            case MAP -> Optional.of(element());
            case ANY -> Optional.of(this);
            case LIST, TEXT, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY -> Optional.empty();
        };
    }

    /** Returns whether an object keeps the fields that {@link #fields} does not name. */
    public boolean keepsUnknown() {
        return keepsUnknown;
    }

    /** Returns the schema of a list's elements or of a map's values; {@link #UNKNOWN} for another form. */
    public TypeSchema element() {
        @Nullable TypeSchema element = form == Form.LIST ? items() : form == Form.MAP ? additional() : null;
        return element == null ? UNKNOWN : element;
    }

    /** Returns whether values are changed and owned as a whole; scalars are. */
    public boolean atomic() {
        return atomic;
    }

    /** Returns {@code set}, {@code map}, {@code atomic} or {@code ""}. */
    public String listType() {
        return extension("list-type").asText("");
    }

    /** Returns {@code granular}, {@code atomic} or {@code ""}. */
    public String mapType() {
        return extension("map-type").asText("");
    }

    /** Returns the identity of a list's elements. */
    public ListKind listKind() {
        return listKind;
    }

    /** Returns the fields that identify the elements of a {@link ListKind#MAP}, in their order. */
    public List<String> keys() {
        return keys;
    }

    /** Returns the effect of a strategic merge patch. */
    public Merging merging() {
        return merging;
    }

    /** Returns the fields that an object must have. */
    public Set<String> required() {
        return form == Form.OBJECT ? level.members().required : Set.of();
    }

    /** Returns the texts that are allowed; none for any. */
    public List<String> allowed() {
        return allowed;
    }

    /** Returns the format of a text or a number, such as {@code date-time} or {@code int32}; {@code ""} for none. */
    public String format() {
        return format;
    }

    /** Returns the value of a field that was not sent; a missing node for none. */
    public JsonNode defaultValue() {
        return declared.path("default");
    }

    /** Returns the default values of fields; not to be changed. */
    public Map<String, JsonNode> defaults() {
        return level.members().defaults;
    }

    /** Returns the rules in CEL as they were written. */
    public List<JsonNode> rules() {
        return json().path(EXTENSION + "validations").valueStream().toList();
    }

    /** Returns the constraints on a value beside its type. */
    public Constraints constraints() {
        Constraints known = level.constraints;
        if (known == null) {
            known = Constraints.of(json());
            level.constraints = known;
        }
        return known;
    }

    /** Returns whether this schema, or one below it, has a property. The schema must not refer to itself. */
    public boolean any(Predicate<TypeSchema> property) {
        @Nullable TypeSchema items = items();
        @Nullable TypeSchema additional = additional();
        return property.test(this)
                || properties().values().stream().anyMatch(field -> field.any(property))
                || (items != null && items.any(property))
                || (additional != null && additional.any(property));
    }

    @Override
    public String toString() {
        return form + " " + declared;
    }
}
