package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.PatternSyntaxException;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.FieldWords;
import java.util.List;
import java.util.Map;

/** Says where a schema is not structural, so that objects could not be pruned, completed or told apart by it. */
public final class StructuralCheck {
    private static final String EXTENSION = "x-kubernetes-";
    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");

    /** What a schema can't hold: it would refer to others, or take too long. */
    private static final List<String> FORBIDDEN =
            List.of("definitions", "dependencies", "patternProperties", "additionalItems", "$ref", "id");

    /** What says how a value looks stands beside alternatives, and not in them. */
    private static final List<String> NOT_IN_ALTERNATIVES = List.of(
            "type",
            "title",
            "description",
            "default",
            "nullable",
            "additionalProperties",
            EXTENSION + "preserve-unknown-fields",
            EXTENSION + "embedded-resource",
            EXTENSION + "int-or-string",
            EXTENSION + "list-map-keys",
            EXTENSION + "list-type",
            EXTENSION + "map-type",
            EXTENSION + "validations");

    private static final String INT_OR_STRING = "[{\"type\":\"integer\"},{\"type\":\"string\"}]";

    private final Findings findings;

    private StructuralCheck(Findings findings) {
        this.findings = findings;
    }

    /**
     * Checks the schema of whole objects.
     *
     * @param at where it stands
     */
    public static void check(JsonNode schema, FieldPath at, Findings findings) {
        String type = schema.path("type").asText("");
        if (type.isEmpty()) {
            findings.required(at.field("type"), "must not be empty at the root");
        } else if (!type.equals("object")) {
            findings.invalid(at.field("type"), FieldWords.quoted(type), "must be object at the root");
        }
        if (schema.has("additionalProperties")) {
            findings.forbidden(at.field("additionalProperties"), "must not be used at the root");
        }
        new StructuralCheck(findings).node(schema, at, "");
    }

