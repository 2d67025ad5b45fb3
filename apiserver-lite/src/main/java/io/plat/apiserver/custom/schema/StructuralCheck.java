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
import io.plat.apiserver.tree.Json;
import io.plat.cel.text.RegularExpressions;
import io.plat.review.status.Status;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Checks that a schema is structural, as pruning, defaulting and merging of objects require, and that its keywords are supported. Rules of
 * a single schema are rows ({@code apiextensions.rules}).
 */
public record StructuralCheck(Causes causes) {
    private static final String LIST_TYPE = "x-kubernetes-list-type";
    private static final String KEYS = "x-kubernetes-list-map-keys";
    private static final String PRESERVES = "x-kubernetes-preserve-unknown-fields";
    private static final String ADDITIONAL = "additionalProperties";

    private static final Set<String> META = Set.of("apiVersion", "kind", "metadata");
    private static final Set<String> NAMES = Set.of("name", "generateName");
    private static final Set<String> RESTRICTING = Set.of("type", "default", "properties");
    private static final List<String> JUNCTORS = List.of("anyOf", "allOf", "oneOf");
    private static final JsonNode INTEGER_OR_STRING = JsonNodeFactory.instance
            .arrayNode()
            .add(JsonNodeFactory.instance.objectNode().put("type", "integer"))
            .add(JsonNodeFactory.instance.objectNode().put("type", "string"));

    /** Keywords without a structural form. */
    private static final List<String> UNSUPPORTED =
            List.of("id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions");

    /** Maximum number of keys of a list; all are read from every element. */
    private static final int MAX_KEYS = 16;

    /** Returns whether a schema has a structural form, valid or not: no keyword in it lacks one. */
    public static boolean hasStructure(JsonNode schema) {
        return UNSUPPORTED.stream().allMatch(name -> isZero(schema.path(name)))
                && !schema.path("items").isArray()
                && (schema.path(PRESERVES).isMissingNode()
                        || schema.path(PRESERVES).asBoolean())
                && Stream.of(
                                schema.path("properties").valueStream(),
                                Stream.of(schema.path("items"), schema.path(ADDITIONAL), schema.path("not")),
                                JUNCTORS.stream()
                                        .flatMap(junctor -> schema.path(junctor).valueStream()))
                        .flatMap(below -> below)
                        .allMatch(below -> !below.isObject() || hasStructure(below));
    }

    /** Returns whether a value is the zero value of its Go type, as if it were absent. */
    public static boolean isZero(JsonNode value) {
        return value.isContainerNode()
                ? value.isEmpty()
                : value.isMissingNode()
                        || value.isNull()
                        || (!value.asBoolean() && value.asText().isEmpty());
    }

    /** Checks the structure of the schema of whole objects. Errors are reported in the order of their texts. */
    public static void structure(JsonNode schema, FieldPath at, Causes causes) {
        List<Status.Cause> wrong = Causes.of(found -> {
            var check = new StructuralCheck(found);
            check.node(schema, at, "at the root");
            check.junctors(schema, at, (alternative, path) -> check.complete(alternative, schema, at, path));
        });
        wrong.stream()
                .sorted(Comparator.comparing(cause -> cause.field() + ": " + cause.message()))
                .forEach(cause -> causes.add(cause.reason(), cause.message(), cause.field()));
    }

    private static Field field(JsonNode schema, FieldPath at, Causes causes) {
        return new Field(at, schema, MissingNode.getInstance(), causes);
    }

