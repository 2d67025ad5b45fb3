package io.plat.apiserver.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Aggregated discovery, in which {@code /api} and {@code /apis} contain everything in one document. Clients request it by media type and
 * fall back to the plain form.
 */
public final class AggregatedDiscovery {
    public static final String TYPE = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private final ServedTypes types;
    private final Map<String, CachedJson> kept = new HashMap<>();

    @SuppressWarnings("ArrayRecordComponent")
    private record CachedJson(Object of, byte[] json) {}

    public AggregatedDiscovery(ServedTypes types) {
        this.types = types;
    }

    /** Returns the document of {@code /api} or {@code /apis}; other paths have none. */
    public Optional<ObjectNode> find(String path) {
        return switch (path) {
            case "/api" -> Optional.of(document(List.of("")));
            case "/apis" -> Optional.of(document(types.groups()));
            default -> Optional.empty();
        };
    }

    /** Returns the same as JSON, generated once while the served types are unchanged; shared, not to be modified. */
    public synchronized Optional<byte[]> json(String path) {
        Object now = types.state();
        CachedJson cached = kept.get(path);
        if (cached == null || cached.of() != now) {
            find(path)
                    .ifPresent(created -> kept.put(
                            path, new CachedJson(now, created.toString().getBytes(StandardCharsets.UTF_8))));
        }
        return Optional.ofNullable(kept.get(path)).map(CachedJson::json);
    }

    private ObjectNode document(List<String> groups) {
        ObjectNode document =
                Json.object().put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
        document.putObject("metadata");
        ArrayNode items = document.putArray("items");
        for (String group : groups) {
            ObjectNode item = items.addObject();
            ObjectNode metadata = item.putObject("metadata");
            if (!group.isEmpty()) {
                metadata.put("name", group);
            }
            ArrayNode versions = item.putArray("versions");
            types.versions(group).forEach(version -> version(group, version, versions.addObject()));
        }
        return document;
    }

    private void version(String group, String version, ObjectNode into) {
        into.put("version", version);
        ArrayNode resources = into.putArray("resources");
        types.types(group, version).forEach(type -> resource(type, resources.addObject()));
        into.put("freshness", "Current");
    }

    private static void resource(ResourceType type, ObjectNode into) {
        into.put("resource", type.resource());
        responseKind(type.groupVersionKind(), into);
        into.put("scope", type.namespaced() ? "Namespaced" : "Cluster");
        into.put("singularResource", type.singular());
        DiscoveryDocuments.described(type, into);
        if (!type.subresources().isEmpty()) {
            ArrayNode parts = into.putArray("subresources");
            type.subresources().forEach(part -> subresource(type, part, parts.addObject()));
        }
    }

    private static void subresource(ResourceType type, ResourceType.Subresource part, ObjectNode into) {
        into.put("subresource", part.name());
        responseKind(part.operation().orElse(type.groupVersionKind()), into);
        part.verbs().forEach(into.putArray("verbs")::add);
    }

    private static void responseKind(ResourceType.GroupVersionKind kind, ObjectNode into) {
        into.putObject("responseKind")
                .put("group", kind.group())
                // Clients take an empty one for that of the list, as kube-apiserver leaves it out for the core group.
                .put("version", kind.group().isEmpty() ? "" : kind.version())
                .put("kind", kind.kind());
    }
}
