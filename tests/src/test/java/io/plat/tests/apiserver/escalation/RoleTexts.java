package io.plat.tests.apiserver.escalation;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Role objects in one of the two API groups, from the short notation of cases. */
final class RoleTexts {
    static final ObjectMapper JSON = new ObjectMapper();

    private static final Map<String, String> KINDS = Map.of(
            "role", "Role",
            "clusterrole", "ClusterRole",
            "rolebinding", "RoleBinding",
            "clusterrolebinding", "ClusterRoleBinding");

    private final String group;
    private final String version;

    private RoleTexts(String group, String version) {
        this.group = group;
        this.version = version;
    }

    /** The API groups of Kubernetes. */
    static RoleTexts ofKubernetes() {
        return new RoleTexts("rbac.authorization.k8s.io", "v1");
    }

    /** The API groups of the specification. */
    static RoleTexts ofTheSpecification() {
        return new RoleTexts("rbac.authorization.plat.io", "v1alpha1");
    }

    String group() {
        return group;
    }

    /** Returns the path of a collection. */
    String path(String kind, String namespace) {
        String resource = kind + "s";
        return "/apis/" + group + "/" + version + "/"
                + (kind.startsWith("cluster") ? resource : "namespaces/" + namespace + "/" + resource);
    }

    ObjectNode object(String kind, String name) {
        ObjectNode object = JSON.createObjectNode();
        object.put("apiVersion", group + "/" + version).put("kind", KINDS.get(kind));
        object.putObject("metadata").put("name", name).putObject("labels").put("pick", name);
        return object;
    }

    /** Returns rules from their short notation: verbs, groups and resources, then names; or verbs, {@code url} and paths. */
    ArrayNode rules(List<String> texts) {
        ArrayNode rules = JSON.createArrayNode();
        for (String text : texts) {
            String[] arguments = text.split(" ", -1);
            ObjectNode rule = rules.addObject();
            put(rule, "verbs", arguments[0]);
            if (arguments[1].equals("url")) {
                put(rule, "nonResourceURLs", arguments[2]);
            } else {
                put(rule, "apiGroups", arguments[1]);
                put(rule, "resources", arguments[2]);
                if (arguments.length > 3) {
                    put(rule, "resourceNames", arguments[3]);
                }
            }
        }
        return rules;
    }

    private static void put(ObjectNode rule, String field, String values) {
        ArrayNode list = rule.putArray(field);
        for (String value : values.split(",", -1)) {
            list.add(value.equals("core") ? "" : value);
        }
    }

    /** Returns a selector for one label. */
    static ObjectNode aggregation(String label) {
        ObjectNode rule = JSON.createObjectNode();
        rule.putArray("clusterRoleSelectors")
                .addObject()
                .putObject("matchLabels")
                .put(label, "true");
        return rule;
    }

    /** Returns a user or a group as subjects. */
    ArrayNode subjects(String kind, String name) {
        ArrayNode subjects = JSON.createArrayNode();
        ObjectNode subject = subjects.addObject().put("kind", kind).put("name", name);
        if (version.equals("v1")) {
            subject.put("apiGroup", group);
        } else {
            subject.put("apiVersion", group + "/" + version);
        }
        return subjects;
    }

    /** Returns a roleRef, in the earlier form of the specification for a role of the namespace. */
    ObjectNode roleRef(String kind, String name, String namespace) {
        ObjectNode reference =
                JSON.createObjectNode().put("kind", KINDS.get(kind)).put("name", name);
        if (version.equals("v1") || kind.equals("clusterrole")) {
            return reference.put("apiGroup", group);
        }
        return reference.put("apiVersion", group + "/" + version).put("namespace", namespace);
    }
}
