package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.review.ApiGroups;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The types that are served, in the order in which discovery lists them: an existing server's group stands before its alias,
 * because clients take the first that has a resource.
 *
 * <p>Read from {@code resource-catalog.json}. A type of an aliased group is served in both vocabularies from one store.
 */
public final class ResourceCatalog {
    private static final String RBAC = ApiGroups.RBAC;
    private static final String REVIEWS = ApiGroups.AUTHORIZATION;

    /** The stored types served so far: groups and resources; every other row of the catalog waits for its turn. */
    private static final Set<String> STORED = Set.of(
            "namespaces",
            "pods",
            "configmaps",
            "secrets",
            "serviceaccounts",
            "services",
            "events",
            "leases.coordination.k8s.io",
            "roles." + RBAC,
            "clusterroles." + RBAC,
            "rolebindings." + RBAC,
            "clusterrolebindings." + RBAC);

    /** The parts of stored types that are served under paths of their own so far. */
    private static final Set<String> SUBRESOURCES =
            Set.of("namespaces/finalize", "namespaces/status", "serviceaccounts/token");

    private static final Set<String> VIRTUAL = Set.of(
            "subjectaccessreviews." + REVIEWS,
            "selfsubjectaccessreviews." + REVIEWS,
            "localsubjectaccessreviews." + REVIEWS,
            "selfsubjectrulesreviews." + REVIEWS,
            "accessexplanations." + REVIEWS,
            "subjectlistings." + REVIEWS,
            "selfsubjectreviews.authentication.k8s.io",
            "tokenreviews.authentication.k8s.io");

    /** The further versions under which a group of the catalog is served, the preferred ones first. */
    private static final Map<String, List<GroupVersion>> ALIASES = Map.of(
            RBAC, List.of(new GroupVersion(ApiGroups.RBAC_PLAT, "v1alpha1")),
            REVIEWS,
                    List.of(
                            new GroupVersion(REVIEWS, "v1beta1"),
                            new GroupVersion(ApiGroups.AUTHORIZATION_PLAT, "v1beta1")));

    private static final ColumnDescriptions DESCRIPTIONS = ColumnDescriptions.read();

    private record GroupVersion(String group, String version) {}

    private final List<ResourceType> types;
    private final Map<ResourceType.Id, ResourceType> byId;

    private ResourceCatalog(List<ResourceType> types) {
        this.types = List.copyOf(types);
        this.byId = new LinkedHashMap<>();
        types.forEach(type -> byId.put(type.id(), type));
    }

    /** The built-in types. */
    public static ResourceCatalog builtIn() {
        var own = new ArrayList<ResourceType>();
        var aliases = new ArrayList<ResourceType>();
        JsonNode rows = read();
        for (JsonNode row : rows) {
            String group = row.path("group").asText();
            String resource = row.path("name").asText();
            String qualified = group.isEmpty() ? resource : resource + "." + group;
            boolean stored = STORED.contains(qualified);
            if (stored || VIRTUAL.contains(qualified)) {
                String storage = stored ? qualified : "";
                List<ResourceType.Subresource> parts = subresources(rows, row);
                own.add(type(row, new GroupVersion(group, row.path("version").asText()), parts, storage));
                for (GroupVersion alias : ALIASES.getOrDefault(group, List.of())) {
                    aliases.add(type(row, alias, parts, storage));
                }
            }
        }
        own.addAll(aliases);
        return new ResourceCatalog(own);
    }

    private static JsonNode read() {
        try (InputStream in = Objects.requireNonNull(
                ResourceCatalog.class.getResourceAsStream("resource-catalog.json"), "resource-catalog.json")) {
            return new JsonMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own catalog can't be read", e);
        }
    }

    private static List<ResourceType.Subresource> subresources(JsonNode rows, JsonNode of) {
        var parts = new ArrayList<ResourceType.Subresource>();
        String prefix = of.path("name").asText() + "/";
        for (JsonNode row : rows) {
            String name = row.path("name").asText();
            if (name.startsWith(prefix)
                    && SUBRESOURCES.contains(name)
                    && row.path("group").equals(of.path("group"))) {
                parts.add(new ResourceType.Subresource(
                        name.substring(prefix.length()), texts(row.path("verbs")), operation(row)));
            }
        }
        return parts;
    }

    private static Optional<ResourceType.Operation> operation(JsonNode row) {
        return row.has("subjectGroup")
                ? Optional.of(new ResourceType.Operation(
                        row.path("subjectGroup").asText(),
                        row.path("subjectVersion").asText(),
                        row.path("kind").asText()))
                : Optional.empty();
    }

    private static ResourceType type(
            JsonNode row, GroupVersion in, List<ResourceType.Subresource> subresources, String storage) {
        var columns = new ArrayList<Column>();
        for (JsonNode column : row.path("columns")) {
            String name = column.path("name").asText();
            columns.add(new Column(
                    name,
                    column.path("type").asText(),
                    column.path("format").asText(),
                    DESCRIPTIONS.of(row.path("name").asText(), name),
                    column.path("priority").asInt()));
        }
        return new ResourceType(
                new ResourceType.Id(in.group(), in.version(), row.path("name").asText()),
                row.path("kind").asText(),
                row.path("singularName").asText(),
                row.path("namespaced").asBoolean(),
                texts(row.path("verbs")),
                texts(row.path("shortNames")),
                texts(row.path("categories")),
                columns,
                subresources,
                storage);
    }

    private static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    /** Every served type, in the order of discovery. */
    public List<ResourceType> types() {
        return types;
    }

    /** The type that a path names, if it is served. */
    public Optional<ResourceType> find(String group, String version, String resource) {
        return Optional.ofNullable(byId.get(new ResourceType.Id(group, version, resource)));
    }
}
