package io.plat.apiserver;

import io.plat.apiserver.storage.StorageException;

/** Opens a resource that depends on stored objects. */
@FunctionalInterface
interface StorageSupplier<T> {
    T open() throws StorageException;
}
