package io.plat.engine.rbac;

import io.plat.review.source.Location;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An element of a role's rules, as written: every verb on every combination of the rest is granted.
 *
 * @param verbs request verbs; {@code *} is all of them
 * @param apiGroups API groups, {@code ""} the core group; {@code *} is all of them
 * @param resources such as {@code pods} or {@code pods/log}; {@code *} is all with all subresources, {@code *}{@code /scale} is
 *     scale of all, and any other star is literal
 * @param resourceNames names of objects; empty is no restriction, and a star is literal
 * @param nonResourceUrls paths; a trailing star makes one a prefix
 * @param where where the rule stands in a file, or null
 */
public record RbacRule(
        List<String> verbs,
        List<String> apiGroups,
        List<String> resources,
        List<String> resourceNames,
        List<String> nonResourceUrls,
        @Nullable Location where) {
    /** What stands for every verb, group or resource. */
    public static final String ALL = "*";

    public RbacRule {
        verbs = List.copyOf(verbs);
        apiGroups = List.copyOf(apiGroups);
        resources = List.copyOf(resources);
        resourceNames = List.copyOf(resourceNames);
        nonResourceUrls = List.copyOf(nonResourceUrls);
    }

    /** A rule for resources, whatever their names. */
    public static RbacRule onResources(List<String> verbs, List<String> apiGroups, List<String> resources) {
        return new RbacRule(verbs, apiGroups, resources, List.of(), List.of(), null);
    }

    /** A rule for paths. */
    public static RbacRule onPaths(List<String> verbs, List<String> nonResourceUrls) {
        return new RbacRule(verbs, List.of(), List.of(), List.of(), nonResourceUrls, null);
    }

    /** The rule as one line of JSON, empty lists left out. */
    @Override
    public String toString() {
        return RuleText.of(this);
    }
}
