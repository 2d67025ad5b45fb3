package io.plat.engine.rbac.served;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.engine.rbac.ClusterRoleSelector;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Role objects as kube-apiserver writes them in JSON: without empty lists, and with null for no rules or subjects. */
public final class AsJson {
    private AsJson() {}

    private interface Writing {
        void write(JsonGenerator json) throws IOException;
    }

    /** A list, whose items have no types. */
    public static String page(String kind, String version, String next, List<? extends RbacObject> items) {
        return text(json -> {
            json.writeStartObject();
            json.writeStringField("kind", kind + "List");
            json.writeStringField("apiVersion", "rbac.authorization.k8s.io/v1");
            json.writeObjectFieldStart("metadata");
            json.writeStringField("resourceVersion", version);
            if (!next.isEmpty()) {
                json.writeStringField("continue", next);
            }
            json.writeNumberField("remainingItemCount", 7);
            json.writeEndObject();
            json.writeArrayFieldStart("items");
            for (RbacObject item : items) {
                object(json, item, "1", false);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** An event. */
    public static String event(String type, String version, RbacObject object) {
        return text(json -> {
            json.writeStartObject();
            json.writeStringField("type", type);
            json.writeFieldName("object");
            object(json, object, version, true);
            json.writeEndObject();
        });
    }

    /** A bookmark. */
    public static String bookmark(String kind, String version) {
        return """
                {"type":"BOOKMARK","object":{"kind":"%s","apiVersion":"rbac.authorization.k8s.io/v1","metadata":\
                {"resourceVersion":"%s"},"rules":null}}""".formatted(kind, version).replace(kind.endsWith("Binding") ? ",\"rules\":null" : "no such text", "");
    }

    /** An event that ends a watch. */
    public static String error(int code, String reason, String message) {
        return """
                {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
                "message":"%s","reason":"%s","code":%d}}""".formatted(message, reason, code);
    }

    private static String text(Writing writing) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            writing.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void object(JsonGenerator json, RbacObject object, String version, boolean typed)
            throws IOException {
        json.writeStartObject();
        if (typed) {
            json.writeStringField("kind", object.key().kind().kind());
            json.writeStringField("apiVersion", "rbac.authorization.k8s.io/v1");
        }
        json.writeObjectFieldStart("metadata");
        json.writeStringField("name", object.key().name());
        if (!object.key().namespace().isEmpty()) {
            json.writeStringField("namespace", object.key().namespace());
        }
        json.writeStringField("resourceVersion", version);
        json.writeNullField("creationTimestamp");
        json.writeArrayFieldStart("managedFields");
        json.writeStartObject();
        json.writeObjectFieldStart("fieldsV1");
        json.writeObjectFieldStart("f:rules");
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndArray();
        if (object instanceof RbacRole role) {
            map(json, "labels", role.labels());
        }
        json.writeEndObject();
        switch (object) {
            case RbacRole role -> role(json, role);
            case RbacBinding binding -> binding(json, binding);
        }
        json.writeEndObject();
    }

    private static void role(JsonGenerator json, RbacRole role) throws IOException {
        if (role.rules().isEmpty()) {
            json.writeNullField("rules");
        } else {
            json.writeArrayFieldStart("rules");
            for (RbacRule rule : role.rules()) {
                json.writeStartObject();
                strings(json, "verbs", rule.verbs());
                strings(json, "apiGroups", rule.apiGroups());
                strings(json, "resources", rule.resources());
                strings(json, "resourceNames", rule.resourceNames());
                strings(json, "nonResourceURLs", rule.nonResourceUrls());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        List<ClusterRoleSelector> aggregation = role.aggregation();
        if (aggregation != null) {
            json.writeObjectFieldStart("aggregationRule");
            json.writeArrayFieldStart("clusterRoleSelectors");
            for (ClusterRoleSelector selector : aggregation) {
                selector(json, selector);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    private static void selector(JsonGenerator json, ClusterRoleSelector selector) throws IOException {
        json.writeStartObject();
        map(json, "matchLabels", selector.matchLabels());
        if (!selector.matchExpressions().isEmpty()) {
            json.writeArrayFieldStart("matchExpressions");
            for (ClusterRoleSelector.Requirement requirement : selector.matchExpressions()) {
                json.writeStartObject();
                json.writeStringField("key", requirement.key());
                json.writeStringField("operator", requirement.operator());
                strings(json, "values", requirement.values());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void binding(JsonGenerator json, RbacBinding binding) throws IOException {
        if (!binding.subjects().isEmpty()) {
            json.writeArrayFieldStart("subjects");
            for (RbacSubject subject : binding.subjects()) {
                json.writeStartObject();
                json.writeStringField("kind", subject.kind());
                optional(json, "apiGroup", subject.apiGroup());
                json.writeStringField("name", subject.name());
                optional(json, "namespace", subject.namespace());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeObjectFieldStart("roleRef");
        json.writeStringField("apiGroup", binding.roleRef().apiGroup());
        json.writeStringField("kind", binding.roleRef().kind());
        json.writeStringField("name", binding.roleRef().name());
        json.writeEndObject();
    }

    private static void strings(JsonGenerator json, String name, List<String> values) throws IOException {
        if (!values.isEmpty()) {
            json.writeArrayFieldStart(name);
            for (String value : values) {
                json.writeString(value);
            }
            json.writeEndArray();
        }
    }

    private static void map(JsonGenerator json, String name, Map<String, String> values) throws IOException {
        if (!values.isEmpty()) {
            json.writeObjectFieldStart(name);
            for (Map.Entry<String, String> value : values.entrySet()) {
                json.writeStringField(value.getKey(), value.getValue());
            }
            json.writeEndObject();
        }
    }

    private static void optional(JsonGenerator json, String name, String value) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, value);
        }
    }
}
