package io.plat.tests.model;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;

/** Random role objects from few names, rules and users, so that they match often. */
final class RandomRoleWrites {
    static final List<String> USERS = List.of("u0", "u1", "u2", "u3");
    static final List<String> GROUPS = List.of("g0", "g1");
    static final List<String> NAMESPACES = List.of("default", "kube-system");
    static final List<String> KINDS = List.of("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final Random random;

    RandomRoleWrites(Random random) {
        this.random = random;
    }

    String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** Returns the group of a user, derived from its number. */
    static String groupOf(String user) {
        return GROUPS.get(user.charAt(1) % 2);
    }

    String name() {
        return "o" + random.nextInt(3);
    }

    /** Returns a whole object. */
    ObjectNode object(String kind, String namespace, String name) {
        ObjectNode object = JSON.createObjectNode();
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        object.setAll(content(kind));
        if (kind.endsWith("Role")) {
            if (kind.equals("ClusterRole") && random.nextInt(3) == 0) {
                metadata.putObject("labels").put("part", "yes");
            }
        } else {
            boolean role = kind.equals("RoleBinding") && random.nextBoolean();
            object.putObject("roleRef")
                    .put("apiGroup", RBAC)
                    .put("kind", role ? "Role" : "ClusterRole")
                    .put("name", name());
        }
        return object;
    }

    /** Returns a cluster role with some rules, without their brackets. */
    static ObjectNode role(String name, String rules) {
        try {
            return (ObjectNode) JSON.readTree("{\"metadata\":{\"name\":\"" + name + "\"},\"rules\":[" + rules + "]}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a binding of a user to the cluster role with the user's name. */
    static ObjectNode binding(String name, String user) {
        ObjectNode object = JSON.createObjectNode();
        object.putObject("metadata").put("name", name);
        object.putArray("subjects")
                .addObject()
                .put("kind", "User")
                .put("apiGroup", RBAC)
                .put("name", user);
        object.putObject("roleRef")
                .put("apiGroup", RBAC)
                .put("kind", "ClusterRole")
                .put("name", name);
        return object;
    }

    /** Returns the content of a patch: rules or subjects, or labels. */
    ObjectNode content(String kind) {
        ObjectNode content = JSON.createObjectNode();
        if (kind.endsWith("Binding")) {
            content.set("subjects", subjects());
            return content;
        }
        if (kind.equals("ClusterRole") && random.nextInt(8) == 0) {
            content.putObject("aggregationRule")
                    .putArray("clusterRoleSelectors")
                    .addObject()
                    .putObject("matchLabels")
                    .put("part", "yes");
            return content;
        }
        ArrayNode rules = content.putArray("rules");
        for (int i = random.nextInt(3); i > 0; i--) {
            rules.add(rule(kind));
        }
        return content;
    }

    private ArrayNode subjects() {
        ArrayNode subjects = JSON.createArrayNode();
        for (int i = random.nextInt(3); i > 0; i--) {
            boolean group = random.nextInt(4) == 0;
            subjects.addObject()
                    .put("kind", group ? "Group" : "User")
                    .put("apiGroup", RBAC)
                    .put("name", one(group ? GROUPS : USERS));
        }
        return subjects;
    }

    private ObjectNode rule(String kind) {
        ObjectNode rule = JSON.createObjectNode();
        if (kind.equals("ClusterRole") && random.nextInt(5) == 0) {
            some(rule, "verbs", 2, "get", "post", "*");
            some(rule, "nonResourceURLs", 2, "/a", "/a/*", "/a/b", "/*", "*");
            return rule;
        }
        if (random.nextInt(12) == 0) {
            some(rule, "verbs", 1, "escalate", "bind");
            some(rule, "apiGroups", 1, RBAC, "rbac.authorization.plat.io");
            some(rule, "resources", 1, "roles", "clusterroles");
        } else {
            some(rule, "verbs", 2, "get", "get", "list", "list", "get", "*");
            some(rule, "apiGroups", 2, "", "", "apps", "apps", "*");
            some(rule, "resources", 2, "pods", "pods", "secrets", "pods/log", "*/log", "*");
        }
        if (random.nextInt(3) == 0) {
            some(rule, "resourceNames", 2, "o0", "o1", "*");
        }
        return rule;
    }

    private void some(ObjectNode rule, String field, int most, String... from) {
        ArrayNode values = rule.putArray(field);
        for (int i = random.nextInt(most); i >= 0; i--) {
            values.add(from[random.nextInt(from.length)]);
        }
    }
}
