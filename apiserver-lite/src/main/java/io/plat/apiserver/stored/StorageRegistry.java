package io.plat.apiserver.stored;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.StorageIdentity;
import io.plat.review.ApiGroups;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Key prefixes and names of the built-in types. Their groups are reserved, under each alias: no custom type is stored or served in them,
 * so that no later version of the server finds foreign objects under its own keys.
 */
public final class StorageRegistry {
    private final Map<String, StorageIdentity> identities = new HashMap<>();
    private final Map<String, Names> groups = new HashMap<>();

    /**
     * Names in use in a group.
     *
     * @param resources plurals, singulars and short names
     * @param kinds kinds of objects and of lists
     */
    public record Names(Set<String> resources, Set<String> kinds) {}

    public StorageRegistry(ResourceCatalog catalog) {
        for (ResourceType type : catalog.types()) {
            identities.put(type.storage(), type.identity());
            Names names = groups.computeIfAbsent(
                    ApiGroups.canonical(type.group()), any -> new Names(new HashSet<>(), new HashSet<>()));
            names.resources().add(type.resource());
            names.resources().add(type.singular());
            names.resources().addAll(type.shortNames());
            names.kinds().add(type.kind());
            names.kinds().add(type.kind() + "List");
        }
    }

    /** Returns the names that built-in types use in a group; empty if the group may have custom types. */
    public Optional<Names> builtIn(String group) {
        return Optional.ofNullable(groups.get(ApiGroups.canonical(group)));
    }

    /** Returns the identity of a custom type; in a group of built-in types, that of types without storage. */
    public StorageIdentity custom(String plural, String group) {
        String resource = plural + "." + group;
        return builtIn(group).isPresent() || identities.containsKey(resource) || group.isEmpty()
                ? StorageIdentity.NONE
                : new StorageIdentity(resource, Set.of(), "");
    }

    /** Returns whether an entry is a definition whose names or group belong to built-in types. */
    public boolean definesBuiltIn(Entry entry) {
        return entry.key().resource().equals(ResourceCatalog.DEFINITIONS)
                && builtIn(group(entry.key().name())).isPresent();
    }

    /**
     * Returns a predicate of unserved objects: under the prefix of a built-in type in an unknown version or kind; or under an unknown
     * prefix in a group of built-in types.
     */
    public Predicate<Entry> foreign() {
        return entry -> {
            String resource = entry.key().resource();
            StorageIdentity identity = identities.get(resource);
            return identity == null
                    ? resource.indexOf('.') > 0 && builtIn(group(resource)).isPresent()
                    : !StoredVersions.served(identity, entry.value());
        };
    }

    private static String group(String groupResource) {
        return groupResource.substring(groupResource.indexOf('.') + 1);
    }
}
