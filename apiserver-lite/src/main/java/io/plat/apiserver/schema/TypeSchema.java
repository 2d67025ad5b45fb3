package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
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
 * Schema of a field or of a type's objects, in OpenAPI form with Kubernetes' extensions ({@code x-kubernetes-list-type} and so on), for
 * built-in and custom types alike. Schemas may be recursive: they are parsed level by level, and traversed along values. Immutable and
 * thread-safe.
 */
public final class TypeSchema {
    private static final String EXTENSION = "x-kubernetes-";

    /** Schema of values without a declaration: fields are distinguished by their names. */
    public static final TypeSchema UNKNOWN = of(MissingNode.getInstance());

    public enum Form {
        /** Named fields, each with its own schema. */
        OBJECT,
        /** Arbitrary names, all with values of one schema. */
        MAP,
        /** List of elements of one schema. */
        LIST,
        /** String, possibly with a {@link #format}. */
        TEXT,
        INTEGER,
        NUMBER,
        BOOLEAN,
        INT_OR_STRING,
        /** Quantity, possibly written as a number. */
        QUANTITY,
        /** Anything; a value that is not {@link #atomic} is an object whose fields are distinguished by their names. */
        ANY
    }

    /** Identity of list elements, for merging. */
    public enum ListKind {
        /** No identity: the list is one value. */
        ATOMIC,
        /** Identity by value. */
        SET,
        /** Identity by the values of {@link #keys}. */
        MAP
    }

    /**
     * Effect of a strategic merge patch on a value.
     *
     * @param merges whether it is merged into a list or object; otherwise a list is replaced
     * @param key field that identifies list elements; {@code ""} for strings and numbers
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
     * Creates a schema.
     *
     * @param declared JSON at its place, where extensions may be siblings of a reference
     * @param level definition to which it refers, or the same JSON
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

    /** Returns whether a time has exactly six digits of a second's fraction. */
    public boolean inMicroseconds() {
        return declared.path("$ref").asText().endsWith(".MicroTime");
    }

    /** Creates the schema of whole objects: its fields and the common ones. */
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

    /** Returns a schema without references, as for custom types. */
    public static TypeSchema of(JsonNode json) {
        return Definitions.none().read(json);
    }

    /**
     * Returns the schema of whole objects for field ownership, without requirements and defaults.
     *
     * @param inherited common fields, which override declared ones
     */
    public TypeSchema whole(Map<String, TypeSchema> inherited) {
        var fields = new LinkedHashMap<>(fields());
        fields.putAll(inherited);
        Members members = new Members(Collections.unmodifiableMap(fields), null, null, Set.of(), Map.of());
        return new TypeSchema(this, new Level(level.definitions, level.json, members));
    }

    /** Definition and its nested schemas, parsed on first use and shared by all references. */
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
            // An object without declared fields is one value, unless it preserves unknown fields.
            case OBJECT -> mapType().equals("atomic") || (!json().has("properties") && !preserves());
            case MAP -> mapType().equals("atomic");
            case LIST -> listKind == ListKind.ATOMIC;
            case ANY -> !json().isMissingNode() && !preserves();
            case TEXT, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY -> true;
        };
    }

    /** Returns an extension at the place of the field, else that of the definition. */
    private JsonNode extension(String name) {
        JsonNode here = declared.path(EXTENSION + name);
        return here.isMissingNode() ? json().path(EXTENSION + name) : here;
    }

    static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    public JsonNode json() {
        return level.json;
    }

    /** Returns the JSON type; {@code ""} if absent. */
    public String type() {
        return type;
    }

    public Form form() {
        return form;
    }

    public boolean nullable() {
        return json().path("nullable").asBoolean();
    }

    public boolean intOrString() {
        return json().path(EXTENSION + "int-or-string").asBoolean();
    }

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

    /** Returns the declared fields, for any form: junctors declare fields without a type. */
    public Map<String, TypeSchema> properties() {
        return level.members().fields;
    }

    /** Returns the schema of elements; null if absent. */
    public @Nullable TypeSchema items() {
        return level.members().items;
    }

    /** Returns the schema of undeclared fields; null if absent. */
    public @Nullable TypeSchema additional() {
        return level.members().additional;
    }

    /** Returns whether arbitrary undeclared fields are allowed. */
    public boolean anyAdditional() {
        JsonNode others = json().path("additionalProperties");
        return others.isBoolean() && others.booleanValue();
    }

    /** Returns the schema of a field, declared or undeclared; null if there is none. */
    public @Nullable TypeSchema of(String field) {
        @Nullable TypeSchema described = properties().get(field);
        return described == null ? additional() : described;
    }

    /** Returns the schema of a field, or of map values; empty for an unknown field. */
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

    /** Returns whether an object preserves fields that {@link #fields} does not contain. */
    public boolean keepsUnknown() {
        return keepsUnknown;
    }

    /** Returns the schema of list elements or map values; {@link #UNKNOWN} for another form. */
    public TypeSchema element() {
        @Nullable TypeSchema element = form == Form.LIST ? items() : form == Form.MAP ? additional() : null;
        return element == null ? UNKNOWN : element;
    }

    /** Returns whether values are changed and owned as a whole, as scalars are. */
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

    public ListKind listKind() {
        return listKind;
    }

    /** Returns the fields that identify the elements of a {@link ListKind#MAP}, in order. */
    public List<String> keys() {
        return keys;
    }

    public Merging merging() {
        return merging;
    }

    public Set<String> required() {
        return form == Form.OBJECT ? level.members().required : Set.of();
    }

    /** Returns the allowed strings; empty for any. */
    public List<String> allowed() {
        return allowed;
    }

    /** Returns the format of a string or number, such as {@code date-time} or {@code int32}; {@code ""} if absent. */
    public String format() {
        return format;
    }

    /** Returns the default value; a missing node if absent. */
    public JsonNode defaultValue() {
        return declared.path("default");
    }

    /** Returns the default values of fields; not to be modified. */
    public Map<String, JsonNode> defaults() {
        return level.members().defaults;
    }

    /**
     * Returns the value of a key that an element of a list omits: its default, or zero if it is required in a built-in type; else a
     * missing node.
     */
    public JsonNode keyDefault(String key) {
        if (level.definitions.open() && required().contains(key) && !defaults().containsKey(key)) {
            return at(key).orElse(UNKNOWN).form() == Form.TEXT ? TextNode.valueOf("") : IntNode.valueOf(0);
        }
        return defaults().getOrDefault(key, MissingNode.getInstance());
    }

    public List<JsonNode> rules() {
        return json().path(EXTENSION + "validations").valueStream().toList();
    }

    public Constraints constraints() {
        Constraints known = level.constraints;
        if (known == null) {
            known = Constraints.of(json());
            level.constraints = known;
        }
        return known;
    }

    /** Returns whether this schema, or one below it, has a property. The schema must not be recursive. */
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
