package io.plat.apiserver.custom.schema;

import static io.plat.apiserver.tree.Json.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.text.RegularExpressions;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that a schema is structural, as pruning, defaulting and merging of objects require. */
public record StructuralCheck(Causes causes) {
    private static final String LIST_TYPE = "x-kubernetes-list-type";
    private static final String KEYS = "x-kubernetes-list-map-keys";
    private static final String MAP_TYPE = "x-kubernetes-map-type";
    private static final String PRESERVES = "x-kubernetes-preserve-unknown-fields";
    private static final String EMBEDDED = "x-kubernetes-embedded-resource";
    private static final String INT_OR_STRING = "x-kubernetes-int-or-string";
    private static final String RULES = "x-kubernetes-validations";

    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");
    private static final List<String> REASONS =
            List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

    /** Keywords that refer to other schemas, or are expensive. */
    private static final List<String> FORBIDDEN =
            List.of("definitions", "dependencies", "patternProperties", "additionalItems", "$ref", "id");

    /** Keywords that describe a value, and are not allowed within logical junctors, with their required counterpart. */
    private static final String NOT_IN_ALTERNATIVES = "type=empty title=empty description=empty default=undefined"
            + " nullable=false additionalProperties=undefined " + PRESERVES + "=false " + EMBEDDED + "=false "
            + INT_OR_STRING + "=false " + KEYS + "=empty " + LIST_TYPE + "=undefined " + MAP_TYPE + "=undefined "
            + RULES
            + "=empty";

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
        if (text(schema, "type").isEmpty()) {
            causes.required(at.field("type"), "must not be empty at the root");
        } else {
            check.requireType("object", schema, at, "at the root");
        }
        if (schema.has("additionalProperties")) {
            causes.forbidden(at.field("additionalProperties"), "must not be used at the root");
        }
        check.node(schema, at, "");
    }

    private void requireType(String type, JsonNode schema, FieldPath at, String detail) {
        if (!text(schema, "type").equals(type)) {
            causes.invalid(
                    at.field("type"),
                    FieldErrorMessages.quoted(text(schema, "type")),
                    "must be " + type + " " + detail);
        }
    }

    /** Checks a schema; {@code holder} names its parent, {@code ""} for that of whole objects. */
    private void node(JsonNode schema, FieldPath at, String holder) {
        boolean intOrString = schema.path(INT_OR_STRING).asBoolean();
        boolean preserves = schema.path(PRESERVES).asBoolean();
        String type = text(schema, "type");
        causes.oneOf(at.field("type"), type, TYPES);
        if (type.isEmpty() && !intOrString && !preserves && !holder.isEmpty()) {
            causes.required(at.field("type"), "must not be empty for specified " + holder);
        }
        for (String name : FORBIDDEN) {
            if (schema.has(name)) {
                causes.forbidden(at.field(name), name + " is not supported");
            }
        }
        if (schema.path("uniqueItems").asBoolean()) {
            String detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
            causes.forbidden(at.field("uniqueItems"), detail);
        }
        if (intOrString && preserves) {
            causes.invalid(at.field(PRESERVES), "true", "must be false if " + INT_OR_STRING + " is true");
        }
        if (schema.path(PRESERVES).isBoolean() && !preserves) {
            causes.invalid(at.field(PRESERVES), "false", "must be true or undefined");
        }
        if (schema.path(EMBEDDED).asBoolean()) {
            requireType("object", schema, at, "if " + EMBEDDED + " is true");
            if (!preserves && schema.path("properties").isEmpty()) {
                String detail = "must not be empty if " + EMBEDDED + " is true without " + PRESERVES;
                causes.required(at.field("properties"), detail);
            }
        }
        lists(schema, at);
        if (!text(schema, MAP_TYPE).isEmpty()) {
            requireType("object", schema, at, "if " + MAP_TYPE + " is specified");
            causes.oneOf(at.field(MAP_TYPE), text(schema, MAP_TYPE), List.of("atomic", "granular"));
        }
        if (holder.isEmpty() && schema.path("properties").has("metadata")) {
            metadata(
                    schema.path("properties").path("metadata"),
                    at.field("properties").key("metadata"));
        }
        values(schema, at, intOrString);
        rules(schema.path(RULES), at.field(RULES));
        if (type.equals("array") && !schema.has("items")) {
            causes.required(at.field("items"), "must be specified");
        }
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

    private void lists(JsonNode schema, FieldPath at) {
        String listType = text(schema, LIST_TYPE);
        List<String> keys = TypeSchema.texts(schema.path(KEYS));
        if (!keys.isEmpty() && !listType.equals("map")) {
            causes.required(at.field(LIST_TYPE), "must be map if " + KEYS + " is non-empty");
        }
        if (listType.isEmpty()) {
            return;
        }
        causes.oneOf(at.field(LIST_TYPE), listType, List.of("atomic", "set", "map"));
        requireType("array", schema, at, "if " + LIST_TYPE + " is specified");
        if (!text(schema, "type").equals("array")) {
            return;
        }
        JsonNode items = schema.path("items");
        FieldPath ofItems = at.field("items");
        if (!listType.equals("atomic") && items.path("nullable").asBoolean()) {
            causes.forbidden(ofItems.field("nullable"), "cannot be nullable when " + LIST_TYPE + " is " + listType);
        }
        boolean objects = text(items, "type").equals("object");
        if (listType.equals("map")) {
            keyed(items, keys, at);
        } else if (listType.equals("set") && objects && !text(items, MAP_TYPE).equals("atomic")) {
            String detail = "must be atomic as item of a list with " + LIST_TYPE + "=set";
            causes.invalid(ofItems.field(MAP_TYPE), "null", detail);
        }
    }

    private void keyed(JsonNode items, List<String> keys, FieldPath at) {
        String ofMaps = "if parent array's " + LIST_TYPE + " is map";
        if (keys.size() > MAX_KEYS) {
            causes.tooMany(at.field(KEYS), keys.size(), MAX_KEYS);
            return;
        }
        if (keys.isEmpty()) {
            causes.required(at.field(KEYS), "must not be empty if " + LIST_TYPE + " is map");
        }
        if (!text(items, "type").equals("object")) {
            FieldPath child = at.field("items").field("type");
            causes.invalid(child, FieldErrorMessages.quoted(text(items, "type")), "must be object " + ofMaps);
            return;
        }
        List<String> required = TypeSchema.texts(items.path("required"));
        for (String key : keys) {
            JsonNode field = items.path("properties").path(key);
            FieldPath child = at.field("items").field("properties").key(key);
            if (field.isMissingNode()) {
                String detail = "entries must all be names of item properties";
                causes.invalid(at.field(KEYS), FieldErrorMessages.quoted(key), detail);
            } else if (Set.of("array", "object").contains(text(field, "type"))) {
                String detail = "must be a scalar type " + ofMaps;
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
        for (String row : NOT_IN_ALTERNATIVES.split(" ", -1)) {
            String name = row.substring(0, row.indexOf('='));
            if (alternative.has(name)) {
                String absent = row.substring(name.length() + 1);
                causes.forbidden(at.field(name), "must be " + absent + " to be structural");
            }
        }
        for (Map.Entry<String, JsonNode> field : alternative.path("properties").properties()) {
            FieldPath child = at.field("properties").key(field.getKey());
            JsonNode beside = described.path("properties").path(field.getKey());
            JsonNode any = beside.isMissingNode() ? described.path("additionalProperties") : beside;
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

    private void rules(JsonNode rules, FieldPath at) {
        for (int i = 0; i < rules.size(); i++) {
            FieldPath child = at.at(i);
            String rule = text(rules.path(i), "rule").strip();
            String message = text(rules.path(i), "message");
            if (rule.isEmpty()) {
                causes.required(child.field("rule"), "rule is not specified");
            } else if (rule.indexOf('\n') >= 0 && message.isBlank()) {
                causes.required(child.field("message"), "message must be specified if rule contains line breaks");
            }
            if (message.strip().indexOf('\n') >= 0) {
                String detail = "message must not contain line breaks";
                causes.invalid(child.field("message"), FieldErrorMessages.quoted(message), detail);
            }
            causes.oneOf(child.field("reason"), text(rules.path(i), "reason"), REASONS);
        }
    }
}
