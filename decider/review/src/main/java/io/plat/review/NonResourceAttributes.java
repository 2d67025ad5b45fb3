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
    @Override
    public NonResourceAttributes withVerb(String other) {
        return new NonResourceAttributes(path, other);
    }

    @Override
    public int compareTo(NonResourceAttributes other) {
        return ListOrder.STRINGS.compare(List.of(path, verb), List.of(other.path, other.verb));
    }
}
