package io.plat.apiserver.custom.schema;

import static io.plat.apiserver.tree.Json.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.text.RegularExpressions;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that a schema is structural, as pruning, defaulting and merging of objects require. Rules of a single schema are rows ({@code
 * apiextensions.rules}).
 */
public record StructuralCheck(Causes causes) {
    private static final String LIST_TYPE = "x-kubernetes-list-type";
    private static final String KEYS = "x-kubernetes-list-map-keys";
    private static final String PRESERVES = "x-kubernetes-preserve-unknown-fields";
    private static final String INT_OR_STRING = "x-kubernetes-int-or-string";

    private static final List<String> JUNCTORS = List.of("allOf", "anyOf", "oneOf");
    private static final JsonNode INTEGER_OR_STRING = JsonNodeFactory.instance
            .arrayNode()
            .add(JsonNodeFactory.instance.objectNode().put("type", "integer"))
            .add(JsonNodeFactory.instance.objectNode().put("type", "string"));

    /** Maximum number of keys of a list; all are read from every element. */
    private static final int MAX_KEYS = 16;

    /**
     * Checks the schema of whole objects.
     *
     * @param at path of the schema
     */
    public static void check(JsonNode schema, FieldPath at, Causes causes) {
        var check = new StructuralCheck(causes);
        Rules.check("schema/root", field(schema, at, causes));
        check.node(schema, at, "");
    }

    private static Field field(JsonNode schema, FieldPath at, Causes causes) {
        return new Field(at, schema, MissingNode.getInstance(), causes);
    }

    /** Checks a schema; {@code holder} names its parent, {@code ""} for that of whole objects. */
    private void node(JsonNode schema, FieldPath at, String holder) {
        boolean intOrString = schema.path(INT_OR_STRING).asBoolean();
        boolean anyType = intOrString || schema.path(PRESERVES).asBoolean() || holder.isEmpty();
        if (!anyType && text(schema, "type").isEmpty()) {
            causes.required(at.field("type"), "must not be empty for specified " + holder);
        }
        Field field = field(schema, at, causes);
        Rules.check("schema/value", field);
        if (text(schema, "type").equals("array") && text(schema, LIST_TYPE).equals("map")) {
            keys(schema.path("items"), TypeSchema.texts(schema.path(KEYS)), at);
        }
        Rules.check("schema/map", field);
        if (holder.isEmpty() && schema.path("properties").has("metadata")) {
            metadata(
                    schema.path("properties").path("metadata"),
                    at.field("properties").key("metadata"));
        }
        values(schema, at, intOrString);
        Rules.check("schema/rules", field);
        below(schema, at, holder.isEmpty());
    }

