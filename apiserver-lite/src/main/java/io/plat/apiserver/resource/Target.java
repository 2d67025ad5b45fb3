package io.plat.apiserver.resource;

import java.util.Objects;

/**
 * What a request is about.
 *
 * @param type the type, in the version of the path
 * @param namespace the namespace of the path, or {@code ""}
 * @param name the object's name, or {@code ""} for the collection
 */
public record Target(ResourceType type, String namespace, String name) {
    public Target {
        Objects.requireNonNull(type);
        Objects.requireNonNull(namespace);
        Objects.requireNonNull(name);
    }

    /** The object of this collection that has a name. */
    public Target named(String newName) {
        return new Target(type, namespace, newName);
    }
}
