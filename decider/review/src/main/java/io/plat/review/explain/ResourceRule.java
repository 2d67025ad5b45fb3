package io.plat.review.explain;

import io.plat.review.ListOrder;
import java.util.Comparator;
import java.util.List;

/**
 * Allowed verbs on resources, as in a rules review.
 *
 * @param verbs request verbs; {@code *} is all of them
 * @param apiGroups API groups as they are written in the policy, {@code ""} the core group; {@code *} is all of them
 * @param resources such as {@code pods} or {@code pods/log}; {@code *} is all with all subresources
 * @param resourceNames names of objects; empty is no restriction
 */
public record ResourceRule(
        List<String> verbs, List<String> apiGroups, List<String> resources, List<String> resourceNames)
        implements Comparable<ResourceRule> {
    /** Every verb on every resource. */
    public static final ResourceRule EVERYTHING = new ResourceRule(List.of("*"), List.of("*"), List.of("*"), List.of());

    private static final Comparator<ResourceRule> ORDER = Comparator.comparing(ResourceRule::verbs, ListOrder.STRINGS)
            .thenComparing(ResourceRule::apiGroups, ListOrder.STRINGS)
            .thenComparing(ResourceRule::resources, ListOrder.STRINGS)
            .thenComparing(ResourceRule::resourceNames, ListOrder.STRINGS);

    /** Number of characters that surround a string in JSON. */
    private static final int SEPARATOR = 3;

    public ResourceRule {
        verbs = List.copyOf(verbs);
        apiGroups = List.copyOf(apiGroups);
        resources = List.copyOf(resources);
        resourceNames = List.copyOf(resourceNames);
    }

    @Override
    public int compareTo(ResourceRule other) {
        return ORDER.compare(this, other);
    }

    /** Returns the length of the text, in characters. */
    public long length() {
        return length(verbs) + length(apiGroups) + length(resources) + length(resourceNames);
    }

    static long length(List<String> texts) {
        return texts.stream().mapToLong(text -> text.length() + SEPARATOR).sum();
    }
}
