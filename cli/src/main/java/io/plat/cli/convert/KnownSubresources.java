package io.plat.cli.convert;

import io.plat.cli.question.ResourceType;
import io.plat.cli.question.ResourceTypes;
import io.plat.engine.access.Subresources;
import io.plat.engine.access.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Subresources of the built-in types, and those that a custom type may have. A rule has to name them one by one, while a line covers all of
 * them.
 */
final class KnownSubresources implements Subresources {
    private static final Set<String> OF_DEFINED_TYPES = Set.of("scale", "status");

    private final Map<String, SortedSet<String>> byResource = new HashMap<>();
    private final Map<String, Boolean> clusterScoped = new HashMap<>();

    KnownSubresources(ResourceTypes types) {
        for (ResourceType type : types.all()) {
            byResource.computeIfAbsent(type.resource(), one -> new TreeSet<>()).addAll(type.subresources());
            clusterScoped.merge(type.resource(), !type.namespaced(), Boolean::logicalAnd);
        }
    }

    /** Returns whether a request for it never has a namespace; one for a namespace has that as its own. */
    boolean isOutsideOfNamespaces(String resource) {
        return clusterScoped.getOrDefault(resource, false) && !resource.equals("namespaces");
    }

    /** Returns whether every server has this type. */
    boolean isKnown(String resource) {
        return byResource.containsKey(resource);
    }

    /** The resource and its subresources as rules write them. */
    List<String> written(String resource) {
        List<String> written = new ArrayList<>(List.of(resource));
        subresources(resource).forEach(subresource -> written.add(resource + "/" + subresource));
        return written;
    }

    private SortedSet<String> subresources(String resource) {
        return byResource.getOrDefault(resource, new TreeSet<>(OF_DEFINED_TYPES));
    }

    @Override
    public Values of(String resource) {
        SortedSet<String> all = new TreeSet<>(subresources(resource));
        all.add("");
        return Values.of(all);
    }
}
