package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.resource.ResourceType;
import java.util.List;
import java.util.Set;

/**
 * The paths of one type with their operations.
 *
 * <p>The patch operation is where clients look up that the server validates fields by itself.
 *
 * @param prefix the path of the group version
 * @param type the type
 * @param schema the name of the schema of its objects
 */
record TypePaths(String prefix, ResourceType type, String schema) {
    private record Operation(String method, String verb, List<String> parameters) {}

    private static final List<String> WRITE = List.of("dryRun", "fieldManager", "fieldValidation");
    private static final List<String> SELECT =
            List.of("labelSelector", "fieldSelector", "limit", "continue", "resourceVersion", "resourceVersionMatch");

    private static final List<Operation> ON_COLLECTION = List.of(
            new Operation("get", "list", SELECT),
            new Operation("post", "create", WRITE),
            new Operation("delete", "deletecollection", SELECT));

    private static final List<Operation> ON_OBJECT = List.of(
            new Operation("get", "get", List.of()),
            new Operation("put", "update", WRITE),
            new Operation("patch", "patch", List.of("dryRun", "fieldManager", "fieldValidation", "force")),
            new Operation("delete", "delete", List.of("dryRun", "propagationPolicy", "gracePeriodSeconds")));

    private static final Set<String> FLAGS = Set.of("force");
    private static final Set<String> NUMBERS = Set.of("limit", "gracePeriodSeconds");

    void addTo(ObjectNode paths) {
        String collection = prefix + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.resource();
        add(paths, collection, ON_COLLECTION);
        add(paths, collection + "/{name}", ON_OBJECT);
        if (type.namespaced() && type.verbs().contains("list")) {
            add(paths, prefix + "/" + type.resource(), ON_COLLECTION.subList(0, 1));
        }
    }

    private void add(ObjectNode paths, String path, List<Operation> operations) {
        ObjectNode item = JsonNodeFactory.instance.objectNode();
        for (Operation operation : operations) {
            if (type.verbs().contains(operation.verb())) {
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
        ArrayNode parameters = into.putArray("parameters");
        operation.parameters().forEach(name -> parameter(parameters, name, "query"));
        if (Set.of("create", "update").contains(operation.verb())) {
            content(into.putObject("requestBody").put("required", true));
        }
        ObjectNode ok = into.putObject("responses").putObject(operation.verb().equals("create") ? "201" : "200");
        ok.put("description", "OK");
        if (!operation.verb().equals("list") && !operation.verb().startsWith("delete")) {
            content(ok);
        }
        into.put("x-kubernetes-action", action(operation.verb()));
        into.set("x-kubernetes-group-version-kind", Schemas.groupVersionKind(type));
    }

    private void content(ObjectNode into) {
        into.putObject("content").putObject("application/json").set("schema", Schemas.reference(schema));
    }

    private static ObjectNode parameter(ArrayNode parameters, String name, String where) {
        ObjectNode parameter = parameters.addObject().put("name", name).put("in", where);
        parameter
                .putObject("schema")
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
