package io.plat.tests.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random valid role objects, in both API groups and all forms. */
final class RbacPolicies {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String V1 = "rbac.authorization.k8s.io/v1";
    private static final String ALPHA = "rbac.authorization.plat.io/v1alpha1";
    private static final List<String> VERSIONS = List.of(V1, ALPHA);
    private static final List<String> SPACES = List.of("a", "b");
    private static final List<String> ROLE_NAMES = List.of("r0", "r1", "r2", "r3", "r4", "r5", "r6");
    private static final List<String> VERBS =
            List.of("get", "list", "watch", "create", "delete", "use", "frobnicate", "head", "*");
    private static final List<String> RESOURCES =
            List.of("pods", "secrets", "pods/log", "*", "*/scale", "pods/*", "*/log", "nodes", "pods/scale");

    private RbacPolicies() {}

    /** Policies without two objects of one key. */
    static Arbitrary<List<JsonNode>> policies() {
        return Combinators.combine(
                        roles().list().ofMinSize(2).ofMaxSize(14),
                        bindings().list().ofMinSize(1).ofMaxSize(24))
                .as((roles, bindings) -> {
                    Map<String, JsonNode> unique = new LinkedHashMap<>();
                    Stream.concat(roles.stream(), bindings.stream()).forEach(o -> unique.putIfAbsent(key(o), o));
                    return new ArrayList<>(unique.values());
                });
    }

    static String key(JsonNode object) {
        return object.path("kind").asText() + object.path("metadata").path("namespace") + object.at("/metadata/name");
    }

    private static Arbitrary<JsonNode> roles() {
        return Arbitraries.frequencyOf(Tuple.of(3, role()), Tuple.of(4, clusterRole()), Tuple.of(1, aggregating()));
    }

    private static Arbitrary<JsonNode> role() {
        return Combinators.combine(
                        Arbitraries.of(VERSIONS),
                        Arbitraries.of(SPACES),
                        Arbitraries.of(ROLE_NAMES),
                        onResources().list().ofMaxSize(3))
                .as((version, namespace, name, rules) -> {
                    ObjectNode role = object(version, "Role", namespace, name);
                    role.putArray("rules").addAll(rules);
                    return role;
                });
    }

    private static Arbitrary<JsonNode> clusterRole() {
        Arbitrary<JsonNode> rule = Arbitraries.frequencyOf(Tuple.of(2, onResources()), Tuple.of(1, onPaths()));
        return Combinators.combine(
                        Arbitraries.of(VERSIONS),
                        Arbitraries.of(ROLE_NAMES),
                        rule.list().ofMaxSize(3),
                        labels())
                .as((version, name, rules, labels) -> {
                    ObjectNode role = object(version, "ClusterRole", "", name);
                    role.putArray("rules").addAll(rules);
                    ((ObjectNode) role.get("metadata")).set("labels", labels);
                    return role;
                });
    }

    private static Arbitrary<JsonNode> aggregating() {
        return Combinators.combine(clusterRole(), selector().list().ofMinSize(1).ofMaxSize(2))
                .as((role, selectors) -> {
                    ObjectNode aggregating = role.deepCopy();
                    aggregating
                            .putObject("aggregationRule")
                            .putArray("clusterRoleSelectors")
                            .addAll(selectors);
                    return aggregating;
                });
    }

    private static Arbitrary<ObjectNode> labels() {
        return Combinators.combine(Arbitraries.of("", "1", "2"), Arbitraries.of("", "1"))
                .as((to, tier) -> {
                    ObjectNode labels = JSON.createObjectNode();
                    put(labels, "to", to);
                    put(labels, "tier", tier);
                    return labels;
                });
    }

    private static Arbitrary<JsonNode> selector() {
        return Combinators.combine(labels(), Arbitraries.of("", "In", "NotIn", "Exists", "DoesNotExist"))
                .as((labels, operator) -> {
                    ObjectNode selector = JSON.createObjectNode();
                    selector.set("matchLabels", labels);
                    if (!operator.isEmpty()) {
                        ObjectNode expression =
                                selector.putArray("matchExpressions").addObject();
                        expression.put("key", "to").put("operator", operator);
                        if (operator.endsWith("In")) {
                            expression.putArray("values").add("1");
                        }
                    }
                    return selector;
                });
    }

    private static Arbitrary<JsonNode> onResources() {
        return Combinators.combine(some(VERBS, 3), some(Universe.API_GROUPS, 2), some(RESOURCES, 3), maybeNames())
                .as((verbs, groups, resources, names) -> {
                    ObjectNode rule = JSON.createObjectNode();
                    array(rule, "verbs", verbs);
                    array(rule, "apiGroups", groups);
                    array(rule, "resources", resources);
                    if (!names.isEmpty()) {
                        array(rule, "resourceNames", names);
                    }
                    return rule;
                });
    }

