package io.plat.apiserver.type;

import io.plat.apiserver.storage.Key;
import io.plat.review.status.StatusException;
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

    /**
     * Returns the place of the object in storage.
     *
     * @throws StatusException 404 for a name that no object can have
     */
    public Key key() throws StatusException {
        try {
            return new Key(type.storage(), namespace, name);
        } catch (IllegalArgumentException e) {
            throw Refusals.notFound(type, name);
        }
    }

    /** The object of this collection that has a name. */
    public Target named(String newName) {
        return new Target(type, namespace, newName);
    }
}
