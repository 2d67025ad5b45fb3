package io.plat.apiserver.discovery;

import io.plat.apiserver.type.FurtherTypes;
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

/** The types of the catalog that are switched on, in the order of discovery. */
public final class ServedTypes {
    private final ResourceCatalog catalog;
    private final RuntimeConfig config;
    private final FurtherTypes further;
    private final SequencedMap<String, SequencedMap<String, List<ResourceType>>> byGroup = new LinkedHashMap<>();

    /** What a configuration leaves of a catalog. */
    public ServedTypes(ResourceCatalog catalog, RuntimeConfig config) {
        this(catalog, config, FurtherTypes.NONE);
    }

    /** The same with types that come and go. Where both have a group version, it is the catalog's. */
    public ServedTypes(ResourceCatalog catalog, RuntimeConfig config, FurtherTypes further) {
        this.further = further;
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

    /** Every group version that a catalog knows, switched on or not. */
    public static Set<String> groupVersions(ResourceCatalog catalog) {
        Set<String> known = new TreeSet<>();
        catalog.types().forEach(type -> known.add(type.apiVersion()));
        return known;
    }

    /** The type that a path names, if it is served. */
    public Optional<ResourceType> find(String group, String version, String resource) {
        Optional<ResourceType> builtIn = catalog.find(group, version, resource);
        return builtIn.isPresent()
                ? builtIn.filter(config::serves)
                : further.now().find(group, version, resource).filter(type -> !isBuiltIn(group, version));
    }

    private boolean isBuiltIn(String group, String version) {
        return byGroup.getOrDefault(group, new LinkedHashMap<>()).containsKey(version);
    }

    /** The named groups, in the order of discovery; the core group is none of them. */
    public List<String> groups() {
        return Stream.concat(byGroup.keySet().stream(), further.now().groups().stream())
                .filter(group -> !group.isEmpty())
                .distinct()
                .toList();
    }

    /** The versions of a group, the preferred one first; {@code ""} is the core group. Empty where the group is not served. */
    public List<String> versions(String group) {
        return Stream.concat(
                        byGroup.getOrDefault(group, new LinkedHashMap<>()).keySet().stream(),
                        further.now().versions(group).stream())
                .distinct()
                .toList();
    }

    /** The types of a group version: the same list for as long as they are the same. */
    public List<ResourceType> types(String group, String version) {
        return isBuiltIn(group, version)
                ? byGroup.getOrDefault(group, new LinkedHashMap<>()).getOrDefault(version, List.of())
                : further.now().types(group, version);
    }

    /** Another object, by identity, once other types are served. */
    public Object state() {
        return further.now();
    }
}
