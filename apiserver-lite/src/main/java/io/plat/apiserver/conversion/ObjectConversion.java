package io.plat.apiserver.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.FieldNames;
import io.plat.apiserver.apply.View;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Schemas;
import io.plat.review.ApiGroups;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Map;

/**
 * Conversion between the versions of a type. The stored version is that of kube-apiserver; all others are converted from and to it.
 *
 * <p>One version of events and one of autoscalers have different field names (for autoscalers, see {@link AutoscalerConversion}). Of role
 * objects, only bindings differ: the specification's version names a subject's group by {@code apiVersion}, and an earlier form of its
 * roleRef carried {@code apiVersion} and, for a Role, {@code namespace} (specification, "Role-based objects"). Both forms are read, in any
 * mix.
 */
public final class ObjectConversion {
    static final String EVENTS = "events";

    /** Field names in {@code events.k8s.io}, with the stored names. */
    private static final Map<String, String> NAMES = Map.of(
            "regarding", "involvedObject",
            "note", "message",
            "reportingController", "reportingComponent",
            "deprecatedSource", "source",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp",
            "deprecatedCount", "count");

    static final FieldNames FIELDS = new FieldNames(
            "events.k8s.io/v1",
            NAMES.entrySet().stream()
                    .map(name -> new FieldNames.Alias(List.of(name.getValue()), List.of(name.getKey()), List.of()))
                    .toList());

    private static final String SUBJECT_VERSION = ApiGroups.RBAC_PLAT + "/v1alpha1";

    private ObjectConversion() {}

    /** Returns whether this version is served exactly as it is stored. */
    public static boolean storedAsServed(ResourceType type, long revision) {
        return type.form() != null ? type.form().storedAsServed(revision) : storedAsServed(type);
    }

    private static boolean storedAsServed(ResourceType type) {
        return !isEvent(type)
                && !AutoscalerConversion.is(type)
                && (!type.group().equals(ApiGroups.RBAC_PLAT) || !type.kind().endsWith("Binding"));
    }

    public static TypeSchema schema(ResourceType type) {
        if (type.isCustom()) {
            // The type's form normalizes and validates its objects.
            return TypeSchema.UNKNOWN;
        }
        if (isEvent(type)) {
            return Schemas.builtIn().find("", "v1", type.kind()).orElse(type.schema());
        }
        return AutoscalerConversion.is(type)
                ? Schemas.builtIn().find(type.group(), "v2", type.kind()).orElse(type.schema())
                : type.schema();
    }

    /** Returns the schema that distinguishes separately owned fields of stored objects. */
    public static TypeSchema structure(ResourceType type) {
        return type.form() != null && type.form().normalizes() ? type.form().structure() : schema(type);
    }

    /** Returns the view of stored objects in a version, by apiVersion. */
    public static View view(ResourceType type, String apiVersion) {
        return type.form() != null && type.form().normalizes()
                ? type.form().view(apiVersion)
                : View.whole(schema(type));
    }

    /**
     * Returns the names of stored fields in the version that has different ones: a writer of another version may conflict with owners of
     * that version.
     */
    public static FieldNames fieldNames(ResourceType type) {
        return switch (type.storage()) {
            case EVENTS -> FIELDS;
            case AutoscalerConversion.STORAGE -> AutoscalerConversion.FIELDS;
            default -> FieldNames.IDENTITY;
        };
    }

    /** Converts a stored object to a served version, in place. */
    public static ObjectNode serve(ResourceType type, ObjectNode stored) {
        if (type.form() != null) {
            return type.form().serve(stored);
        }
        if (storedAsServed(type)) {
            return stored;
        }
        if (isEvent(type)) {
            return serveEvent(stored);
        }
        if (AutoscalerConversion.is(type)) {
            return AutoscalerConversion.serve(stored);
        }
        for (JsonNode subject : stored.path("subjects")) {
            serveSubject((ObjectNode) subject);
        }
        if (stored.path("roleRef") instanceof ObjectNode roleRef
                && Json.text(roleRef, "apiGroup").equals(ApiGroups.RBAC)) {
            roleRef.put("apiGroup", ApiGroups.RBAC_PLAT);
        }
        return stored;
    }

