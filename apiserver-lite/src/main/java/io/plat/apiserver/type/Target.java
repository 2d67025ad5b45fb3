package io.plat.apiserver.type;

import io.plat.apiserver.storage.Key;
import io.plat.review.status.StatusException;

/**
 * Target of a request.
 *
 * @param namespace namespace of the path, or {@code ""}
 * @param name name of the object, or {@code ""} for the collection
 */
public record Target(ResourceType type, String namespace, String name) {
    /**
     * Returns the storage key of the object.
     *
     * @throws StatusException 404 for an invalid name
     */
    public Key key() throws StatusException {
        try {
            return new Key(type.storage(), namespace, name);
        } catch (IllegalArgumentException e) {
            throw ApiErrors.notFound(type, name);
        }
    }

    public Target named(String newName) {
        return new Target(type, namespace, newName);
    }
}
