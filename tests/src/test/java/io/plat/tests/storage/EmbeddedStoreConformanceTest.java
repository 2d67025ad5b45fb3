package io.plat.tests.storage;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Conformance of the embedded store. */
final class EmbeddedStoreConformanceTest extends ObjectStoreConformance {
    private final Path directory;
    private int opened;

    EmbeddedStoreConformanceTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Override
    protected ObjectStore open(HistoryPolicy history) throws StorageException {
        return EmbeddedStore.open(directory.resolve("data" + opened++), StoreOptions.keeping(history));
    }
}
