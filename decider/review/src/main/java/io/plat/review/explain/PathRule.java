package io.plat.review.explain;

import java.util.List;

/**
 * Verbs on paths that are no resource that a user is allowed, as a rules review tells it.
 *
 * @param verbs request verbs; {@code *} is all of them
 * @param paths the paths; a {@code *} at the end stands for the rest
 */
public record PathRule(List<String> verbs, List<String> paths) {
    /** Every verb on every path. */
    public static final PathRule EVERYTHING = new PathRule(List.of("*"), List.of("*"));

    public PathRule {
        verbs = List.copyOf(verbs);
        paths = List.copyOf(paths);
    }
}
