package io.plat.apiserver.discovery;

import io.plat.apiserver.resource.ResourceCatalog;
import io.plat.apiserver.resource.ResourceType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;

/** The types of the catalog that are switched on, in the order of discovery. */
public final class ServedTypes {
    private final ResourceCatalog catalog;
    private final RuntimeConfig config;
    private final SequencedMap<String, SequencedMap<String, List<ResourceType>>> byGroup = new LinkedHashMap<>();

    /** What a configuration leaves of a catalog. */
    public ServedTypes(ResourceCatalog catalog, RuntimeConfig config) {
        this.catalog = catalog;
        this.config = config;
        for (ResourceType type : catalog.types()) {
            if (config.serves(type.apiVersion())) {
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
        return catalog.find(group, version, resource).filter(type -> config.serves(type.apiVersion()));
    }

    /** The named groups, in the order of discovery; the core group is none of them. */
    public List<String> groups() {
        return byGroup.keySet().stream().filter(group -> !group.isEmpty()).toList();
    }

    /** The versions of a group, the preferred one first; {@code ""} is the core group. Empty where the group is not served. */
    public List<String> versions(String group) {
        return List.copyOf(byGroup.getOrDefault(group, new LinkedHashMap<>()).keySet());
    }

    /** The types of a group version: the same list for as long as they are the same. */
    public List<ResourceType> types(String group, String version) {
        return byGroup.getOrDefault(group, new LinkedHashMap<>()).getOrDefault(version, List.of());
    }

    /** Another object, by identity, once other types are served. */
    public Object state() {
        return byGroup;
    }

    /** The verbs that a type answers. */
    static List<String> verbs(ResourceType type) {
        return type.verbs();
    }
}
