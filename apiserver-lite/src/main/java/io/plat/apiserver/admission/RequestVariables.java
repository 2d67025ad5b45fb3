package io.plat.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.cel.CelValues;
import io.plat.apiserver.expression.AuthorizerVariable;
import io.plat.apiserver.operations.AdmissionRequest;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.UserInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Variables of expressions for one request. The object is converted once for each version that matches. */
final class RequestVariables {
    private final AdmissionRequest request;
    private final AuthorizerVariable authorizer;
    private final @Nullable Object namespace;
    private final Map<ResourceType.Id, Map<String, Object>> byVersion = new HashMap<>();

    /** @param namespace the namespace of the request; null for a request without one */
    RequestVariables(
            AdmissionRequest request,
            AuthorizerVariable authorizer,
            @Nullable ObjectNode namespace,
            ResourceType namespaceType) {
        this.request = request;
        this.authorizer = authorizer;
        this.namespace = namespace == null ? null : namespace(namespaceType.schema(), namespace);
    }

    /**
     * Returns the variables in the view of a version.
     *
     * @param params the parameters, or null
     */
    Map<String, Object> as(ResourceType version, @Nullable ObjectNode params) {
        Map<String, Object> plain = byVersion.computeIfAbsent(version.id(), id -> input(version));
        if (params == null) {
            return plain;
        }
        var all = new HashMap<>(plain);
        all.put("params", CelValues.of(params));
        return all;
    }

    private Map<String, Object> input(ResourceType version) {
        ResourceType requested = request.resource();
        var input = new HashMap<String, Object>();
        putObject(input, "object", request.object(), version);
        putObject(input, "oldObject", request.oldObject(), version);
        input.put("request", fields(version));
        if (namespace != null) {
            input.put("namespaceObject", namespace);
        }
        input.put("authorizer", authorizer);
        input.put(
                "authorizer.requestResource",
                authorizer
                        .requestResource(requested.group(), requested.version(), requested.resource())
                        .with("subresource", request.subresource())
                        .with("namespace", request.namespace())
                        .with("name", request.name()));
        return input;
    }

    private void putObject(Map<String, Object> input, String name, @Nullable ObjectNode object, ResourceType version) {
        if (object != null) {
            input.put(name, CelValues.of(request.kind().isEmpty() ? AdmissionRequest.served(object, version) : object));
        }
    }

    /** Returns the fields of the request. Empty ones are absent, as in Kubernetes. */
    private Map<String, Object> fields(ResourceType version) {
        var fields = new HashMap<String, Object>();
        fields.put("kind", kind(version));
        fields.put("resource", resource(version));
        fields.put("requestKind", kind(request.resource()));
        fields.put("requestResource", resource(request.resource()));
        put(fields, "subResource", request.subresource());
        put(fields, "requestSubResource", request.subresource());
        put(fields, "name", request.name());
        put(fields, "namespace", request.namespace());
        fields.put("operation", request.operation().name());
        fields.put("dryRun", request.dryRun());
        fields.put("options", CelValues.of(request.options()));
        fields.put("userInfo", user(request.requester().user()));
        return fields;
    }

    private Map<String, Object> kind(ResourceType type) {
        ResourceType.GroupVersionKind kind = request.kind().orElseGet(type::groupVersionKind);
        return Map.of("group", kind.group(), "version", kind.version(), "kind", kind.kind());
    }

    private static Map<String, Object> resource(ResourceType type) {
        return Map.of("group", type.group(), "version", type.version(), "resource", type.resource());
    }

    private static Map<String, Object> user(UserInfo user) {
        var fields = new HashMap<String, Object>();
        put(fields, "username", user.name());
        put(fields, "uid", user.uid());
        if (!user.groups().isEmpty()) {
            fields.put("groups", user.groups());
        }
        if (!user.extra().isEmpty()) {
            fields.put("extra", user.extra());
        }
        return fields;
    }

    private static void put(Map<String, Object> fields, String name, String value) {
        if (!value.isEmpty()) {
            fields.put(name, value);
        }
    }

    /** Returns the namespace typed by its schema; the key of its uid is in capitals, as in Kubernetes. */
    private static Object namespace(TypeSchema schema, JsonNode namespace) {
        var fields = new HashMap<String, Object>();
        for (String name : List.of("metadata", "spec", "status")) {
            JsonNode value = namespace.path(name);
            TypeSchema described = schema.at(name).orElse(TypeSchema.UNKNOWN);
            fields.put(name, value.isObject() ? CelValues.of(described, value, false) : Map.of());
        }
        if (fields.get("metadata") instanceof Map<?, ?> metadata && metadata.get("uid") instanceof String uid) {
            var all = new HashMap<Object, Object>(metadata);
            all.put("UID", uid);
            fields.put("metadata", all);
        }
        return fields;
    }
}
