package io.plat.tests.storage;

import io.plat.apiserver.storage.EmbeddedStore;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StoreOptions;

/** The store that forgets keeps the contract until then. */
final class InMemoryStoreConformanceTest extends ObjectStoreConformance {
    @Override
    ObjectStore open(HistoryPolicy history) {
        return EmbeddedStore.inMemory(StoreOptions.keeping(history));
    }
}
