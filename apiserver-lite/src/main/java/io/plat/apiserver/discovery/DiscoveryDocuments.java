package io.plat.apiserver.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.hash.Hashing;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.TypeForm;
import io.plat.apiserver.type.TypeTraits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Plain discovery documents: one per path.
 *
 * @param serverAddress host and port at which clients reach the server
 */
public record DiscoveryDocuments(ServedTypes types, String serverAddress) {
    private static final int HASH_BYTES = 8;

    /** Returns the document of a path, {@code /api} or {@code /apis} or below, without a trailing slash. */
    public Optional<ObjectNode> find(String path) {
        String[] segments = path.substring(1).split("/", -1);
        return switch (segments[0]) {
            case "api" ->
                switch (segments.length) {
                    case 1 -> Optional.of(coreVersions());
                    case 2 -> resources("", segments[1]);
                    default -> Optional.empty();
                };
            case "apis" ->
                switch (segments.length) {
                    case 1 -> Optional.of(groups());
                    case 2 -> group(segments[1]);
                    case 3 -> segments[1].isEmpty() ? Optional.empty() : resources(segments[1], segments[2]);
                    default -> Optional.empty();
                };
            default -> Optional.empty();
        };
    }

    public List<String> paths() {
        List<String> paths = new ArrayList<>(List.of("/api", "/apis"));
        types.versions("").forEach(version -> paths.add("/api/" + version));
        for (String group : types.groups()) {
            paths.add("/apis/" + group);
            types.versions(group).forEach(version -> paths.add("/apis/" + group + "/" + version));
        }
        return paths;
    }

    private ObjectNode coreVersions() {
        ObjectNode document = Json.object().put("kind", "APIVersions");
        ArrayNode versions = document.putArray("versions");
        types.versions("").forEach(versions::add);
        document.putArray("serverAddressByClientCIDRs")
                .addObject()
                .put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", serverAddress);
        return document;
    }

    private ObjectNode groups() {
        ObjectNode document = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = document.putArray("groups");
        types.groups().forEach(group -> describe(group, groups.addObject()));
        return document;
    }

    private Optional<ObjectNode> group(String group) {
        if (!types.groups().contains(group)) {
            return Optional.empty();
        }
        ObjectNode document = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
        describe(group, document);
        return Optional.of(document);
    }

    private void describe(String group, ObjectNode into) {
        into.put("name", group);
        ArrayNode versions = into.putArray("versions");
        for (String version : types.versions(group)) {
            versions.add(version(group, version));
        }
        into.set("preferredVersion", version(group, types.versions(group).getFirst()));
    }

    private static ObjectNode version(String group, String version) {
        return Json.object().put("groupVersion", group + "/" + version).put("version", version);
    }

    private Optional<ObjectNode> resources(String group, String version) {
        List<ResourceType> served = types.types(group, version);
        if (served.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode document = Json.object().put("kind", "APIResourceList");
        if (!group.isEmpty()) {
            document.put("apiVersion", "v1");
        }
        document.put("groupVersion", served.getFirst().apiVersion());
        ArrayNode resources = document.putArray("resources");
        for (ResourceType type : served) {
            resource(type, resources.addObject());
            type.subresources().forEach(part -> subresource(type, part, resources.addObject()));
        }
        return Optional.of(document);
    }

    private static void resource(ResourceType type, ObjectNode into) {
        into.put("name", type.resource());
        into.put("singularName", type.singular());
        into.put("namespaced", type.namespaced());
        into.put("kind", type.kind());
        described(type, into);
        if (!type.storage().isEmpty() && type.verbs().contains("create")) {
            into.put("storageVersionHash", storageVersionHash(type));
        }
    }

    /** Returns a value that changes with the version in which objects are stored, computed as by kube-apiserver. */
    private static String storageVersionHash(ResourceType type) {
        TypeForm form = type.form();
        String stored = form != null && form.normalizes()
                ? form.storedIn()
                : TypeTraits.of(type.storage()).storedIn();
        String version = stored.isEmpty() ? type.apiVersion() : stored;
        String text = (version.contains("/") ? "" : "/") + version + "/" + type.kind();
        byte[] hash = Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asBytes();
        return Base64.getEncoder().encodeToString(Arrays.copyOf(hash, HASH_BYTES));
    }

    static void described(ResourceType type, ObjectNode into) {
        type.verbs().forEach(into.putArray("verbs")::add);
        Json.putTexts(into, "shortNames", type.shortNames());
        Json.putTexts(into, "categories", type.categories());
    }

    private static void subresource(ResourceType type, ResourceType.Subresource part, ObjectNode into) {
        into.put("name", type.resource() + "/" + part.name());
        into.put("singularName", "");
        into.put("namespaced", type.namespaced());
        part.operation()
                .filter(operation -> !operation.group().equals(type.group())
                        || !operation.version().equals(type.version()))
                .ifPresent(operation -> {
                    into.put("group", operation.group());
                    into.put("version", operation.version());
                });
        into.put(
                "kind",
                part.operation().map(ResourceType.GroupVersionKind::kind).orElse(type.kind()));
        part.verbs().forEach(into.putArray("verbs")::add);
    }
}
