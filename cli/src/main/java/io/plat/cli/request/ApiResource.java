package io.plat.cli.request;

import java.util.Set;

/**
 * Names of a resource type.
 *
 * @param resource the name in URLs and rules, in the plural
 * @param group the API group, {@code ""} for the core group
 * @param namespaced whether its objects are namespaced
 * @param shortNames other names, such as {@code po}
 */
public record ApiResource(
        String resource,
        String group,
        boolean namespaced,
        String kind,
        String singular,
        Set<String> shortNames,
        Set<String> subresources) {
    public ApiResource {
        shortNames = Set.copyOf(shortNames);
        subresources = Set.copyOf(subresources);
    }

    boolean isNamed(String word) {
        return resource.equals(word)
                || singular.equals(word)
                || shortNames.contains(word)
                || kind.equalsIgnoreCase(word);
    }

    /** Returns the plural name with its group. */
    public String qualified() {
        return group.isEmpty() ? resource : resource + "." + group;
    }
}
