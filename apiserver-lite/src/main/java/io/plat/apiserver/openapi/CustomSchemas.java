package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.tree.ProgramData;
import io.plat.apiserver.type.ResourceType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** OpenAPI schemas of custom types. */
final class CustomSchemas {
    private static final String PRESERVES = "x-kubernetes-preserve-unknown-fields";

    private static final String LIST_DESCRIPTION =
            ". More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

    /** Properties that the schemas of objects and of their lists have in addition. */
    private static final JsonNode FIELDS = ProgramData.json(CustomSchemas.class, "common-fields.json");

    private static final JsonNode EITHER = Json.MAPPER
            .createArrayNode()
            .add(Json.object().put("type", "integer"))
            .add(Json.object().put("type", "string"));

    private static final List<String> UNKNOWN_TO_V2 =
            List.of("oneOf", "anyOf", "allOf", "not", "nullable", "externalDocs", "$schema", "id", "title");

    private CustomSchemas() {}

    /** Adds the schemas of a type to a document. */
    static void add(
            ResourceType type,
            JsonNode described,
            boolean plain,
            ObjectNode schemas,
            Map<String, List<ResourceType.GroupVersionKind>> roots) {
        String name = nameOf(type);
        ObjectNode schema = described.deepCopy();
        if (plain) {
            reduce(schema);
        } else {
            expand(schema);
        }
        typed(schema, type, "", plain, roots);
        if (plain && described.path(PRESERVES).asBoolean()) {
            // kubectl refuses all other properties as soon as one is described.
            schema.retain(OpenApiSchemas.KINDS);
            schema.put("type", "object");
        }
        schemas.set(name, schema);
        ObjectNode list = JsonNodeFactory.instance.objectNode().put("type", "object");
        list.put("description", type.kind() + "List is a list of " + type.kind());
        list.putArray("required").add("items");
        typed(list, type, "List", plain, roots)
                .putObject("items")
                .put("type", "array")
                .put("description", "List of " + type.resource() + LIST_DESCRIPTION)
                .set("items", OpenApiSchemas.reference(name, plain));
        schemas.set(name + "List", list);
    }

    /** Adds the fields common to all kinds, and returns the properties. */
    private static ObjectNode typed(
            ObjectNode schema,
            ResourceType type,
            String suffix,
            boolean plain,
            Map<String, List<ResourceType.GroupVersionKind>> roots) {
        ObjectNode properties = schema.withObject("/properties");
        ObjectNode common = FIELDS.path("Object" + suffix).deepCopy();
        OpenApiSchemas.rewrite(common, plain, name -> roots.putIfAbsent(name, List.of()));
        properties.setAll(common);
        schema.putArray(OpenApiSchemas.KINDS).add(OpenApiSchemas.groupVersionKind(OpenApiSchemas.kind(type, suffix)));
        if (!plain && type.form() != null) {
            for (String field : type.form().selectableFields()) {
                schema.withArray("x-kubernetes-selectable-fields").addObject().put("fieldPath", field);
            }
        }
        return properties;
    }

    /** Returns the schema name in Kubernetes' form: the reversed group, the version and the kind. */
    static String nameOf(ResourceType type) {
        var labels = new ArrayList<>(Arrays.asList(type.group().split("\\.", -1)));
        Collections.reverse(labels);
        return String.join(".", labels) + "." + type.version() + "." + type.kind();
    }

    /** Writes out what extensions of version 3 imply: fields of an embedded object, and the types of an integer or string. */
    private static void expand(JsonNode node) {
        if (!(node instanceof ObjectNode schema)) {
            return;
        }
        schema.path("properties").forEach(CustomSchemas::expand);
        expand(schema.path("items"));
        expand(schema.path("additionalProperties"));
        if (schema.path("x-kubernetes-embedded-resource").asBoolean()) {
            ObjectNode common = FIELDS.path("Object").deepCopy();
            OpenApiSchemas.rewrite(common, false, _ -> {});
            schema.withObject("/properties").setAll(common);
            List<String> required = Json.texts(schema.path("required"));
            Stream.of("kind", "apiVersion")
                    .filter(name -> !required.contains(name))
                    .forEach(schema.withArray("required")::add);
        }
        if (schema.path("x-kubernetes-int-or-string").asBoolean()
                && !schema.path("anyOf").equals(EITHER)
                && !schema.path("allOf").path(0).path("anyOf").equals(EITHER)) {
            if (schema.path("anyOf").isMissingNode()) {
                schema.set("anyOf", EITHER.deepCopy());
            } else {
                schema.withArray("allOf").insertObject(0).set("anyOf", EITHER.deepCopy());
            }
        }
    }

    /** Removes keywords that version 2 lacks; the rest is never stricter than the whole. */
    private static void reduce(JsonNode node) {
        if (!(node instanceof ObjectNode schema)) {
            return;
        }
        boolean anything = schema.path("nullable").asBoolean()
                || schema.path("x-kubernetes-int-or-string").asBoolean();
        if (schema.path(PRESERVES).asBoolean()) {
            schema.remove(List.of("type", "properties", "items", "additionalProperties", "required"));
        }
        schema.remove(UNKNOWN_TO_V2);
        if (anything) {
            schema.remove(List.of("type", "items", "properties", "additionalProperties"));
        }
        schema.path("properties").forEach(CustomSchemas::reduce);
        reduce(schema.path("items"));
        reduce(schema.path("additionalProperties"));
        if (schema.path("items") instanceof ArrayNode) {
            schema.remove("items");
        }
    }
}
