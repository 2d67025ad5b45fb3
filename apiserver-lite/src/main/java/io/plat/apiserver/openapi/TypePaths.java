package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.type.ResourceType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * OpenAPI paths of one type with their operations.
 *
 * <p>Clients detect server-side field validation by the patch operation.
 *
 * @param plain whether to write OpenAPI v2
 * @param prefix path of the group version
 * @param list schema name of its lists, if it has any
 */
record TypePaths(
        boolean plain,
        String prefix,
        ResourceType type,
        ResourceType.GroupVersionKind kind,
        String schema,
        Optional<String> list) {
    private record Operation(String method, String verb, List<String> parameters) {}

    private static final List<String> WRITE = List.of("dryRun", "fieldManager", "fieldValidation");
    private static final List<String> SELECT =
            List.of("labelSelector", "fieldSelector", "limit", "continue", "resourceVersion", "resourceVersionMatch");
    private static final List<String> LIST =
            List.of(("labelSelector fieldSelector limit continue resourceVersion resourceVersionMatch watch "
                            + "allowWatchBookmarks sendInitialEvents timeoutSeconds")
                    .split(" ", -1));

    private static final List<Operation> ON_COLLECTION = List.of(
            new Operation("get", "list", LIST),
            new Operation("post", "create", WRITE),
            new Operation("delete", "deletecollection", SELECT));

    private static final Operation PATCH =
            new Operation("patch", "patch", List.of("dryRun", "fieldManager", "fieldValidation", "force"));

    private static final List<Operation> ON_OBJECT = List.of(
            new Operation("get", "get", List.of()),
            new Operation("put", "update", WRITE),
            PATCH,
            new Operation("delete", "delete", List.of("dryRun", "propagationPolicy", "gracePeriodSeconds")));

    private static final List<Operation> ON_PART = List.of(
            new Operation("get", "get", List.of()),
            new Operation("put", "update", WRITE),
            new Operation("post", "create", WRITE),
            PATCH);

    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final List<String> PATCHES = List.of(
            "application/json-patch+json", "application/merge-patch+json", STRATEGIC, "application/apply-patch+yaml");

    private static final Set<String> FLAGS = Set.of("force", "watch", "allowWatchBookmarks", "sendInitialEvents");
    private static final Set<String> NUMBERS = Set.of("limit", "gracePeriodSeconds", "timeoutSeconds");

    void addTo(ObjectNode paths, OpenApiSchemas schemas) {
        String collection = prefix + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.resource();
        add(paths, collection, ON_COLLECTION, type.verbs());
        add(paths, collection + "/{name}", ON_OBJECT, type.verbs());
        if (type.namespaced() && type.verbs().contains("list")) {
            add(paths, prefix + "/" + type.resource(), ON_COLLECTION.subList(0, 1), type.verbs());
        }
        parts(paths, schemas, collection);
    }

    private void parts(ObjectNode paths, OpenApiSchemas schemas, String collection) {
        for (ResourceType.Subresource part : type.subresources()) {
            part(schemas, part)
                    .ifPresent(of -> of.add(paths, collection + "/{name}/" + part.name(), ON_PART, part.verbs()));
        }
    }

    private Optional<TypePaths> part(OpenApiSchemas schemas, ResourceType.Subresource part) {
        if (part.operation().isEmpty()) {
            return Optional.of(this);
        }
        ResourceType.GroupVersionKind operation = part.operation().get();
        return schemas.nameOf(operation)
                .map(name -> new TypePaths(plain, prefix, type, operation, name, Optional.empty()));
    }

    private void add(ObjectNode paths, String path, List<Operation> operations, List<String> verbs) {
        ObjectNode item = JsonNodeFactory.instance.objectNode();
        for (Operation operation : operations) {
            if (verbs.contains(operation.verb())) {
                describe(operation, item.putObject(operation.method()));
            }
        }
        if (item.isEmpty()) {
            return;
        }
        ArrayNode parameters = item.putArray("parameters");
        for (String name : List.of("namespace", "name")) {
            if (path.contains("{" + name + "}")) {
                parameter(parameters, name, "path").put("required", true);
            }
        }
        parameter(parameters, "pretty", "query");
        paths.set(path, item);
    }

    private void describe(Operation operation, ObjectNode into) {
        into.putArray("tags").add(tag());
        // Go clients do not write an empty list that they have read.
        if (!operation.parameters().isEmpty()) {
            ArrayNode parameters = into.putArray("parameters");
            operation.parameters().forEach(name -> parameter(parameters, name, "query"));
        }
        if (Set.of("create", "update").contains(operation.verb())) {
            body(into, List.of("*/*"), schema);
        } else if (operation.verb().equals("patch")) {
            body(into, patches(), OpenApiSchemas.PATCH);
        }
        if (plain) {
            into.putArray("produces").add("application/json").add("application/yaml");
        }
        ObjectNode ok = into.putObject("responses").putObject(operation.verb().equals("create") ? "201" : "200");
        ok.put("description", "OK");
        switch (operation.verb()) {
            case "list" -> list.ifPresent(name -> result(ok, name));
            case "delete", "deletecollection" -> result(ok, OpenApiSchemas.STATUS);
            default -> result(ok, schema);
        }
        into.put("x-kubernetes-action", action(operation.verb()));
        into.set("x-kubernetes-group-version-kind", OpenApiSchemas.groupVersionKind(kind));
    }

    /** Returns the tag of operations, such as {@code core_v1} and {@code rbacAuthorization_v1}, as in Kubernetes. */
    private String tag() {
        String group = type.group().isEmpty() ? "core" : type.group().replaceFirst("\\.(k8s|plat)\\.io$", "");
        var tag = new StringBuilder();
        for (String word : group.split("[.-]", -1)) {
            tag.append(tag.isEmpty() ? word : capitalized(word));
        }
        return tag + "_" + type.version();
    }

    private static String capitalized(String word) {
        return word.isEmpty() ? "" : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /** Returns the patch media types; custom types do not support strategic merge patch. */
    private List<String> patches() {
        boolean atRunTime = type.isCustom();
        return atRunTime
                ? PATCHES.stream().filter(patch -> !patch.equals(STRATEGIC)).toList()
                : PATCHES;
    }

    /** Describes the body of requests. */
    private void body(ObjectNode operation, List<String> mediaTypes, String name) {
        if (plain) {
            ObjectNode body = operation.withArray("parameters").addObject();
            body.put("name", "body").put("in", "body").put("required", true).set("schema", reference(name));
            mediaTypes.forEach(operation.putArray("consumes")::add);
        } else {
            content(operation.putObject("requestBody").put("required", true), mediaTypes, name);
        }
    }

    /** Describes the object in a response. */
    private void result(ObjectNode response, String name) {
        if (plain) {
            response.set("schema", reference(name));
        } else {
            content(response, List.of("application/json"), name);
        }
    }

    private void content(ObjectNode into, List<String> mediaTypes, String name) {
        ObjectNode content = into.putObject("content");
        mediaTypes.forEach(mediaType -> content.putObject(mediaType).set("schema", reference(name)));
    }

    private ObjectNode reference(String name) {
        return OpenApiSchemas.reference(name, plain);
    }

    private ObjectNode parameter(ArrayNode parameters, String name, String where) {
        ObjectNode parameter = parameters.addObject().put("name", name).put("in", where);
        (plain ? parameter : parameter.putObject("schema"))
                .put("type", FLAGS.contains(name) ? "boolean" : NUMBERS.contains(name) ? "integer" : "string")
                .put("uniqueItems", true);
        return parameter;
    }

    private static String action(String verb) {
        return switch (verb) {
            case "create" -> "post";
            case "update" -> "put";
            default -> verb;
        };
    }
}
