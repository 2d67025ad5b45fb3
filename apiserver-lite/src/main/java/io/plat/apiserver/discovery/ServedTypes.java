package io.plat.apiserver.discovery;

import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Served types, in the order of discovery. */
public final class ServedTypes {
    private final ResourceCatalog catalog;
    private final RuntimeConfig config;
    private final DynamicTypes dynamicTypes;
    private final SequencedMap<String, SequencedMap<String, List<ResourceType>>> byGroup = new LinkedHashMap<>();

    public ServedTypes(ResourceCatalog catalog, RuntimeConfig config) {
        this(catalog, config, DynamicTypes.NONE);
    }

    /** Creates the served types including custom types. In a group version of both, the catalog takes precedence. */
    public ServedTypes(ResourceCatalog catalog, RuntimeConfig config, DynamicTypes dynamicTypes) {
        this.dynamicTypes = dynamicTypes;
        this.catalog = catalog;
        this.config = config;
        for (ResourceType type : catalog.types()) {
            if (config.serves(type)) {
                byGroup.computeIfAbsent(type.group(), group -> new LinkedHashMap<>())
                        .computeIfAbsent(type.version(), version -> new ArrayList<>())
                        .add(type);
            }
        }
        byGroup.values().forEach(versions -> versions.replaceAll((version, types) -> List.copyOf(types)));
    }

    /** Returns all group versions of a catalog, enabled or not. */
    public static Set<String> groupVersions(ResourceCatalog catalog) {
        Set<String> known = new TreeSet<>();
        catalog.types().forEach(type -> known.add(type.apiVersion()));
        return known;
    }

    /** Returns the type that a path names, if it is served. */
    public Optional<ResourceType> find(String group, String version, String resource) {
        Optional<ResourceType> builtIn = catalog.find(group, version, resource);
        return builtIn.isPresent()
                ? builtIn.filter(config::serves)
                : dynamicTypes.now().find(group, version, resource).filter(type -> !isBuiltIn(group, version));
    }

    private boolean isBuiltIn(String group, String version) {
        return byGroup.getOrDefault(group, new LinkedHashMap<>()).containsKey(version);
    }

    /** Returns the named groups, without the core group, in the order of discovery. */
    public List<String> groups() {
        return Stream.concat(byGroup.keySet().stream(), dynamicTypes.now().groups().stream())
                .filter(group -> !group.isEmpty())
                .distinct()
                .toList();
    }

    /** Returns the versions of a group, the preferred one first; {@code ""} is the core group. Empty if the group is not served. */
    public List<String> versions(String group) {
        return Stream.concat(
                        byGroup.getOrDefault(group, new LinkedHashMap<>()).keySet().stream(),
                        dynamicTypes.now().versions(group).stream())
                .distinct()
                .toList();
    }

    /** Returns the types of a group version: the same list while they are unchanged. */
    public List<ResourceType> types(String group, String version) {
        return isBuiltIn(group, version)
                ? byGroup.getOrDefault(group, new LinkedHashMap<>()).getOrDefault(version, List.of())
                : dynamicTypes.now().types(group, version);
    }

    /** Returns an object whose identity changes with the served types. */
    public Object state() {
        return dynamicTypes.now();
    }
}