    private static void serveSubject(ObjectNode subject) {
        String group = Json.text(subject, "apiGroup");
        subject.remove("apiGroup");
        switch (Json.text(subject, "kind")) {
            case "ServiceAccount" -> subject.put("apiVersion", "v1");
            case "User", "Group" -> subject.put("apiVersion", SUBJECT_VERSION);
            default -> subject.put("apiVersion", group);
        }
    }

    /** Converts an object of a served version to its stored form, in place. Its shape has been checked. */
    public static ObjectNode store(ResourceType type, ObjectNode served) {
        if (type.form() != null) {
            return type.form().store(served);
        }
        if (isEvent(type)) {
            return storeEvent(served);
        }
        if (AutoscalerConversion.is(type)) {
            return AutoscalerConversion.store(served);
        }
        if (!type.kind().endsWith("Binding") || !ApiGroups.isRbac(type.group())) {
            return served;
        }
        boolean earlier = type.group().equals(ApiGroups.RBAC_PLAT);
        for (JsonNode subject : served.path("subjects")) {
            if (subject instanceof ObjectNode object) {
                storeSubject(object, earlier);
            }
        }
        if (served.path("roleRef") instanceof ObjectNode roleRef) {
            storeRoleRef(roleRef, Json.text(served.path("metadata"), "namespace"));
        }
        return served;
    }

    private static void storeSubject(ObjectNode subject, boolean earlier) {
        String kind = Json.text(subject, "kind");
        String version = Json.text(subject, "apiVersion");
        subject.remove("apiVersion");
        if (!subject.hasNonNull("apiGroup") && !version.isEmpty()) {
            subject.put("apiGroup", group(version));
        }
        String group = ApiGroups.canonical(Json.text(subject, "apiGroup"));
        if (group.isEmpty() && (kind.equals("User") || kind.equals("Group"))) {
            group = ApiGroups.RBAC;
        }
        if (earlier && kind.equals("User") && Json.text(subject, "name").equals("*")) {
            subject.put("kind", "Group");
            subject.put("name", UserInfo.AUTHENTICATED);
        }
        if (group.isEmpty()) {
            subject.remove("apiGroup");
        } else {
            subject.put("apiGroup", group);
        }
    }

    /** Stores the namespace of a roleRef that differs from the binding's own: such a reference never grants, and must not begin to. */
    private static void storeRoleRef(ObjectNode roleRef, String own) {
        String version = Json.text(roleRef, "apiVersion");
        roleRef.remove("apiVersion");
        String group = Json.text(roleRef, "apiGroup");
        if (group.isEmpty()) {
            group = version.isEmpty() ? ApiGroups.RBAC : group(version);
        }
        roleRef.put("apiGroup", ApiGroups.canonical(group));
        String namespace = Json.text(roleRef, "namespace");
        if (namespace.isEmpty() || namespace.equals(own)) {
            roleRef.remove("namespace");
        }
    }

    private static String group(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    public static boolean isEvent(ResourceType type) {
        return type.group().equals("events.k8s.io");
    }

    static ObjectNode serveEvent(ObjectNode stored) {
        NAMES.forEach((target, here) -> rename(stored, here, target));
        for (String field : List.of("reportingController", "reportingInstance")) {
            if (stored.path(field).asText("").isEmpty()) {
                stored.remove(field);
            }
        }
        return stored;
    }

    static ObjectNode storeEvent(ObjectNode served) {
        NAMES.forEach((target, here) -> rename(served, target, here));
        return served;
    }

    private static void rename(ObjectNode object, String from, String to) {
        JsonNode value = object.remove(from);
        if (value != null) {
            object.set(to, value);
        }
    }
}