    /** Checks a schema; the place is a part of the message for a missing type. */
    private void node(JsonNode schema, FieldPath at, String place) {
        boolean root = place.equals("at the root");
        boolean embedded = schema.path("x-kubernetes-embedded-resource").asBoolean();
        Field field = field(schema, at, causes);
        Rules.check("schema/structure", field);
        if (root) {
            Rules.check("schema/root", field);
            metadata(
                    schema.path("properties").path("metadata"),
                    at.field("properties").key("metadata"));
        }
        boolean anyType = schema.path("x-kubernetes-int-or-string").asBoolean()
                || schema.path(PRESERVES).asBoolean();
        if (!embedded && !anyType && text(schema, "type").isEmpty()) {
            causes.required(at.field("type"), "must not be empty " + place);
        }
        if (root || embedded) {
            Rules.check("schema/meta", field);
        }
        pattern(schema, at);
        boolean numberOrText = schema.path("allOf").path(0).path("anyOf").equals(INTEGER_OR_STRING);
        boolean alone = schema.path("anyOf").equals(INTEGER_OR_STRING);
        junctors(schema, at, (alternative, path) -> {
            boolean first = path.toString().equals(at.field("allOf").at(0).toString());
            if (!alone || !path.toString().startsWith(at.field("anyOf") + "[")) {
                alternative(alternative, path, numberOrText && first);
            }
        });
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            node(property.getValue(), at.field("properties").key(property.getKey()), "for specified object fields");
        }
        if (schema.path("items").isObject()) {
            node(schema.path("items"), at.field("items"), "for specified array items");
        }
        if (schema.path(ADDITIONAL).isObject()) {
            node(schema.path(ADDITIONAL), at.field(ADDITIONAL), "for specified object fields");
        }
    }

    /** Checks the schema of metadata, which is the same for every type and may only restrict names. */
    private void metadata(JsonNode metadata, FieldPath at) {
        boolean names =
                metadata.path("properties").properties().stream().allMatch(field -> NAMES.contains(field.getKey()));
        boolean plain = metadata.properties().stream()
                .allMatch(keyword -> RESTRICTING.contains(keyword.getKey()) || isZero(keyword.getValue()));
        if (!names || !plain) {
            String detail = "must not specify anything other than name and generateName, but metadata is implicitly";
            causes.forbidden(at, detail + " specified");
        }
    }

    private interface Visitor {
        void visit(JsonNode schema, FieldPath at);
    }

    private void junctors(JsonNode schema, FieldPath at, Visitor visitor) {
        for (String junctor : JUNCTORS) {
            JsonNode alternatives = schema.path(junctor);
            for (int i = 0; i < alternatives.size(); i++) {
                visitor.visit(alternatives.path(i), at.field(junctor).at(i));
            }
        }
        if (schema.path("not").isObject()) {
            visitor.visit(schema.path("not"), at.field("not"));
        }
    }

    private void pattern(JsonNode schema, FieldPath at) {
        String pattern = text(schema, "pattern");
        String problem = RegularExpressions.problem(pattern);
        if (!problem.isEmpty()) {
            String detail = "must be a valid regular expression, but isn't: " + problem;
            causes.invalid(at.field("pattern"), FieldErrorMessages.quoted(pattern), detail);
        }
    }

    /** Checks a junctor, which may only constrain values. */
    private void alternative(JsonNode alternative, FieldPath at, boolean numberOrText) {
        pattern(alternative, at);
        Rules.check("schema/alternative", field(alternative, at, causes));
        junctors(alternative, at, (inner, path) -> {
            if (!numberOrText || !path.toString().startsWith(at.field("anyOf") + "[")) {
                alternative(inner, path, false);
            }
        });
        for (Map.Entry<String, JsonNode> property :
                alternative.path("properties").properties()) {
            alternative(property.getValue(), at.field("properties").key(property.getKey()), false);
        }
        if (alternative.path("items").isObject()) {
            alternative(alternative.path("items"), at.field("items"), false);
        }
    }

    /** Checks that the fields that a junctor constrains are specified outside of it. */
    private void complete(JsonNode alternative, JsonNode described, FieldPath at, FieldPath from) {
        if (!described.isObject()) {
            causes.required(at, "because it is defined in " + from);
            return;
        }
        junctors(alternative, from, (inner, path) -> complete(inner, described, at, path));
        if (alternative.path("items").isObject()) {
            complete(alternative.path("items"), described.path("items"), at.field("items"), from.field("items"));
        }
        for (Map.Entry<String, JsonNode> property :
                alternative.path("properties").properties()) {
            JsonNode outside = described.path("properties").path(property.getKey());
            complete(
                    property.getValue(),
                    outside,
                    at.field("properties").key(property.getKey()),
                    from.field("properties").key(property.getKey()));
        }
    }

    public void keywords(JsonNode schema, FieldPath at) {
        keywords(schema, at, true, false, "");
    }

    /**
     * Checks the keywords of a schema.
     *
     * @param root whether it is that of whole objects
     * @param meta whether it is that of a field that every object has
     * @param noDefault reason why it may not have a default; {@code ""} if it may
     */
    private void keywords(JsonNode schema, FieldPath at, boolean root, boolean meta, String noDefault) {
        if (!schema.isObject()) {
            return;
        }
        Field field = field(schema, at, causes);
        if (!noDefault.isEmpty() && schema.has("default")) {
            causes.forbidden(at.field("default"), "must not be set " + noDefault);
        }
        Rules.check("schema/keywords", field);
        if (meta && schema.path("x-kubernetes-embedded-resource").asBoolean()) {
            causes.forbidden(at.field("x-kubernetes-embedded-resource"), "must not be used inside of resource meta");
        }
        boolean map = schema.path(ADDITIONAL).isObject();
        if (schema.path("properties").size() > 0
                && (map || schema.path(ADDITIONAL).isBoolean())
                && !schema.path(ADDITIONAL).asBoolean()) {
            causes.forbidden(at.field(ADDITIONAL), "additionalProperties and properties are mutual exclusive");
        }
        String inMap = meta ? "inside additionalProperties applying to object metadata" : noDefault;
        keywords(schema.path(ADDITIONAL), at.field(ADDITIONAL), false, meta, inMap);
        boolean embedded = schema.path("x-kubernetes-embedded-resource").asBoolean();
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            boolean inMeta = (root || embedded) && META.contains(property.getKey());
            keywords(
                    property.getValue(),
                    at.field("properties").key(property.getKey()),
                    false,
                    meta || inMeta,
                    root && inMeta ? "in top-level " + property.getKey() : noDefault);
        }
        junctors(schema, at, (alternative, path) -> keywords(alternative, path, false, meta, noDefault));
        keywords(schema.path("items"), at.field("items"), false, meta, noDefault);
        Rules.check("schema/extensions", field);
        if (text(schema, LIST_TYPE).equals("map")
                && text(schema.path("items"), "type").equals("object")) {
            keys(schema.path("items"), Json.texts(schema.path(KEYS)), at);
        }
        Rules.check("schema/items", field);
        Rules.check("schema/rules", field);
        JsonNode rules = schema.path("x-kubernetes-validations");
        for (int i = 0; i < rules.size() && hasStructure(schema); i++) {
            String path = text(rules.path(i), "fieldPath");
            if (!SchemaFieldPath.of(path, schema, true).problem().isEmpty()) {
                FieldPath where = at.field("x-kubernetes-validations").at(i).field("fieldPath");
                causes.invalid(where, FieldErrorMessages.quoted(path), "must be a valid path");
            }
        }
    }

    private void keys(JsonNode items, List<String> keys, FieldPath at) {
        if (keys.size() > MAX_KEYS) {
            return;
        }
        String all = FieldErrorMessages.listed(keys, FieldErrorMessages::quoted);
        String shown = "[" + all.replace(", ", ",") + "]";
        List<String> required = Json.texts(items.path("required"));
        Set<String> found = new HashSet<>();
        for (String key : keys) {
            JsonNode field = items.path("properties").path(key);
            if (field.isMissingNode()) {
                causes.invalid(at.field(KEYS), shown, "entries must all be names of item properties");
            } else if (Set.of("array", "object").contains(text(field, "type"))) {
                FieldPath type = at.field("items").field("properties").key(key).field("type");
                String detail = "must be a scalar type if parent array's " + LIST_TYPE + " is map";
                causes.invalid(type, "\"object\"", detail);
            }
            if (!found.add(key)) {
                causes.invalid(at.field(KEYS), shown, "must not contain duplicate entries");
            }
        }
        if (items.path("nullable").asBoolean()) {
            FieldPath nullable = at.field("items").field("nullable");
            causes.forbidden(nullable, "cannot be nullable when " + LIST_TYPE + " is map");
        }
        for (String key : keys) {
            JsonNode field = items.path("properties").path(key);
            FieldPath child = at.field("items").field("properties").key(key);
            String keyed = "this property is in " + KEYS + ", so it ";
            if (field.isObject() && !required.contains(key) && !field.has("default")) {
                causes.required(child.field("default"), keyed + "must have a default or be a required property");
            }
            if (field.path("nullable").asBoolean()) {
                causes.forbidden(child.field("nullable"), keyed + "cannot be nullable");
            }
        }
    }
}
