package io.plat.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.expression.TypeChecker;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Looks up types by kind, and the versions of a type. */
record ServedVersions(ResourceCatalog catalog, DynamicTypes dynamicTypes) {
    /** Maximum number of types against which the expressions of a policy are checked. */
    private static final int MAX_TYPES = 10;

    Stream<ResourceType> of(String group, String version) {
        return Stream.concat(
                catalog.types().stream()
                        .filter(type ->
                                type.group().equals(group) && type.version().equals(version)),
                dynamicTypes.now().types(group, version).stream());
    }

    /** Returns the stored type of a kind. */
    Optional<ResourceType> ofKind(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        return of(slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1))
                .filter(type -> type.kind().equals(kind) && !type.virtual())
                .findFirst();
    }

    /** Returns the versions that serve the same stored objects as a type, starting with the type itself. */
    List<ResourceType> equivalents(ResourceType type) {
        if (type.virtual()) {
            return List.of(type);
        }
        Stream<ResourceType> custom = dynamicTypes.now().versions(type.group()).stream()
                .flatMap(version -> dynamicTypes.now().types(type.group(), version).stream());
        return Stream.concat(
                        Stream.of(type),
                        Stream.concat(catalog.types().stream(), custom)
                                .filter(other -> other.storage().equals(type.storage())
                                        && !other.id().equals(type.id())))
                .toList();
    }

    /** Returns a type checker for a policy's expressions, for the types that it names without wildcards or subresources. */
    TypeChecker typeChecker(JsonNode spec) {
        Map<String, TypeSchema> types = new TreeMap<>();
        for (JsonNode rule : spec.path("matchConstraints").path("resourceRules")) {
            for (String group : plain(rule.path("apiGroups"))) {
                for (String version : plain(rule.path("apiVersions"))) {
                    List<String> resources = plain(rule.path("resources"));
                    of(group, version)
                            .filter(type -> resources.contains(type.resource()) && types.size() < MAX_TYPES)
                            .forEach(type -> types.put(type.apiVersion() + ", Kind=" + type.kind(), schema(type)));
                }
            }
        }
        JsonNode kind = spec.path("paramKind");
        TypeSchema params = ofKind(
                        kind.path("apiVersion").asText(""), kind.path("kind").asText(""))
                .map(ServedVersions::schema)
                .orElse(null);
        return new TypeChecker(spec, types, params);
    }

    private static List<String> plain(JsonNode list) {
        return TypeSchema.texts(list).stream()
                .filter(text -> text.indexOf('*') < 0 && text.indexOf('/') < 0)
                .toList();
    }

    private static TypeSchema schema(ResourceType type) {
        return type.form() != null && type.form().normalizes() ? type.form().structure() : type.schema();
    }
}
