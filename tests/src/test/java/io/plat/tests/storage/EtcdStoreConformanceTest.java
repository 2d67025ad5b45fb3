package io.plat.tests.storage;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.etcd.RemoteProtocol;
import io.plat.apiserver.storage.etcd.RemoteSettings;
import io.plat.apiserver.storage.etcd.RemoteStore;
import io.plat.apiserver.storage.etcd.RequestObserver;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.EtcdServer;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Conformance of the etcd store; each test has its own prefix in a shared etcd. */
final class EtcdStoreConformanceTest extends ObjectStoreConformance {
    private static EtcdServer etcd;
    private static RemoteProtocol protocol;
    private static int opened;

    @BeforeAll
    static void start() throws IOException {
        etcd = EtcdServer.start();
        protocol = RemoteProtocol.find(Checkout.path("apiserver-lite/etcd/target"), "etcd3");
    }

    @AfterAll
    static void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Override
    protected ObjectStore open(HistoryPolicy history) throws StorageException {
        var settings = new RemoteSettings(List.of(URI.create(etcd.url())), "/registry" + opened++, null);
        return RemoteStore.open(protocol.open(settings, RequestObserver.NONE), StoreOptions.keeping(history), Map.of());
    }
}
