package io.plat.tests.storage;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;

/** Conformance of the in-memory store, until it is closed. */
final class InMemoryStoreConformanceTest extends ObjectStoreConformance {
    @Override
    protected ObjectStore open(HistoryPolicy history) {
        return EmbeddedStore.inMemory(StoreOptions.keeping(history));
    }
}
