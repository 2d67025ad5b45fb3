package io.plat.tests.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Model of RBAC: a request is allowed if an applicable binding names the user, and a rule of its role covers the request (specification,
 * "RBAC mode").
 */
final class RbacModel {
    private final List<JsonNode> objects;
    private final String superUser;

    /**
     * Creates the model.
     *
     * @param objects role objects as in manifests
     * @param superUser the super user, {@code ""} for none
     */
    RbacModel(List<JsonNode> objects, String superUser) {
        this.objects = List.copyOf(objects);
        this.superUser = superUser;
    }

    boolean allows(Attributes request) {
        UserInfo user = request.user();
        return user.groups().contains("system:masters")
                || (!superUser.isEmpty() && superUser.equals(user.name()))
                || objects.stream().anyMatch(object -> grants(object, request));
    }

    /** Returns whether an object is a binding that grants the request. */
    boolean grants(JsonNode binding, Attributes request) {
        String namespace = binding.at("/metadata/namespace").asText("");
        boolean counts = switch (kind(binding)) {
            case "ClusterRoleBinding" -> true;
            case "RoleBinding" ->
                request.access() instanceof ResourceAttributes resource
                        && resource.namespace().equals(namespace);
            default -> false;
        };
        if (!counts || !names(binding, namespace, request.user())) {
            return false;
        }
        return role(binding, namespace).stream()
                .flatMap(role -> rules(role).stream())
                .anyMatch(rule -> covers(rule, request));
    }

    /**
     * A rule granted by a binding, and the attributes of a request that they do not match.
     *
     * @param binding the binding's key
     * @param rule the rule
     */
    record Given(String binding, JsonNode rule, Set<String> lacks) {}

    /** Returns all granted rules for the kind of the request. */
    List<Given> given(Attributes request) {
        List<Given> given = new ArrayList<>();
        for (JsonNode binding : objects) {
            if (kind(binding).endsWith("Binding")) {
                String namespace = binding.at("/metadata/namespace").asText("");
                role(binding, namespace).stream()
                        .flatMap(role -> rules(role).stream())
                        .filter(rule -> rule.has(
                                request.access() instanceof ResourceAttributes ? "resources" : "nonResourceURLs"))
                        .map(rule -> new Given(key(binding), rule, lacks(binding, namespace, rule, request)))
                        .forEach(given::add);
            }
        }
        return given;
    }

    private static String key(JsonNode object) {
        String namespace = object.at("/metadata/namespace").asText("");
        return kind(object) + "/" + (namespace.isEmpty() ? "" : namespace + "/")
                + object.at("/metadata/name").asText();
    }

    private static Set<String> lacks(JsonNode binding, String namespace, JsonNode rule, Attributes request) {
        Set<String> lacks = new TreeSet<>();
        String verb = request.access().verb();
        note(lacks, "user", names(binding, namespace, request.user()));
        note(lacks, "verb", has(rule, "verbs", verb) || has(rule, "verbs", "*"));
        switch (request.access()) {
            case ResourceAttributes requested -> {
                note(lacks, "namespace", namespace.isEmpty() || namespace.equals(requested.namespace()));
                note(lacks, "apiGroup", coversGroup(rule, requested));
                note(lacks, "name", coversName(rule, requested));
                if (!coversResource(rule, requested)) {
                    lacks.add(namesResource(rule, requested) ? "subresource" : "resource");
                }
            }
            case NonResourceAttributes requested -> {
                note(lacks, "namespace", namespace.isEmpty());
                note(lacks, "path", covers(rule, requested));
            }
        }
        return lacks;
    }

    private static void note(Set<String> lacks, String attribute, boolean matches) {
        if (!matches) {
            lacks.add(attribute);
        }
    }

