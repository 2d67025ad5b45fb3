package io.plat.review;

import java.util.List;

/**
 * A verb on a non-resource path, such as {@code /version}.
 *
 * @param path the request path
 * @param verb the HTTP method in lower case
 */
public record NonResourceAttributes(String path, String verb)
        implements AccessAttributes, Comparable<NonResourceAttributes> {
    /** Returns whether a pattern matches the path: the same path, or a prefix followed by {@code *}. */
    public boolean isMatchedBy(String pattern) {
        return matches(pattern, path);
    }

    /** Returns whether a pattern matches a path: a trailing {@code *} makes it a prefix. */
    public static boolean matches(String pattern, String path) {
        return pattern.endsWith("*") ? path.regionMatches(0, pattern, 0, pattern.length() - 1) : path.equals(pattern);
    }

    @Override
    public NonResourceAttributes withVerb(String other) {
        return new NonResourceAttributes(path, other);
    }

    @Override
    public int compareTo(NonResourceAttributes other) {
        return ListOrder.STRINGS.compare(List.of(path, verb), List.of(other.path, other.verb));
    }
}
