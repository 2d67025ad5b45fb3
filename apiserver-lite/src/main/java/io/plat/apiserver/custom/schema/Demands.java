package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a value has to be beside its type: bounds, patterns, one of several values or schemas. Immutable. */
final class Demands {
    private final JsonNode source;
    private final List<String> required;
    private final List<JsonNode> allowed;
    private final String pattern;
    private final List<SchemaNode> allOf;
    private final List<SchemaNode> anyOf;
    private final List<SchemaNode> oneOf;
    private final @Nullable SchemaNode not;
    private final boolean none;

    Demands(JsonNode source) {
        this.source = source;
        this.required = SchemaNode.texts(source.path("required"));
        var values = new ArrayList<JsonNode>();
        source.path("enum").forEach(values::add);
        this.allowed = List.copyOf(values);
        this.pattern = source.path("pattern").asText("");
        this.allOf = schemas(source.path("allOf"));
        this.anyOf = schemas(source.path("anyOf"));
        this.oneOf = schemas(source.path("oneOf"));
        this.not = source.path("not").isObject() ? SchemaNode.of(source.path("not")) : null;
        this.none = BOUNDS.stream().noneMatch(source::has)
                && required.isEmpty()
                && allowed.isEmpty()
                && pattern.isEmpty()
                && allOf.isEmpty()
                && anyOf.isEmpty()
                && oneOf.isEmpty()
                && not == null;
    }

    private static final List<String> BOUNDS = List.of(
            "minimum",
            "maximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "format");

    private static List<SchemaNode> schemas(JsonNode list) {
        var schemas = new ArrayList<SchemaNode>();
        list.forEach(schema -> schemas.add(SchemaNode.of(schema)));
        return List.copyOf(schemas);
    }

    /** One that can't be compiled was refused with its definition, unless that is older than the limits. */
    private static @Nullable Pattern compiled(String text) {
        try {
            return text.isEmpty() ? null : RegularExpressions.compile(text);
        } catch (PatternSyntaxException unreadable) {
            return null;
        }
    }

    /** Whether nothing is demanded. */
    boolean none() {
        return none;
    }

    JsonNode bound(String name) {
        return source.path(name);
    }

    List<String> required() {
        return required;
    }

    List<JsonNode> allowed() {
        return allowed;
    }

    /** A pattern that takes time in proportion to the text; null for none, and for one that can't be compiled. */
    @Nullable
    Pattern pattern() {
        return pattern.isEmpty() ? null : compiled(pattern);
    }

    List<SchemaNode> allOf() {
        return allOf;
    }

    List<SchemaNode> anyOf() {
        return anyOf;
    }

    List<SchemaNode> oneOf() {
        return oneOf;
    }

    @Nullable
    SchemaNode not() {
        return not;
    }
}
