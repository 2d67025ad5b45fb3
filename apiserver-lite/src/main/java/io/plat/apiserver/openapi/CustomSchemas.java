package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.TypeForm.Described;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The schemas and paths of a type that says by itself what its objects look like.
 *
 * @param type the type
 * @param described what its objects look like
 * @param plain whether schemas say no more than OpenAPI v2 can
 * @param builtIn the schemas of what parts of objects take, such as a scale
 */
record CustomSchemas(ResourceType type, Described described, boolean plain, Schemas builtIn) {
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final String EXTENSION = "x-kubernetes-";

    /** What OpenAPI v2 has no place for. */
    private static final List<String> UNKNOWN_TO_V2 =
            List.of("oneOf", "anyOf", "allOf", "not", "nullable", "externalDocs", "$schema", "id", "title");

    /** Adds everything to a document. */
    void describe(
            String prefix, ObjectNode paths, ObjectNode schemas, Map<String, List<ResourceType.Operation>> roots) {
        var kind = new ResourceType.Operation(type.group(), type.version(), type.kind());
        var listKind = new ResourceType.Operation(type.group(), type.version(), type.kind() + "List");
        ObjectNode schema = described.schema().deepCopy();
        if (plain) {
            reduce(schema);
        }
        ObjectNode properties = schema.withObject("/properties");
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        properties.set("metadata", Schemas.reference(META + "ObjectMeta"));
        schema.putArray(Schemas.KINDS).add(Schemas.groupVersionKind(kind));
        schemas.set(name(), schema);
        schemas.set(name() + "List", list(listKind));
        roots.putIfAbsent(META + "ObjectMeta", List.of());
        roots.putIfAbsent(META + "ListMeta", List.of());
        OpenApiDocuments.parts(type, builtIn, roots);
        new TypePaths(prefix, type, kind, name(), Optional.of(name() + "List")).addTo(paths, builtIn);
    }

    private ObjectNode list(ResourceType.Operation kind) {
        ObjectNode list = JsonNodeFactory.instance.objectNode().put("type", "object");
        list.putArray("required").add("items");
        ObjectNode properties = list.putObject("properties");
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        properties.set("metadata", Schemas.reference(META + "ListMeta"));
        properties.putObject("items").put("type", "array").set("items", Schemas.reference(name()));
        list.putArray(Schemas.KINDS).add(Schemas.groupVersionKind(kind));
        return list;
    }

    /** The group from its end to its beginning, the version and the kind, as the field names such schemas. */
    private String name() {
        var labels = new ArrayList<>(Arrays.asList(type.group().split("\\.", -1)));
        Collections.reverse(labels);
        return String.join(".", labels) + "." + type.version() + "." + type.kind();
    }

    /** Leaves out what can't be said in version 2; what remains is never stricter than the whole. */
    private static void reduce(JsonNode node) {
        if (!(node instanceof ObjectNode schema)) {
            return;
        }
        boolean anything = schema.path("nullable").asBoolean()
                || schema.path(EXTENSION + "int-or-string").asBoolean();
        if (schema.path(EXTENSION + "preserve-unknown-fields").asBoolean()) {
            schema.remove(List.of("properties", "items", "additionalProperties", "required"));
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
