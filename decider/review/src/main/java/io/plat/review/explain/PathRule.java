package io.plat.review.explain;

import java.util.List;

/**
 * Allowed verbs on non-resource paths, as in a rules review.
 *
 * @param verbs request verbs; {@code *} is all of them
 * @param paths the paths; a {@code *} at the end matches any suffix
 */
public record PathRule(List<String> verbs, List<String> paths) {
    /** Every verb on every path. */
    public static final PathRule EVERYTHING = new PathRule(List.of("*"), List.of("*"));

    public PathRule {
        verbs = List.copyOf(verbs);
        paths = List.copyOf(paths);
    }

    /** Returns the length of its text, in characters. */
    public long length() {
        return ResourceRule.length(verbs) + ResourceRule.length(paths);
    }
}
