package io.plat.cli.request;

import io.plat.cli.output.JsonDocument;
import io.plat.cli.request.ResourceTypes.AdditionalTypes;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ServerResponse;
import io.plat.review.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Resource types of a server's discovery: all groups in one document if the server has that form, else those of one group in its preferred
 * version.
 */
public final class DiscoveredTypes implements AdditionalTypes {
    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
            + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

    /** Maximum number of groups for which a server without the aggregated form is queried one by one. */
    private static final int MAX_GROUPS = 40;

    private final HttpsConnection server;
    private @Nullable List<ApiResource> known;

    public DiscoveredTypes(HttpsConnection server) {
        this.server = server;
    }

    @Override
    public List<ApiResource> types(@Nullable String group) {
        List<ApiResource> all = known;
        if (all == null) {
            all = read();
            known = all;
        }
        return group == null
                ? all
                : all.stream().filter(type -> type.group().equals(group)).toList();
    }

    private List<ApiResource> read() {
        JsonObject root = document(server.get("/apis", AGGREGATED));
        if (!root.text("kind").equals("APIGroupDiscoveryList")) {
            return oneByOne(root);
        }
        List<ApiResource> types = new ArrayList<>();
        for (JsonObject group : root.objects("items")) {
            String name = group.object("metadata").text("name");
            for (JsonObject version :
                    group.objects("versions").stream().limit(1).toList()) {
                version.objects("resources").forEach(resource -> types.add(aggregated(name, resource)));
            }
        }
        return List.copyOf(types);
    }

    private static ApiResource aggregated(String group, JsonObject resource) {
        return new ApiResource(
                resource.text("resource"),
                group,
                resource.text("scope").equals("Namespaced"),
                resource.object("responseKind").text("kind"),
                resource.text("singularResource"),
                Set.copyOf(resource.texts("shortNames")),
                Set.copyOf(resource.objects("subresources").stream()
                        .map(part -> part.text("subresource"))
                        .toList()));
    }

    private List<ApiResource> oneByOne(JsonObject root) {
        List<ApiResource> types = new ArrayList<>();
        for (JsonObject group :
                root.objects("groups").stream().limit(MAX_GROUPS).toList()) {
            String version = group.object("preferredVersion").text("groupVersion");
            if (!version.isEmpty()) {
                types.addAll(ofGroup(group.text("name"), version));
            }
        }
        return List.copyOf(types);
    }

    private List<ApiResource> ofGroup(String group, String groupVersion) {
        Map<String, JsonObject> types = new LinkedHashMap<>();
        Map<String, Set<String>> subresources = new LinkedHashMap<>();
        for (JsonObject resource : document(server.get("/apis/" + ServerResponse.urlPath(groupVersion)))
                .objects("resources")) {
            String name = resource.text("name");
            int slash = name.indexOf('/');
            if (slash < 0) {
                types.put(name, resource);
            } else {
                subresources
                        .computeIfAbsent(name.substring(0, slash), _ -> new TreeSet<>())
                        .add(name.substring(slash + 1));
            }
        }
        List<ApiResource> read = new ArrayList<>();
        types.forEach((name, resource) -> read.add(new ApiResource(
                name,
                group,
                Boolean.TRUE.equals(resource.flag("namespaced")),
                resource.text("kind"),
                resource.text("singularName").isEmpty()
                        ? resource.text("kind").toLowerCase(Locale.ROOT)
                        : resource.text("singularName"),
                Set.copyOf(resource.texts("shortNames")),
                subresources.getOrDefault(name, Set.of()))));
        return read;
    }

    /** Returns the content of a response; empty for a failure or a body that is not a JSON object. */
    static JsonObject document(ServerResponse answer) {
        try {
            return JsonObject.of(answer.succeeded() ? JsonDocument.read(answer.body()) : null);
        } catch (IOException noJson) {
            return JsonObject.of(null);
        }
    }
}
