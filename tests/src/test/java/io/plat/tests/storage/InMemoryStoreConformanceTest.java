package io.plat.tests.storage;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;

/** The store that forgets keeps the contract until then. */
final class InMemoryStoreConformanceTest extends ObjectStoreConformance {
    @Override
    protected ObjectStore open(HistoryPolicy history) {
        return EmbeddedStore.inMemory(StoreOptions.keeping(history));
    }
}
