package io.plat.apiserver;

import io.plat.apiserver.storage.StorageException;

/** Opens something that is stored, or made of what is. */
@FunctionalInterface
interface StoredSource<T> {
    /** Opens it. */
    T open() throws StorageException;
}
