package io.plat.engine.rbac;

import io.plat.review.AccessAttributes;
import io.plat.review.ListOrder;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.json.JsonText;
import io.plat.review.source.Location;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An element of a role's rules, as written: every verb on every combination of the rest is granted.
 *
 * @param verbs request verbs; {@code *} is all of them
 * @param apiGroups API groups, {@code ""} the core group; {@code *} is all of them
 * @param resources such as {@code pods} or {@code pods/log}; {@code *} is all with all subresources, {@code *}{@code /scale} is the scale subresource
 * of all, and any other star is literal
 * @param resourceNames names of objects; empty is no restriction, and a star is literal
 * @param nonResourceUrls paths; a trailing star makes one a prefix
 * @param where its location in a file, or null
 */
public record RbacRule(
        List<String> verbs,
        List<String> apiGroups,
        List<String> resources,
        List<String> resourceNames,
        List<String> nonResourceUrls,
        @Nullable Location where)
        implements Comparable<RbacRule> {
    /** Wildcard for all verbs, groups or resources. */
    public static final String ALL = "*";

    /** Memory of a string besides its characters, in bytes. */
    static final int STRING = 60;

    private static final int OVERHEAD = 200;

    private static final Comparator<RbacRule> ORDER = Comparator.comparing(RbacRule::verbs, ListOrder.STRINGS)
            .thenComparing(RbacRule::apiGroups, ListOrder.STRINGS)
            .thenComparing(RbacRule::resources, ListOrder.STRINGS)
            .thenComparing(RbacRule::resourceNames, ListOrder.STRINGS)
            .thenComparing(RbacRule::nonResourceUrls, ListOrder.STRINGS)
            .thenComparing(rule -> String.valueOf(rule.where));

    public RbacRule {
        verbs = List.copyOf(verbs);
        apiGroups = List.copyOf(apiGroups);
        resources = List.copyOf(resources);
        resourceNames = List.copyOf(resourceNames);
        nonResourceUrls = List.copyOf(nonResourceUrls);
    }

    public static RbacRule onResources(List<String> verbs, List<String> apiGroups, List<String> resources) {
        return new RbacRule(verbs, apiGroups, resources, List.of(), List.of(), null);
    }

    public static RbacRule onPaths(List<String> verbs, List<String> nonResourceUrls) {
        return new RbacRule(verbs, List.of(), List.of(), List.of(), nonResourceUrls, null);
    }

    /** Returns the rule that covers exactly this access, except for its namespace. */
    public static RbacRule of(AccessAttributes access) {
        List<String> verbs = List.of(access.verb());
        return switch (access) {
            case NonResourceAttributes path -> onPaths(verbs, List.of(path.path()));
            case ResourceAttributes resource -> {
                List<String> names = resource.name().isEmpty() ? List.of() : List.of(resource.name());
                yield new RbacRule(
                        verbs, List.of(resource.group()), List.of(resource.written()), names, List.of(), null);
            }
        };
    }

    /** Returns the same rule at another location. */
    public RbacRule at(@Nullable Location place) {
        return new RbacRule(verbs, apiGroups, resources, resourceNames, nonResourceUrls, place);
    }

    /** Returns the approximate memory including index entries, in bytes. */
    long bytes() {
        long bytes = OVERHEAD;
        for (List<String> values : List.of(verbs, apiGroups, resources, resourceNames, nonResourceUrls)) {
            for (String value : values) {
                bytes += STRING + value.length();
            }
        }
        return bytes;
    }

    /** Returns the approximate length of its text in JSON, in characters. */
    public long length() {
        return new ResourceRule(verbs, apiGroups, resources, resourceNames).length()
                + new PathRule(List.of(), nonResourceUrls).length();
    }

    @Override
    public int compareTo(RbacRule other) {
        return ORDER.compare(this, other);
    }

    /** Returns the rule as one line of JSON, without empty lists. */
    @Override
    public String toString() {
        StringBuilder json = new StringBuilder();
        appendTo(json);
        return json.toString();
    }

    /** Appends the same text as {@link #toString}, which can be pasted into a manifest. */
    void appendTo(StringBuilder json) {
        json.append('{');
        int empty = json.length();
        append("verbs", verbs, json, empty);
        append("apiGroups", apiGroups, json, empty);
        append("resources", resources, json, empty);
        append("resourceNames", resourceNames, json, empty);
        append("nonResourceURLs", nonResourceUrls, json, empty);
        json.append('}');
    }

    private static void append(String name, List<String> values, StringBuilder json, int empty) {
        if (values.isEmpty()) {
            return;
        }
        JsonText.quote(name, json.append(json.length() == empty ? "" : ",")).append(":[");
        for (int i = 0; i < values.size(); i++) {
            JsonText.quote(values.get(i), json.append(i == 0 ? "" : ","));
        }
        json.append(']');
    }
}