    private static Arbitrary<JsonNode> onPaths() {
        List<String> urls =
                Universe.PATHS.stream().filter(path -> !path.isEmpty()).toList();
        return Combinators.combine(some(VERBS, 2), some(urls, 3)).as((verbs, paths) -> {
            ObjectNode rule = JSON.createObjectNode();
            array(rule, "verbs", verbs);
            array(rule, "nonResourceURLs", paths);
            return rule;
        });
    }

    private static Arbitrary<List<String>> maybeNames() {
        return Arbitraries.frequencyOf(Tuple.of(3, Arbitraries.just(List.of())), Tuple.of(2, some(Universe.NAMES, 2)));
    }

    private static Arbitrary<JsonNode> bindings() {
        Arbitrary<String> names = Arbitraries.strings().withChars("bcdef").ofLength(2);
        return Combinators.combine(
                        Arbitraries.of(VERSIONS),
                        Arbitraries.of("", "a", "a", "b"),
                        names,
                        subject().list().ofMaxSize(3),
                        reference())
                .as((version, namespace, name, subjects, reference) -> {
                    boolean cluster = namespace.isEmpty();
                    ObjectNode binding =
                            object(version, cluster ? "ClusterRoleBinding" : "RoleBinding", namespace, name);
                    boolean alpha = version.equals(ALPHA);
                    List<JsonNode> written = subjects.stream()
                            .map(s -> subject(s, cluster, alpha))
                            .toList();
                    binding.putArray("subjects").addAll(written);
                    binding.set("roleRef", reference(reference, cluster, alpha));
                    return binding;
                });
    }

    private static Arbitrary<ObjectNode> subject() {
        Arbitrary<ObjectNode> user =
                named("User", Universe.USERS.stream().filter(u -> !u.isEmpty()).toList());
        // One user is so frequent that many roles apply in one scope, where their permissions are merged.
        return Arbitraries.oneOf(
                named("User", List.of("jane")),
                user,
                named("Group", Universe.GROUPS),
                Combinators.combine(named("ServiceAccount", List.of("x", "y")), Arbitraries.of("", "a", "b"))
                        .as((account, namespace) -> {
                            ObjectNode placed = account.deepCopy();
                            put(placed, "namespace", namespace);
                            return placed;
                        }));
    }

    private static Arbitrary<ObjectNode> named(String kind, List<String> names) {
        return Arbitraries.of(names)
                .map(name -> JSON.createObjectNode().put("kind", kind).put("name", name));
    }

    private static JsonNode subject(ObjectNode subject, boolean cluster, boolean alpha) {
        ObjectNode written = subject.deepCopy();
        boolean account = subject.path("kind").asText().equals("ServiceAccount");
        if (account && cluster && !written.has("namespace")) {
            written.put("namespace", "a");
        }
        if (alpha) {
            written.put("apiVersion", account ? "v1" : ALPHA);
        } else if (!account) {
            written.put("apiGroup", "rbac.authorization.k8s.io");
        }
        return written;
    }

    private static Arbitrary<ObjectNode> reference() {
        return Combinators.combine(
                        Arbitraries.of("Role", "ClusterRole"), Arbitraries.of(ROLE_NAMES), Arbitraries.of("", "a", "b"))
                .as((kind, name, namespace) -> JSON.createObjectNode()
                        .put("kind", kind)
                        .put("name", name)
                        .put("namespace", namespace));
    }

    private static JsonNode reference(ObjectNode reference, boolean cluster, boolean alpha) {
        ObjectNode written = reference.deepCopy();
        if (cluster) {
            written.put("kind", "ClusterRole");
        }
        if (!alpha || written.path("kind").asText().equals("ClusterRole")) {
            written.remove("namespace");
        }
        return alpha ? written.put("apiVersion", ALPHA) : written.put("apiGroup", "rbac.authorization.plat.io");
    }

    private static Arbitrary<List<String>> some(List<String> values, int most) {
        return Arbitraries.of(values).list().ofMinSize(1).ofMaxSize(most);
    }

    private static ObjectNode object(String version, String kind, String namespace, String name) {
        ObjectNode object = JSON.createObjectNode().put("apiVersion", version).put("kind", kind);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        put(metadata, "namespace", namespace);
        return object;
    }

    private static void put(ObjectNode node, String field, String value) {
        if (!value.isEmpty()) {
            node.put(field, value);
        }
    }

    private static void array(ObjectNode node, String field, List<String> values) {
        values.forEach(node.withArray(field)::add);
    }
}
