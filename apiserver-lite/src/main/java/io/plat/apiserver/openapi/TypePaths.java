package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.type.ResourceType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * OpenAPI paths of one type with their operations.
 *
 * <p>Clients detect server-side field validation by the patch operation.
 */
record TypePaths(
        boolean plain,
        String prefix,
        ResourceType type,
        ResourceType.GroupVersionKind kind,
        String schema,
        Optional<String> list) {
    private record Operation(String method, String verb, String action, List<String> parameters) {}

    private static List<String> words(String text) {
        return List.of(text.split(" ", -1));
    }

    private static final List<String> WRITE = words("dryRun fieldManager fieldValidation");
    private static final List<String> LIST =
            words("allowWatchBookmarks continue fieldSelector labelSelector limit resourceVersion resourceVersionMatch"
                    + " sendInitialEvents shardSelector timeoutSeconds watch");
    private static final List<String> DELETE =
            words("dryRun gracePeriodSeconds ignoreStoreReadErrorWithClusterBreakingPotential orphanDependents"
                    + " propagationPolicy");

    private static final List<Operation> ON_COLLECTION = List.of(
            new Operation("get", "list", "list", LIST),
            new Operation("post", "create", "create", WRITE),
            new Operation("delete", "deletecollection", "delete", LIST));

    private static final Operation GET = new Operation("get", "get", "read", List.of());
    private static final Operation PUT = new Operation("put", "update", "replace", WRITE);
    private static final Operation PATCH =
            new Operation("patch", "patch", "patch", words("dryRun fieldManager fieldValidation force"));

    private static final List<Operation> ON_OBJECT =
            List.of(GET, PUT, PATCH, new Operation("delete", "delete", "delete", DELETE));

    private static final List<Operation> ON_PART =
            List.of(GET, PUT, new Operation("post", "create", "create", WRITE), PATCH);

    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String STREAM = ";stream=watch";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final List<String> PATCHES = List.of(
            "application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json", STRATEGIC);

    private static final Set<String> FLAGS = Set.of(
            "force",
            "watch",
            "allowWatchBookmarks",
            "sendInitialEvents",
            "orphanDependents",
            "ignoreStoreReadErrorWithClusterBreakingPotential");
    private static final Set<String> NUMBERS = Set.of("limit", "gracePeriodSeconds", "timeoutSeconds");

    void addTo(ObjectNode paths, OpenApiSchemas schemas) {
        String collection = prefix + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.resource();
        add(paths, collection, ON_COLLECTION, type.verbs(), "");
        add(paths, collection + "/{name}", ON_OBJECT, type.verbs(), "");
        if (type.namespaced() && type.verbs().contains("list")) {
            add(paths, prefix + "/" + type.resource(), ON_COLLECTION.subList(0, 1), type.verbs(), "ForAllNamespaces");
        }
        parts(paths, schemas, collection);
    }

    private void parts(ObjectNode paths, OpenApiSchemas schemas, String collection) {
        for (ResourceType.Subresource part : type.subresources()) {
            part(schemas, part)
                    .ifPresent(of -> of.add(
                            paths,
                            collection + "/{name}/" + part.name(),
                            ON_PART,
                            part.verbs(),
                            capitalized(part.name())));
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

    private void add(ObjectNode paths, String path, List<Operation> operations, List<String> verbs, String suffix) {
        List<Operation> served = operations.stream()
                .filter(operation -> verbs.contains(operation.verb()))
                .toList();
        if (served.isEmpty()) {
            return;
        }
        SequencedSet<String> common = new TreeSet<>(parameters(served.getFirst()));
        served.forEach(operation -> common.retainAll(parameters(operation)));
        ObjectNode item = JsonNodeFactory.instance.objectNode();
        for (Operation operation : served) {
            describe(operation, common, suffix, item.putObject(operation.method()));
        }
        common.add("pretty");
        List<String> variables = Stream.of("name", "namespace")
                .filter(name -> path.contains("{" + name + "}"))
                .toList();
        common.addAll(variables);
        ArrayNode parameters = item.putArray("parameters");
        for (String name : common) {
            ObjectNode parameter = parameter(parameters, name, variables.contains(name) ? "path" : "query");
            if (variables.contains(name)) {
                parameter.put("required", true);
            }
        }
        paths.set(path, item);
    }

    private List<String> parameters(Operation operation) {
        if (type.isCustom()) {
            return operation.verb().equals("get") ? List.of("resourceVersion") : operation.parameters();
        }
        return operation.verb().equals("deletecollection")
                ? Stream.concat(LIST.stream(), DELETE.stream())
                        .filter(name -> !name.equals("watch") && !name.equals("allowWatchBookmarks"))
                        .sorted()
                        .toList()
                : operation.parameters();
    }

    /** Describes an operation; the common parameters are described by its path. */
    private void describe(Operation operation, Set<String> common, String suffix, ObjectNode into) {
        into.putArray("tags").add(tag());
        into.put("operationId", operationId(operation, suffix));
        List<String> own = parameters(operation).stream()
                .filter(name -> !common.contains(name))
                .toList();
        // Go clients do not write an empty list that they have read.
        if (!own.isEmpty()) {
            ArrayNode parameters = into.putArray("parameters");
            own.forEach(name -> parameter(parameters, name, "query"));
        }
        boolean deletesMany = operation.verb().equals("deletecollection");
        if (operation.verb().equals("delete") || (deletesMany && !type.isCustom())) {
            body(into, sent(), OpenApiSchemas.DELETE_OPTIONS, false);
        } else if (operation.method().equals("post") || operation.method().equals("put")) {
            body(into, sent(), schema, true);
        } else if (operation.verb().equals("patch")) {
            // Custom types do not support strategic merge patch.
            List<String> patches = type.isCustom()
                    ? PATCHES.stream().filter(patch -> !patch.equals(STRATEGIC)).toList()
                    : PATCHES;
            body(into, patches, OpenApiSchemas.PATCH, true);
        }
        List<String> produced = produced(operation.verb().equals("list"));
        if (plain) {
            produced.forEach(into.putArray("produces")::add);
        }
        Optional<String> result = switch (operation.verb()) {
            case "list" -> list;
            case "delete", "deletecollection" -> Optional.of(OpenApiSchemas.STATUS);
            default -> Optional.of(schema);
        };
        ObjectNode responses = into.putObject("responses");
        responses(operation.verb()).forEach((code, text) -> {
            ObjectNode response = responses.putObject(code).put("description", text);
            result.ifPresent(name -> result(response, produced, name));
        });
        responses.putObject("401").put("description", "Unauthorized");
        into.put("x-kubernetes-action", action(operation.verb()));
        into.set(
                OpenApiSchemas.KINDS,
                OpenApiSchemas.groupVersionKind(type.isCustom() ? type.groupVersionKind() : kind));
    }

    private SequencedMap<String, String> responses(String verb) {
        SequencedMap<String, String> responses = new LinkedHashMap<>();
        responses.put("200", "OK");
        if (Set.of("create", "update").contains(verb) || (verb.equals("patch") && !type.isCustom())) {
            responses.put("201", "Created");
        }
        if (Set.of("create", "delete").contains(verb)) {
            responses.put("202", "Accepted");
        }
        return responses;
    }

    /** Returns the unique name of an operation, such as {@code listAppsV1NamespacedDeployment}, as in Kubernetes. */
    private String operationId(Operation operation, String suffix) {
        String collection = operation.verb().equals("deletecollection") ? "Collection" : "";
        String scope = type.namespaced() && !suffix.equals("ForAllNamespaces") ? "Namespaced" : "";
        String version = capitalized(tag().replaceFirst("_.*", "")) + capitalized(type.version());
        return operation.action() + version + collection + scope + type.kind() + suffix;
    }

    private List<String> sent() {
        return type.isCustom() ? List.of(JSON, YAML) : List.of("*/*");
    }

    private List<String> produced(boolean watchable) {
        if (type.isCustom()) {
            return List.of(JSON, YAML);
        }
        return watchable
                ? List.of(JSON, JSON + STREAM, PROTOBUF, PROTOBUF + STREAM, YAML)
                : List.of(JSON, PROTOBUF, YAML);
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

    private void body(ObjectNode operation, List<String> mediaTypes, String name, boolean required) {
        if (plain) {
            ObjectNode body = operation.withArray("parameters").addObject();
            body.put("name", "body").put("in", "body");
            if (required) {
                body.put("required", true);
            }
            body.set("schema", reference(name));
            mediaTypes.forEach(operation.putArray("consumes")::add);
        } else {
            ObjectNode body = operation.putObject("requestBody");
            if (required) {
                body.put("required", true);
            }
            content(body, mediaTypes, name);
        }
    }

    private void result(ObjectNode response, List<String> mediaTypes, String name) {
        if (plain) {
            response.set("schema", reference(name));
        } else {
            content(response, mediaTypes, name);
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
