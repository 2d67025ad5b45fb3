package io.plat.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.operations.AdmissionRequest;
import io.plat.apiserver.operations.AdmissionRequest.Operation;
import io.plat.apiserver.selector.LabelSelector;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.ApiGroups;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Requests to which a policy or binding applies: its {@code matchConstraints} or {@code matchResources}. Immutable. */
final class ResourceMatch {
    private static final String NAMESPACES = "namespaces";

    private final List<Rule> included;
    private final List<Rule> excluded;
    private final boolean exact;
    private final LabelSelector namespaces;
    private final LabelSelector objects;

    /**
     * Reads the constraints.
     *
     * @throws StatusException InternalError that names the object if a selector is malformed, which only another program can have stored
     */
    ResourceMatch(JsonNode match, String of) throws StatusException {
        this.included = rules(match.path("resourceRules"));
        this.excluded = rules(match.path("excludeResourceRules"));
        this.exact = match.path("matchPolicy").asText("Equivalent").equals("Exact");
        try {
            this.namespaces = LabelSelector.of(match.path("namespaceSelector"));
            this.objects = LabelSelector.of(match.path("objectSelector"));
        } catch (StatusException unreadable) {
            throw new StatusException(
                    StatusReason.INTERNAL_ERROR,
                    of + " has a selector that cannot be read: "
                            + unreadable.status().message());
        }
    }

    private static List<Rule> rules(JsonNode list) {
        return list.valueStream()
                .map(rule -> new Rule(
                        texts(rule, "operations"),
                        texts(rule, "apiGroups"),
                        texts(rule, "apiVersions"),
                        texts(rule, "resources"),
                        texts(rule, "resourceNames"),
                        rule.path("scope").asText("*")))
                .toList();
    }

    private static Set<String> texts(JsonNode rule, String field) {
        return new HashSet<>(Json.texts(rule.path(field)));
    }

    private record Rule(
            Set<String> operations,
            Set<String> groups,
            Set<String> versions,
            Set<String> resources,
            Set<String> names,
            String scope) {
        boolean matches(AdmissionRequest request, ResourceType as) {
            return any(operations, request.operation().name())
                    && any(groups, as.group())
                    && any(versions, as.version())
                    && resource(as.resource(), request.subresource())
                    && (names.isEmpty() || names.contains(request.name()))
                    && scope(request);
        }

        private static boolean any(Set<String> desired, String value) {
            return desired.contains(value) || desired.contains("*");
        }

        private boolean resource(String resource, String part) {
            String suffix = part.isEmpty() ? "" : "/" + part;
            return resources.contains(resource + suffix)
                    || resources.contains("*" + suffix)
                    || resources.contains(resource + "/*")
                    || resources.contains("*/*");
        }

        private boolean scope(AdmissionRequest request) {
            boolean cluster = request.namespace().isEmpty()
                    || request.resource().storage().equals(NAMESPACES);
            return switch (scope) {
                case "Cluster" -> cluster;
                case "Namespaced" -> !cluster;
                default -> true;
            };
        }
    }

    /** Labels of the request's namespace, read when a selector needs them. */
    interface NamespaceLabels {
        Map<String, String> get() throws StatusException;
    }

    /**
     * Returns the version of the resource through which a request matches.
     *
     * @param versions the versions of the resource, the one of the request first
     */
    Optional<ResourceType> match(AdmissionRequest request, List<ResourceType> versions, NamespaceLabels labels)
            throws StatusException {
        if (first(excluded, request, versions).isPresent()) {
            return Optional.empty();
        }
        Optional<ResourceType> matched =
                included.isEmpty() ? Optional.of(versions.getFirst()) : first(included, request, versions);
        boolean selected = matched.isPresent()
                && selectsNamespace(request, labels)
                && (objects.all() || selects(request.object()) || selects(request.oldObject()));
        return selected ? matched : Optional.empty();
    }

    private Optional<ResourceType> first(List<Rule> rules, AdmissionRequest request, List<ResourceType> versions) {
        return versions.stream()
                .filter(version -> !exact || isAlias(version, versions.getFirst()))
                .filter(version -> rules.stream().anyMatch(rule -> rule.matches(request, version)))
                .findFirst();
    }

    /** Returns whether two versions belong to the same group under its two names, so that no policy can be evaded by the other name. */
    private static boolean isAlias(ResourceType version, ResourceType requested) {
        return version.id().equals(requested.id())
                || (!version.group().equals(requested.group())
                        && ApiGroups.canonical(version.group()).equals(ApiGroups.canonical(requested.group())));
    }

    private boolean selectsNamespace(AdmissionRequest request, NamespaceLabels stored) throws StatusException {
        if (namespaces.all()) {
            return true;
        }
        boolean written = request.resource().storage().equals(NAMESPACES)
                && request.subresource().isEmpty()
                && request.operation() != Operation.DELETE;
        if (written) {
            return namespaces.matches(labels(request.object()));
        }
        boolean cluster =
                request.namespace().isEmpty() && !request.resource().storage().equals(NAMESPACES);
        return cluster || namespaces.matches(stored.get());
    }

    private boolean selects(@Nullable JsonNode object) {
        return object != null && object.path("metadata").isObject() && objects.matches(labels(object));
    }

    static Map<String, String> labels(@Nullable JsonNode object) {
        return object == null
                ? Map.of()
                : Json.textsByName(object.path("metadata").path("labels"));
    }
}
