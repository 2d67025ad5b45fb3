package io.plat.apiserver.type;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.tree.ProgramData;
import io.plat.review.ApiGroups;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Catalog of built-in types, in the order of discovery: a Kubernetes group precedes its alias, because clients use the first group with a
 * resource.
 *
 * <p>Read from {@code resource-catalog.json}. A type of an aliased group is served under both names from one store.
 */
public final class ResourceCatalog {
    public static final String DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";

    public static final String NAMESPACES = "namespaces";

    public static final String CERTIFICATE_REQUESTS = "certificatesigningrequests.certificates.k8s.io";

    private static final String RBAC = ApiGroups.RBAC;
    private static final String REVIEWS = ApiGroups.AUTHORIZATION;

    /** Virtual types, whose objects are not stored. */
    private static final Set<String> VIRTUAL = Set.of(
            "bindings",
            "subjectaccessreviews." + REVIEWS,
            "selfsubjectaccessreviews." + REVIEWS,
            "localsubjectaccessreviews." + REVIEWS,
            "selfsubjectrulesreviews." + REVIEWS,
            "accessexplanations." + REVIEWS,
            "accessmatrices." + REVIEWS,
            "accesschanges." + REVIEWS,
            "policytexts." + REVIEWS,
            "subjectlistings." + REVIEWS,
            "selfsubjectreviews.authentication.k8s.io",
            "tokenreviews.authentication.k8s.io");

    /** Additional versions of groups of the catalog, preferred ones first. */
    private static final Map<String, List<GroupVersion>> ALIASES = Map.of(
            RBAC, List.of(new GroupVersion(ApiGroups.RBAC_PLAT, "v1alpha1")),
            REVIEWS,
                    List.of(
                            new GroupVersion(REVIEWS, "v1beta1"),
                            new GroupVersion(ApiGroups.AUTHORIZATION_PLAT, "v1beta1")));

    /** Types that are versions of a type stored under another name. */
    private static final Map<String, String> STORED_AS = Map.of("events.events.k8s.io", "events");

    /** Descriptions of table columns, by resource and name or by name only. */
    private static final JsonNode DESCRIPTIONS = ProgramData.json(ResourceCatalog.class, "column-descriptions.json");

    private record GroupVersion(String group, String version) {
        String apiVersion() {
            return group.isEmpty() ? version : group + "/" + version;
        }
    }

    private final List<ResourceType> types;
    private final Map<ResourceType.Id, ResourceType> byId;

    private ResourceCatalog(List<ResourceType> types) {
        this.types = List.copyOf(types);
        this.byId = new LinkedHashMap<>();
        types.forEach(type -> byId.put(type.id(), type));
    }

    public static ResourceCatalog builtIn() {
        Rules.load();
        var own = new ArrayList<ResourceType>();
        var aliases = new ArrayList<ResourceType>();
        JsonNode rows = ProgramData.json(ResourceCatalog.class, "resource-catalog.json");
        Map<String, StorageIdentity> identities = identities(rows);
        for (JsonNode row : rows) {
            if (isType(row)) {
                StorageIdentity identity = identities.getOrDefault(storage(row), StorageIdentity.NONE);
                List<ResourceType.Subresource> parts = subresources(rows, row);
                List<GroupVersion> names = names(row);
                own.add(type(row, names.getFirst(), parts, identity));
                names.subList(1, names.size()).forEach(alias -> aliases.add(type(row, alias, parts, identity)));
            }
        }
        own.addAll(aliases);
        return new ResourceCatalog(own).withForm(DEFINITIONS, new TypeForm() {});
    }

    private static boolean isType(JsonNode row) {
        return !row.path("name").asText().contains("/");
    }

    private static String storage(JsonNode row) {
        String group = row.path("group").asText();
        String resource = row.path("name").asText();
        String qualified = group.isEmpty() ? resource : resource + "." + group;
        return VIRTUAL.contains(qualified) ? "" : STORED_AS.getOrDefault(qualified, qualified);
    }

    /** Returns the group versions of a row, its own first. */
    private static List<GroupVersion> names(JsonNode row) {
        String group = row.path("group").asText();
        var names = new ArrayList<GroupVersion>();
        names.add(new GroupVersion(group, row.path("version").asText()));
        names.addAll(ALIASES.getOrDefault(group, List.of()));
        return names;
    }

