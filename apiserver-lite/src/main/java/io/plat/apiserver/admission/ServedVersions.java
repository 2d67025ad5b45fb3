package io.plat.apiserver.admission;

import io.plat.apiserver.resource.FurtherTypes;
import io.plat.apiserver.resource.ResourceCatalog;
import io.plat.apiserver.resource.ResourceType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The types by their kinds, and the versions of one type.
 *
 * @param catalog the built-in types
 * @param further the custom types
 */
record ServedVersions(ResourceCatalog catalog, FurtherTypes further) {
    /** Returns the types of a group version. */
    Stream<ResourceType> of(String group, String version) {
        return Stream.concat(
                catalog.types().stream()
                        .filter(type ->
                                type.group().equals(group) && type.version().equals(version)),
                further.now().types(group, version).stream());
    }

    /** Returns the stored type of a kind. */
    Optional<ResourceType> ofKind(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        return of(slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1))
                .filter(type -> type.kind().equals(kind) && !type.virtual())
                .findFirst();
    }

    /** Returns the versions that show the same stored objects as a type, the type itself first. */
    List<ResourceType> equivalents(ResourceType type) {
        if (type.virtual()) {
            return List.of(type);
        }
        Stream<ResourceType> custom = further.now().versions(type.group()).stream()
                .flatMap(version -> further.now().types(type.group(), version).stream());
        return Stream.concat(
                        Stream.of(type),
                        Stream.concat(catalog.types().stream(), custom)
                                .filter(other -> other.storage().equals(type.storage())
                                        && !other.id().equals(type.id())))
                .toList();
    }
}