    private void below(JsonNode schema, FieldPath at, boolean root) {
        for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
            if (!root || !field.getKey().equals("metadata")) {
                node(field.getValue(), at.field("properties").key(field.getKey()), "object fields");
            }
        }
        if (schema.path("items").isArray()) {
            causes.forbidden(at.field("items"), "items must be a schema object and not an array");
        } else if (schema.path("items").isObject()) {
            node(schema.path("items"), at.field("items"), "array items");
        }
        if (schema.path("additionalProperties").isObject()) {
            FieldPath child = at.field("additionalProperties");
            if (!schema.path("properties").isEmpty()) {
                causes.forbidden(child, "additionalProperties and properties are mutual exclusive");
            }
            node(schema.path("additionalProperties"), child, "object fields");
        }
    }

    /** Checks the keys of a list of objects. */
    private void keys(JsonNode items, List<String> keys, FieldPath at) {
        if (keys.size() > MAX_KEYS || !text(items, "type").equals("object")) {
            return;
        }
        List<String> required = TypeSchema.texts(items.path("required"));
        for (String key : keys) {
            JsonNode field = items.path("properties").path(key);
            FieldPath child = at.field("items").field("properties").key(key);
            if (field.isMissingNode()) {
                String detail = "entries must all be names of item properties";
                String all = FieldErrorMessages.listed(keys, FieldErrorMessages::quoted);
                causes.invalid(at.field(KEYS), "[" + all.replace(", ", ",") + "]", detail);
            } else if (Set.of("array", "object").contains(text(field, "type"))) {
                String detail = "must be a scalar type if parent array's " + LIST_TYPE + " is map";
                causes.invalid(child.field("type"), FieldErrorMessages.quoted(text(field, "type")), detail);
            } else if (!required.contains(key) && !field.has("default")) {
                String detail = "so it must have a default or be a required property";
                causes.required(child.field("default"), "this property is in " + KEYS + ", " + detail);
            }
        }
    }

    /** Checks the schema of metadata, which is the same for every type and may only restrict names. */
    private void metadata(JsonNode metadata, FieldPath of) {
        if (!text(metadata, "type").equals("object")) {
            causes.invalid(of.field("type"), FieldErrorMessages.quoted(text(metadata, "type")), "must be object");
        }
        for (Map.Entry<String, JsonNode> member : metadata.properties()) {
            boolean names = member.getKey().equals("properties")
                    && member.getValue().properties().stream()
                            .allMatch(field -> Set.of("name", "generateName").contains(field.getKey()));
            if (!names && !Set.of("type", "description", "title").contains(member.getKey())) {
                String detail =
                        "must not specify anything other than name and generateName, but metadata is implicitly";
                causes.forbidden(of, detail + " specified");
                return;
            }
        }
    }

    private void values(JsonNode schema, FieldPath at, boolean intOrString) {
        String pattern = text(schema, "pattern");
        String problem = RegularExpressions.problem(pattern);
        if (!problem.isEmpty()) {
            String detail = "must be a valid regular expression, but isn't: " + problem;
            causes.invalid(at.field("pattern"), FieldErrorMessages.quoted(pattern), detail);
        }
        for (String junctor : JUNCTORS) {
            JsonNode alternatives = schema.path(junctor);
            // The alternatives that every number or text has, alone or first among others.
            JsonNode usual = junctor.equals("allOf") ? alternatives.path(0).path("anyOf") : alternatives;
            boolean known = intOrString && !junctor.equals("oneOf") && usual.equals(INTEGER_OR_STRING);
            int first = !known ? 0 : junctor.equals("allOf") ? 1 : alternatives.size();
            for (int i = first; i < alternatives.size(); i++) {
                alternative(alternatives.path(i), schema, at.field(junctor).at(i));
            }
        }
        if (schema.has("not")) {
            alternative(schema.path("not"), schema, at.field("not"));
        }
    }

    /** Checks a junctor, which may only constrain; its fields must be specified outside of it. */
    private void alternative(JsonNode alternative, JsonNode described, FieldPath at) {
        Rules.check("schema/alternative", field(alternative, at, causes));
        for (Map.Entry<String, JsonNode> field : alternative.path("properties").properties()) {
            FieldPath child = at.field("properties").key(field.getKey());
            JsonNode property = described.path("properties").path(field.getKey());
            JsonNode any = property.isMissingNode() ? described.path("additionalProperties") : property;
            if (field.getKey().equals("metadata")) {
                causes.forbidden(child, "must not be specified in a nested context");
            } else if (any.isMissingNode()) {
                causes.required(child, "because it is defined in " + child + " it must be described beside it");
            }
            alternative(field.getValue(), any, child);
        }
        if (alternative.path("items").isObject()) {
            alternative(alternative.path("items"), described.path("items"), at.field("items"));
        }
        for (String junctor : JUNCTORS) {
            for (int i = 0; i < alternative.path(junctor).size(); i++) {
                JsonNode one = alternative.path(junctor).path(i);
                alternative(one, described, at.field(junctor).at(i));
            }
        }
        if (alternative.has("not")) {
            alternative(alternative.path("not"), described, at.field("not"));
        }
    }
}