    private static Map<String, StorageIdentity> identities(JsonNode rows) {
        Map<String, Set<String>> versions = new HashMap<>();
        Map<String, String> kinds = new HashMap<>();
        for (JsonNode row : rows) {
            if (isType(row) && !storage(row).isEmpty()) {
                Set<String> known = versions.computeIfAbsent(storage(row), any -> new HashSet<>());
                names(row).forEach(name -> known.add(name.apiVersion()));
                String kind = row.path("kind").asText();
                if (!kinds.computeIfAbsent(storage(row), any -> kind).equals(kind)) {
                    throw new IllegalStateException("two types are stored as " + storage(row));
                }
            }
        }
        Map<String, StorageIdentity> identities = new HashMap<>();
        versions.forEach((resource, known) ->
                identities.put(resource, new StorageIdentity(resource, known, kinds.getOrDefault(resource, ""))));
        return identities;
    }

    public ResourceCatalog withForm(String storage, TypeForm form) {
        return new ResourceCatalog(types.stream()
                .map(type -> type.storage().equals(storage) ? type.formed(form) : type)
                .toList());
    }

    private static List<ResourceType.Subresource> subresources(JsonNode rows, JsonNode of) {
        var parts = new ArrayList<ResourceType.Subresource>();
        String prefix = of.path("name").asText() + "/";
        for (JsonNode row : rows) {
            String name = row.path("name").asText();
            if (name.startsWith(prefix)
                    && row.path("group").equals(of.path("group"))
                    && row.path("version").equals(of.path("version"))) {
                parts.add(new ResourceType.Subresource(
                        name.substring(prefix.length()), Json.texts(row.path("verbs")), operation(row, of)));
            }
        }
        return parts;
    }

    /** Returns the type of the objects of a subresource, if it differs from the type itself. */
    private static Optional<ResourceType.GroupVersionKind> operation(JsonNode row, JsonNode of) {
        if (row.path("kind").equals(of.path("kind"))) {
            return Optional.empty();
        }
        return Optional.of(new ResourceType.GroupVersionKind(
                row.has("subjectVersion")
                        ? row.path("subjectGroup").asText()
                        : of.path("group").asText(),
                (row.has("subjectVersion") ? row.path("subjectVersion") : of.path("version")).asText(),
                row.path("kind").asText()));
    }

    private static ResourceType type(
            JsonNode row, GroupVersion in, List<ResourceType.Subresource> subresources, StorageIdentity identity) {
        var columns = new ArrayList<Column>();
        for (JsonNode column : row.path("columns")) {
            String name = column.path("name").asText();
            columns.add(new Column(
                    name,
                    column.path("type").asText(),
                    column.path("format").asText(),
                    DESCRIPTIONS
                            .path(row.path("name").asText() + "/" + name)
                            .asText(DESCRIPTIONS.path(name).asText("")),
                    column.path("priority").asInt()));
        }
        return new ResourceType(
                new ResourceType.Id(in.group(), in.version(), row.path("name").asText()),
                row.path("kind").asText(),
                row.path("singularName").asText(),
                row.path("namespaced").asBoolean(),
                Json.texts(row.path("verbs")),
                Json.texts(row.path("shortNames")),
                Json.texts(row.path("categories")),
                columns,
                subresources,
                identity,
                schema(in, row.path("kind").asText()),
                null);
    }

    /** Returns the schema of a kind. The specification's role objects and earlier reviews have the schema of Kubernetes' version. */
    private static TypeSchema schema(GroupVersion in, String kind) {
        Schemas schemas = Schemas.builtIn();
        return schemas.find(in.group(), in.version(), kind)
                .or(() -> schemas.find(ApiGroups.canonical(in.group()), "v1", kind))
                .orElse(TypeSchema.UNKNOWN);
    }

    public List<ResourceType> types() {
        return types;
    }

    /** Returns the type that a path names, if it is served. */
    public Optional<ResourceType> find(String group, String version, String resource) {
        return Optional.ofNullable(byId.get(new ResourceType.Id(group, version, resource)));
    }
}
