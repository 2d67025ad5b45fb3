package io.plat.apiserver.type;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** All built-in and custom types, whether or not their versions are served. */
public record AllTypes(ResourceCatalog catalog, DynamicTypes dynamicTypes) {
    public Stream<ResourceType> of(String group, String version) {
        return Stream.concat(
                catalog.types().stream()
                        .filter(type ->
                                type.group().equals(group) && type.version().equals(version)),
                dynamicTypes.now().types(group, version).stream());
    }

    public Optional<ResourceType> ofKind(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        return of(slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1))
                .filter(type -> type.kind().equals(kind) && !type.virtual())
                .findFirst();
    }

    /** Returns the versions that serve the same stored objects as a type, starting with the type itself. */
    public List<ResourceType> versions(ResourceType type) {
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

    /** Returns the preferred version of each stored type, by resource. */
    public Map<String, ResourceType> stored() {
        Map<String, ResourceType> types = new LinkedHashMap<>();
        versionsOfStored().forEach(type -> types.putIfAbsent(type.storage(), type));
        return types;
    }

    /** Returns the preferred version of the type of a resource. */
    public Optional<ResourceType> stored(String resource) {
        return versionsOfStored()
                .filter(type -> type.storage().equals(resource))
                .findFirst();
    }

    private Stream<ResourceType> versionsOfStored() {
        return Stream.concat(catalog.types().stream(), dynamicTypes.now().stored().stream())
                .filter(type -> !type.virtual());
    }
}