    /** A schema; {@code holder} says what holds it, {@code ""} for that of whole objects. */
    private void node(JsonNode schema, FieldPath at, String holder) {
        boolean intOrString = schema.path(EXTENSION + "int-or-string").asBoolean();
        boolean preserves = schema.path(EXTENSION + "preserve-unknown-fields").asBoolean();
        String type = schema.path("type").asText("");
        if (!type.isEmpty() && !TYPES.contains(type)) {
            findings.notSupported(at.field("type"), FieldWords.quoted(type), TYPES);
        }
        if (type.isEmpty() && !intOrString && !preserves && !holder.isEmpty()) {
            findings.required(at.field("type"), "must not be empty for specified " + holder);
        }
        for (String name : FORBIDDEN) {
            if (schema.has(name)) {
                findings.forbidden(at.field(name), name + " is not supported");
            }
        }
        if (schema.path("uniqueItems").asBoolean()) {
            findings.forbidden(
                    at.field("uniqueItems"),
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
        if (intOrString && preserves) {
            findings.invalid(
                    at.field(EXTENSION + "preserve-unknown-fields"),
                    "true",
                    "must be false if x-kubernetes-int-or-string is true");
        }
        if (schema.path(EXTENSION + "preserve-unknown-fields").isBoolean() && !preserves) {
            findings.invalid(at.field(EXTENSION + "preserve-unknown-fields"), "false", "must be true or undefined");
        }
        embedded(schema, type, preserves, at);
        lists(schema, type, at);
        maps(schema, type, at);
        metadata(schema, at, holder.isEmpty());
        values(schema, at, intOrString);
        rules(schema, at);
        if (type.equals("array") && !schema.has("items")) {
            findings.required(at.field("items"), "must be specified");
        }
        below(schema, at, holder.isEmpty());
    }

    private void below(JsonNode schema, FieldPath at, boolean whole) {
        for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
            if (!whole || !field.getKey().equals("metadata")) {
                node(field.getValue(), at.field("properties").key(field.getKey()), "object fields");
            }
        }
        if (schema.path("items").isArray()) {
            findings.forbidden(at.field("items"), "items must be a schema object and not an array");
        } else if (schema.path("items").isObject()) {
            node(schema.path("items"), at.field("items"), "array items");
        }
        if (schema.path("additionalProperties").isObject()) {
            if (!schema.path("properties").isEmpty()) {
                findings.forbidden(
                        at.field("additionalProperties"), "additionalProperties and properties are mutual exclusive");
            }
            node(schema.path("additionalProperties"), at.field("additionalProperties"), "object fields");
        }
    }

    private void embedded(JsonNode schema, String type, boolean preserves, FieldPath at) {
        if (!schema.path(EXTENSION + "embedded-resource").asBoolean()) {
            return;
        }
        if (!type.equals("object")) {
            findings.invalid(
                    at.field("type"),
                    FieldWords.quoted(type),
                    "must be object if x-kubernetes-embedded-resource is true");
        }
        if (!preserves && schema.path("properties").isEmpty()) {
            findings.required(
                    at.field("properties"),
                    "must not be empty if x-kubernetes-embedded-resource is true without"
                            + " x-kubernetes-preserve-unknown-fields");
        }
    }

    private void lists(JsonNode schema, String type, FieldPath at) {
        String listType = schema.path(EXTENSION + "list-type").asText("");
        FieldPath of = at.field(EXTENSION + "list-type");
        List<String> keys = SchemaNode.texts(schema.path(EXTENSION + "list-map-keys"));
        if (!keys.isEmpty() && !listType.equals("map")) {
            findings.required(of, "must be map if x-kubernetes-list-map-keys is non-empty");
        }
        if (listType.isEmpty()) {
            return;
        }
        List<String> known = List.of("atomic", "set", "map");
        if (!known.contains(listType)) {
            findings.notSupported(of, FieldWords.quoted(listType), known);
        }
        if (!type.equals("array")) {
            findings.invalid(
                    at.field("type"), FieldWords.quoted(type), "must be array if x-kubernetes-list-type is specified");
            return;
        }
        JsonNode items = schema.path("items");
        if (!listType.equals("atomic") && items.path("nullable").asBoolean()) {
            findings.forbidden(
                    at.field("items").field("nullable"),
                    "cannot be nullable when x-kubernetes-list-type is " + listType);
        }
        if (listType.equals("map")) {
            keyed(items, keys, at);
        } else if (listType.equals("set")
                && items.path("type").asText().equals("object")
                && !items.path(EXTENSION + "map-type").asText().equals("atomic")) {
            findings.invalid(
                    at.field("items").field(EXTENSION + "map-type"),
                    "null",
                    "must be atomic as item of a list with x-kubernetes-list-type=set");
        }
    }

    private void keyed(JsonNode items, List<String> keys, FieldPath at) {
        FieldPath ofKeys = at.field(EXTENSION + "list-map-keys");
        if (keys.isEmpty()) {
            findings.required(ofKeys, "must not be empty if x-kubernetes-list-type is map");
        }
        if (!items.path("type").asText().equals("object")) {
            findings.invalid(
                    at.field("items").field("type"),
                    Findings.shown(items.path("type")),
                    "must be object if parent array's x-kubernetes-list-type is map");
            return;
        }
        List<String> required = SchemaNode.texts(items.path("required"));
        for (String key : keys) {
            JsonNode field = items.path("properties").path(key);
            FieldPath of = at.field("items").field("properties").key(key);
            if (field.isMissingNode()) {
                findings.invalid(ofKeys, FieldWords.quoted(key), "entries must all be names of item properties");
            } else if (List.of("array", "object").contains(field.path("type").asText())) {
                findings.invalid(
                        of.field("type"),
                        Findings.shown(field.path("type")),
                        "must be a scalar type if parent array's x-kubernetes-list-type is map");
            } else if (!required.contains(key) && !field.has("default")) {
                findings.required(
                        of.field("default"),
                        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                                + " property");
            }
        }
    }

    private void maps(JsonNode schema, String type, FieldPath at) {
        String mapType = schema.path(EXTENSION + "map-type").asText("");
        List<String> known = List.of("atomic", "granular");
        if (mapType.isEmpty()) {
            return;
        }
        if (!type.equals("object")) {
            findings.invalid(
                    at.field("type"), FieldWords.quoted(type), "must be object if x-kubernetes-map-type is specified");
        }
        if (!known.contains(mapType)) {
            findings.notSupported(at.field(EXTENSION + "map-type"), FieldWords.quoted(mapType), known);
        }
    }

    /** What every object has is not described again, but for names. */
    private void metadata(JsonNode schema, FieldPath at, boolean whole) {
        JsonNode metadata = schema.path("properties").path("metadata");
        if (!whole || metadata.isMissingNode()) {
            return;
        }
        FieldPath of = at.field("properties").key("metadata");
        if (!metadata.path("type").asText().equals("object")) {
            findings.invalid(of.field("type"), Findings.shown(metadata.path("type")), "must be object");
        }
        for (Map.Entry<String, JsonNode> member : metadata.properties()) {
            boolean names = member.getKey().equals("properties")
                    && member.getValue().properties().stream()
                            .allMatch(field -> List.of("name", "generateName").contains(field.getKey()));
            if (!names && !List.of("type", "description", "title").contains(member.getKey())) {
                findings.forbidden(
                        of,
                        "must not specify anything other than name and generateName, but metadata is implicitly"
                                + " specified");
                return;
            }
        }
    }

    private void values(JsonNode schema, FieldPath at, boolean intOrString) {
        String pattern = schema.path("pattern").asText("");
        try {
            RegularExpressions.compile(pattern);
        } catch (PatternSyntaxException e) {
            findings.invalid(
                    at.field("pattern"),
                    FieldWords.quoted(pattern),
                    "must be a valid regular expression, but isn't: " + e.getMessage());
        }
        for (String junctor : List.of("allOf", "anyOf", "oneOf")) {
            boolean standard = intOrString
                    && junctor.equals("anyOf")
                    && schema.path(junctor).toString().equals(INT_OR_STRING);
            for (int i = 0; !standard && i < schema.path(junctor).size(); i++) {
                JsonNode alternative = schema.path(junctor).path(i);
                boolean first = intOrString
                        && junctor.equals("allOf")
                        && i == 0
                        && alternative.path("anyOf").toString().equals(INT_OR_STRING);
                if (!first) {
                    alternative(alternative, schema, at.field(junctor).at(i));
                }
            }
        }
        if (schema.has("not")) {
            alternative(schema.path("not"), schema, at.field("not"));
        }
    }

    /** Alternatives only demand; what they name is described beside them. */
    private void alternative(JsonNode alternative, JsonNode described, FieldPath at) {
        for (String name : NOT_IN_ALTERNATIVES) {
            if (alternative.has(name)) {
                findings.forbidden(at.field(name), "must be " + missing(name) + " to be structural");
            }
        }
        for (Map.Entry<String, JsonNode> field : alternative.path("properties").properties()) {
            FieldPath of = at.field("properties").key(field.getKey());
            JsonNode beside = described.path("properties").path(field.getKey());
            JsonNode any = beside.isMissingNode() ? described.path("additionalProperties") : beside;
            if (field.getKey().equals("metadata")) {
                findings.forbidden(of, "must not be specified in a nested context");
            } else if (any.isMissingNode()) {
                findings.required(
                        FieldPath.of(of.toString()),
                        "because it is defined in " + of + " it must be described beside it");
            }
            alternative(field.getValue(), any, of);
        }
        if (alternative.path("items").isObject()) {
            alternative(alternative.path("items"), described.path("items"), at.field("items"));
        }
        junctors(alternative, at, described);
    }

    private void junctors(JsonNode alternative, FieldPath at, JsonNode described) {
        for (String junctor : List.of("allOf", "anyOf", "oneOf")) {
            for (int i = 0; i < alternative.path(junctor).size(); i++) {
                alternative(
                        alternative.path(junctor).path(i),
                        described,
                        at.field(junctor).at(i));
            }
        }
        if (alternative.has("not")) {
            alternative(alternative.path("not"), described, at.field("not"));
        }
    }

    private static String missing(String name) {
        return switch (name) {
            case "type", "title", "description", EXTENSION + "list-map-keys", EXTENSION + "validations" -> "empty";
            case "nullable",
                    EXTENSION + "preserve-unknown-fields",
                    EXTENSION + "embedded-resource",
                    EXTENSION + "int-or-string" -> "false";
            default -> "undefined";
        };
    }

    private void rules(JsonNode schema, FieldPath at) {
        JsonNode rules = schema.path(EXTENSION + "validations");
        List<String> reasons =
                List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");
        for (int i = 0; i < rules.size(); i++) {
            JsonNode rule = rules.path(i);
            FieldPath of = at.field(EXTENSION + "validations").at(i);
            String text = rule.path("rule").asText("").strip();
            String message = rule.path("message").asText("");
            if (text.isEmpty()) {
                findings.required(of.field("rule"), "rule is not specified");
            } else if (text.indexOf('\n') >= 0 && message.isBlank()) {
                findings.required(of.field("message"), "message must be specified if rule contains line breaks");
            }
            if (message.strip().indexOf('\n') >= 0) {
                findings.invalid(
                        of.field("message"), FieldWords.quoted(message), "message must not contain line breaks");
            }
            String reason = rule.path("reason").asText("");
            if (!reason.isEmpty() && !reasons.contains(reason)) {
                findings.notSupported(of.field("reason"), FieldWords.quoted(reason), reasons);
            }
        }
    }
}
