package io.plat.tests.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random valid policy files, in every form. */
final class AbacPolicies {
    private static final ObjectMapper JSON = new ObjectMapper();

    private AbacPolicies() {}

    /** Policies of both forms. */
    static Arbitrary<List<JsonNode>> policies() {
        return Arbitraries.frequencyOf(Tuple.of(4, versioned()), Tuple.of(1, earlier()))
                .list()
                .ofMinSize(1)
                .ofMaxSize(12);
    }

    private static Arbitrary<JsonNode> versioned() {
        Arbitrary<ObjectNode> subject = Combinators.combine(
                        maybe(Universe.USERS), maybe(Universe.GROUPS), Arbitraries.of("", "", "true", "false"))
                .as((user, group, readonly) -> {
                    ObjectNode spec = JSON.createObjectNode();
                    put(spec, "user", user);
                    put(spec, "group", group);
                    if (!readonly.isEmpty()) {
                        spec.put("readonly", readonly.equals("true"));
                    }
                    return spec;
                });
        return Combinators.combine(
                        subject,
                        maybe(Universe.API_GROUPS),
                        maybe(Universe.NAMESPACES),
                        maybe(List.of("pods", "secrets", "*", "pods/log", "")),
                        maybe(Universe.PATHS),
                        Arbitraries.of(
                                "abac.authorization.platform.io/v1beta1", "abac.authorization.kubernetes.io/v1beta1"))
                .as((named, apiGroup, namespace, resource, path, version) -> {
                    ObjectNode spec = named.deepCopy();
                    put(spec, "apiGroup", apiGroup);
                    put(spec, "namespace", namespace);
                    put(spec, "resource", resource);
                    put(spec, "nonResourcePath", path);
                    ObjectNode line = JSON.createObjectNode();
                    line.put("apiVersion", version).put("kind", "Policy").set("spec", spec);
                    return line;
                });
    }

    private static Arbitrary<JsonNode> earlier() {
        return Combinators.combine(
                        maybe(Universe.USERS),
                        maybe(Universe.GROUPS),
                        maybe(Universe.NAMESPACES),
                        maybe(List.of("pods", "secrets", "*", "pods/log")),
                        Arbitraries.of(true, false))
                .as((user, group, namespace, resource, readonly) -> {
                    ObjectNode line = JSON.createObjectNode().put("readonly", readonly);
                    put(line, "user", user);
                    put(line, "group", group);
                    put(line, "namespace", namespace);
                    put(line, "resource", resource);
                    return line;
                });
    }

    /** Returns a value of the universe, or a marker to omit the field. */
    private static Arbitrary<String> maybe(List<String> values) {
        return Arbitraries.of(values).optional(0.7).map(value -> value.orElse("<unset>"));
    }

    private static void put(ObjectNode node, String field, String value) {
        if (!value.equals("<unset>")) {
            node.put(field, value);
        }
    }
}
