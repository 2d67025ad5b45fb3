package io.plat.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.custom.cel.Language;
import io.plat.apiserver.expression.AuthorizerVariable;
import io.plat.apiserver.expression.AuthorizerVariable.Resource.Part;
import io.plat.apiserver.expression.PolicyProgram;
import io.plat.apiserver.resource.AdmissionRequest;
import io.plat.apiserver.resource.ResourceType;
import io.plat.review.UserInfo;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of expressions for one request. The object is converted once for each version by which policies match. */
final class RequestVariables {
    private final AdmissionRequest request;
    private final AuthorizerVariable authorizer;
    private final @Nullable Object namespace;
    private final Map<ResourceType.Id, PolicyProgram.Input> byVersion = new HashMap<>();

    /**
     * The variables.
     *
     * @param namespace the namespace of the request; null where it is not in one
     */
    RequestVariables(AdmissionRequest request, AuthorizerVariable authorizer, @Nullable ObjectNode namespace) {
        this.request = request;
        this.authorizer = authorizer;
        this.namespace = namespace == null ? null : namespace(namespace);
    }

    /**
     * Returns the variables as a version shows them.
     *
     * @param params the parameters, or null
     */
    PolicyProgram.Input as(ResourceType version, @Nullable ObjectNode params) {
        PolicyProgram.Input plain = byVersion.computeIfAbsent(version.id(), id -> input(version));
        return params == null
                ? plain
                : new PolicyProgram.Input(
                        plain.object(),
                        plain.oldObject(),
                        plain.request(),
                        Language.value(params),
                        plain.namespace(),
                        plain.authorizer(),
                        plain.requestResource());
    }

    private PolicyProgram.Input input(ResourceType version) {
        ResourceType requested = request.resource();
        return new PolicyProgram.Input(
                value(request.object(), version),
                value(request.oldObject(), version),
                fields(version),
                null,
                namespace,
                authorizer,
                authorizer
                        .requestResource(requested.group(), requested.version(), requested.resource())
                        .with(Part.SUBRESOURCE, request.subresource())
                        .with(Part.NAMESPACE, request.namespace())
                        .with(Part.NAME, request.name()));
    }

    private @Nullable Object value(@Nullable ObjectNode object, ResourceType version) {
        if (object == null) {
            return null;
        }
        return Language.value(request.kind().isEmpty() ? AdmissionRequest.served(object, version) : object);
    }

    /** The fields of the request: those that are empty are absent, as in Kubernetes. */
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
        fields.put("options", Language.value(request.options()));
        fields.put("userInfo", user(request.requester().user()));
        return fields;
    }

    private Map<String, Object> kind(ResourceType type) {
        ResourceType.Operation kind =
                request.kind().orElseGet(() -> new ResourceType.Operation(type.group(), type.version(), type.kind()));
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

    private static Object namespace(JsonNode namespace) {
        var fields = new HashMap<String, Object>();
        var metadata = new HashMap<String, Object>(map(namespace.path("metadata")));
        timestamp(metadata, "creationTimestamp");
        timestamp(metadata, "deletionTimestamp");
        if (metadata.get("uid") instanceof String uid) {
            metadata.put("UID", uid);
        }
        var status = new HashMap<String, Object>(map(namespace.path("status")));
        if (status.get("conditions") instanceof List<?> conditions) {
            status.put(
                    "conditions",
                    conditions.stream()
                            .map(condition -> {
                                var one = new HashMap<Object, Object>((Map<?, ?>) condition);
                                timestamp(one, "lastTransitionTime");
                                return one;
                            })
                            .toList());
        }
        fields.put("metadata", metadata);
        fields.put("spec", map(namespace.path("spec")));
        fields.put("status", status);
        return fields;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(JsonNode object) {
        return object.isObject() ? (Map<String, Object>) Language.value(object) : Map.of();
    }

    private static <K> void timestamp(Map<K, Object> fields, K name) {
        if (fields.get(name) instanceof String text) {
            try {
                fields.put(name, Instant.parse(text));
            } catch (DateTimeParseException other) {
                fields.remove(name);
            }
        }
    }
}
