package io.plat.review.explain;

import io.plat.review.ListOrder;
import java.util.List;

/**
 * Allowed verbs on non-resource paths, as in a rules review.
 *
 * @param verbs request verbs; {@code *} is all of them
 * @param paths the paths; a {@code *} at the end matches any suffix
 */
public record PathRule(List<String> verbs, List<String> paths) implements Comparable<PathRule> {
    /** Every verb on every path. */
    public static final PathRule EVERYTHING = new PathRule(List.of("*"), List.of("*"));

    public PathRule {
        verbs = List.copyOf(verbs);
        paths = List.copyOf(paths);
    }

    @Override
    public int compareTo(PathRule other) {
        int order = ListOrder.STRINGS.compare(verbs, other.verbs);
        return order == 0 ? ListOrder.STRINGS.compare(paths, other.paths) : order;
    }

    /** Returns the length of the text, in characters. */
    public long length() {
        return ResourceRule.length(verbs) + ResourceRule.length(paths);
    }
}