    private static boolean namesResource(JsonNode rule, ResourceAttributes requested) {
        for (JsonNode written : rule.path("resources")) {
            String resource = written.asText().split("/", 2)[0];
            if (resource.equals("*") || resource.equals(requested.resource())) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the rules of a cluster role without labels would be aggregated. */
    boolean isAggregated(JsonNode clusterRole) {
        return objects.stream().anyMatch(object -> kind(object).equals("ClusterRole") && picks(object, clusterRole));
    }

    private static String kind(JsonNode object) {
        return object.path("kind").asText();
    }

    private static boolean names(JsonNode binding, String namespace, UserInfo user) {
        boolean alpha = binding.path("apiVersion").asText().endsWith("v1alpha1");
        for (JsonNode subject : binding.path("subjects")) {
            String name = subject.path("name").asText();
            boolean named = switch (kind(subject)) {
                case "User" ->
                    (alpha && name.equals("*"))
                            ? user.groups().contains("system:authenticated")
                            : user.name().equals(name);
                case "Group" -> user.groups().contains(name);
                case "ServiceAccount" -> {
                    String own = subject.path("namespace").asText("");
                    yield user.name().equals("system:serviceaccount:" + (own.isEmpty() ? namespace : own) + ":" + name);
                }
                default -> false;
            };
            if (named) {
                return true;
            }
        }
        return false;
    }

    private Optional<JsonNode> role(JsonNode binding, String namespace) {
        JsonNode reference = binding.path("roleRef");
        String name = reference.path("name").asText();
        String named = reference.path("namespace").asText("");
        boolean ofNamespace = kind(reference).equals("Role");
        if (ofNamespace && !named.isEmpty() && !named.equals(namespace)) {
            return Optional.empty();
        }
        return objects.stream()
                .filter(object -> kind(object).equals(kind(reference)))
                .filter(object -> object.at("/metadata/name").asText().equals(name))
                .filter(object -> !ofNamespace
                        || object.at("/metadata/namespace").asText().equals(namespace))
                .findFirst();
    }

    private List<JsonNode> rules(JsonNode role) {
        List<JsonNode> rules = new ArrayList<>();
        if (role.path("aggregationRule").isMissingNode()) {
            role.path("rules").forEach(rules::add);
            return rules;
        }
        Set<JsonNode> picked = new HashSet<>();
        pick(role, picked);
        for (JsonNode one : picked) {
            if (one.path("aggregationRule").isMissingNode()) {
                // A role's duplicate rules are aggregated once; equal rules of two roles are reported for each, as they
                // have two locations.
                Set<JsonNode> gathered = new LinkedHashSet<>();
                one.path("rules").forEach(gathered::add);
                rules.addAll(gathered);
            }
        }
        return rules;
    }

    private void pick(JsonNode aggregating, Set<JsonNode> picked) {
        for (JsonNode object : objects) {
            if (kind(object).equals("ClusterRole") && picks(aggregating, object) && picked.add(object)) {
                pick(object, picked);
            }
        }
    }

    private static boolean picks(JsonNode aggregating, JsonNode other) {
        for (JsonNode selector : aggregating.at("/aggregationRule/clusterRoleSelectors")) {
            if (Labels.match(selector, other.at("/metadata/labels"))) {
                return true;
            }
        }
        return false;
    }

    private static boolean covers(JsonNode rule, Attributes request) {
        if (!has(rule, "verbs", request.access().verb()) && !has(rule, "verbs", "*")) {
            return false;
        }
        return switch (request.access()) {
            case ResourceAttributes resource -> covers(rule, resource);
            case NonResourceAttributes path -> covers(rule, path);
        };
    }

    private static boolean covers(JsonNode rule, ResourceAttributes requested) {
        return coversGroup(rule, requested) && coversResource(rule, requested) && coversName(rule, requested);
    }

    private static boolean coversGroup(JsonNode rule, ResourceAttributes requested) {
        boolean group = false;
        for (JsonNode written : rule.path("apiGroups")) {
            group |= written.asText().equals("*") || Aliases.sameGroup(written.asText(), requested.group());
        }
        return group;
    }

    private static boolean coversResource(JsonNode rule, ResourceAttributes requested) {
        String full = requested.subresource().isEmpty()
                ? requested.resource()
                : requested.resource() + "/" + requested.subresource();
        return has(rule, "resources", "*")
                || has(rule, "resources", full)
                || (!requested.subresource().isEmpty() && has(rule, "resources", "*/" + requested.subresource()));
    }

    private static boolean coversName(JsonNode rule, ResourceAttributes requested) {
        return rule.path("resourceNames").isEmpty()
                || (!requested.name().isEmpty() && has(rule, "resourceNames", requested.name()));
    }

    private static boolean covers(JsonNode rule, NonResourceAttributes requested) {
        for (JsonNode written : rule.path("nonResourceURLs")) {
            String url = written.asText();
            boolean covered = url.endsWith("*")
                    ? requested.path().startsWith(url.substring(0, url.length() - 1))
                    : url.equals(requested.path());
            if (covered) {
                return true;
            }
        }
        return false;
    }

    private static boolean has(JsonNode rule, String field, String value) {
        for (JsonNode written : rule.path(field)) {
            if (written.asText().equals(value)) {
                return true;
            }
        }
        return false;
    }
}
