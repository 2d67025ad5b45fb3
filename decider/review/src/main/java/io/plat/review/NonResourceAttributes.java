package io.plat.review;

import java.util.Objects;

/**
 * A verb on a path that is no resource, such as {@code /version}.
 *
 * @param path the request path
 * @param verb the HTTP method in lower case
 */
public record NonResourceAttributes(String path, String verb) implements AccessAttributes {
    public NonResourceAttributes {
        Objects.requireNonNull(path);
        Objects.requireNonNull(verb);
    }
}
