package io.plat.apiserver.resource;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Validation of the environment of a container, with the messages of kube-apiserver. */
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

    private EnvironmentCheck() {}

    static void check(Field container) {
        container.at("env").forEach(EnvironmentCheck::variable);
        container.at("envFrom").forEach(EnvironmentCheck::source);
    }

    private static void variable(Field variable) {
        if (variable.at("name").require("")) {
            name(variable.at("name"));
        }
        Field from = variable.at("valueFrom");
        if (from.isMissing()) {
            return;
        }
        if (from.isEmpty()) {
            from.invalid(
                    "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`");
        } else if (!variable.at("value").isEmpty()) {
            from.invalid("", "may not be specified when `value` is not empty");
        } else if (from.value().size() > 1) {
            from.invalid("", SEVERAL);
        }
        if (from.has("fieldRef")) {
            podField(from.at("fieldRef").at("fieldPath"));
        }
        if (from.has("resourceFieldRef")) {
            ResourceFields.check(from.at("resourceFieldRef"), false);
        }
        from.at("configMapKeyRef").at("key").optionalName(NameRule.CONFIG_KEY);
        from.at("secretKeyRef").at("key").optionalName(NameRule.CONFIG_KEY);
    }

    private static void name(Field name) {
        if (!NAME.matcher(name.text()).matches()) {
            name.invalid(
                    "a valid environment variable name must consist only of printable ASCII characters other than '='");
        }
    }

    /** Whether it is the value of one label or annotation. */
    static boolean isOfKey(String path) {
        return OF_KEY.matcher(path).matches();
    }

    private static void podField(Field field) {
        String path = field.text();
        if (path.isEmpty() || FIELDS.contains(path) || isOfKey(path)) {
            // The schema's check reports one that is missing.
            return;
        }
        if (NAMED.contains(path)) {
            field.notSupported(FIELDS);
        } else {
            field.invalid("error converting fieldPath: field label not supported: " + path);
        }
    }

    private static void source(Field source) {
        if (!source.at("prefix").isEmpty()) {
            name(source.at("prefix"));
        }
        List<Field> kinds = Stream.of("configMapRef", "secretRef")
                .filter(source::has)
                .map(source::at)
                .toList();
        if (kinds.isEmpty()) {
            source.invalid("", "must specify one of: `configMapRef` or `secretRef`");
        } else if (kinds.size() > 1) {
            source.invalid("", SEVERAL);
        }
        kinds.forEach(kind -> kind.at("name").requiredName(NameRule.SUBDOMAIN));
    }
}
