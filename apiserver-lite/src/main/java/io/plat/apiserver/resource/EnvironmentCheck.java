package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What is wrong with the environment that a container is given: in the words of existing servers. */
final class EnvironmentCheck {
    private static final Pattern NAME = Pattern.compile("[\\x20-\\x7e&&[^=]]+");
    private static final Pattern OF_KEY = Pattern.compile("metadata\\.(labels|annotations)\\['.*'\\]");

    /** The fields of a pod that a variable can have the value of. */
    private static final List<String> FIELDS = List.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");

    /** Further fields that can be named, but are no value of a variable. */
    private static final Set<String> NAMED = Set.of(
            "metadata.annotations",
            "metadata.labels",
            "spec.hostNetwork",
            "spec.restartPolicy",
            "spec.schedulerName",
            "status.nominatedNodeName",
            "status.phase");

    private static final String SEVERAL = "may not have more than one field specified at a time";

    private final Causes causes;

    private EnvironmentCheck(Causes causes) {
        this.causes = causes;
    }

    /** Checks the environment of a container that stands at a path. */
    static void check(String path, JsonNode container, Causes causes) {
        EnvironmentCheck check = new EnvironmentCheck(causes);
        for (int i = 0; i < container.path("env").size(); i++) {
            check.variable(path + ".env[" + i + "]", container.path("env").path(i));
        }
        for (int i = 0; i < container.path("envFrom").size(); i++) {
            check.source(path + ".envFrom[" + i + "]", container.path("envFrom").path(i));
        }
    }

    private void variable(String field, JsonNode variable) {
        String name = Json.text(variable, "name");
        if (name.isEmpty()) {
            causes.required(field + ".name", "");
        } else {
            name(field + ".name", name);
        }
        if (!variable.has("valueFrom")) {
            return;
        }
        JsonNode from = variable.path("valueFrom");
        if (from.isEmpty()) {
            causes.invalid(
                    field + ".valueFrom",
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`");
        } else if (!Json.text(variable, "value").isEmpty()) {
            causes.invalid(field + ".valueFrom", "", "may not be specified when `value` is not empty");
        } else if (from.size() > 1) {
            causes.invalid(field + ".valueFrom", "", SEVERAL);
        }
        if (from.has("fieldRef")) {
            field(field + ".valueFrom.fieldRef.fieldPath", Json.text(from.path("fieldRef"), "fieldPath"));
        }
        if (from.has("resourceFieldRef")) {
            ResourceFields.check(field + ".valueFrom.resourceFieldRef", from.path("resourceFieldRef"), false, causes);
        }
        for (String kind : List.of("configMapKeyRef", "secretKeyRef")) {
            String key = Json.text(from.path(kind), "key");
            if (!key.isEmpty()) {
                causes.name(field + ".valueFrom." + kind + ".key", key, NameRule.CONFIG_KEY);
            }
        }
    }

    private void name(String field, String name) {
        if (!NAME.matcher(name).matches()) {
            causes.invalid(
                    field,
                    name,
                    "a valid environment variable name must consist only of printable ASCII characters other than '='");
        }
    }

    /** Whether it is the value of one label or annotation. */
    static boolean isOfKey(String path) {
        return OF_KEY.matcher(path).matches();
    }

    private void field(String field, String path) {
        if (path.isEmpty() || FIELDS.contains(path) || isOfKey(path)) {
            // That one has to be named is said by the schema.
            return;
        }
        if (NAMED.contains(path)) {
            causes.notSupported(field, path, FIELDS);
        } else {
            causes.invalid(field, path, "error converting fieldPath: field label not supported: " + path);
        }
    }

    private void source(String field, JsonNode source) {
        String prefix = Json.text(source, "prefix");
        if (!prefix.isEmpty()) {
            name(field + ".prefix", prefix);
        }
        List<String> kinds = List.of("configMapRef", "secretRef");
        long sources = kinds.stream().filter(source::has).count();
        if (sources == 0) {
            causes.invalid(field, "", "must specify one of: `configMapRef` or `secretRef`");
        } else if (sources > 1) {
            causes.invalid(field, "", SEVERAL);
        }
        for (String kind : kinds) {
            if (source.has(kind)) {
                String name = Json.text(source.path(kind), "name");
                if (name.isEmpty()) {
                    causes.required(field + "." + kind + ".name", "");
                } else {
                    causes.name(field + "." + kind + ".name", name, NameRule.SUBDOMAIN);
                }
            }
        }
    }
}
