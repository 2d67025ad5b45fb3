package io.plat.apiserver;

import io.plat.apiserver.metrics.MeteredKeys;
import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.storage.etcd.RemoteKeys;
import io.plat.apiserver.storage.etcd.RemoteProtocol;
import io.plat.apiserver.storage.etcd.RemoteStore;
import io.plat.http.commandline.FlagValues;
import io.plat.http.metrics.ServerMetrics;
import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Opens the storage backend that the flags select. */
final class StorageFactory {
    /** System property with which the launcher passes the location of further backends. */
    private static final String BACKENDS = "plat.backends";

    private static final String EVENTS = "events";

    private StorageFactory() {}

    /**
     * Opens the store.
     *
     * @param foreign recognizes hidden entries, and collects their keys
     */
    static ObjectStore open(StorageFlags flags, FlagValues values, ServerMetrics metrics, ForeignEntries foreign)
            throws StorageException {
        StoreOptions options = StoreOptions.keeping(values.get(flags.history)).without(foreign);
        Optional<Path> directory = flags.dataDirectory(values);
        if (directory.isEmpty()) {
            return remote(flags, values, options, metrics);
        }
        ObjectStore store = EmbeddedStore.open(directory.get(), options, new StorageMetrics(metrics.registry()));
        StorageMetrics.showSize(directory.get(), metrics);
        return store;
    }

    /** Returns the lifetimes of objects in etcd, by resource. */
    static Map<String, Duration> lifetimes(Duration ofEvents) {
        return Map.of(EVENTS, ofEvents);
    }

    /** Opens the keys of an etcd for a short run: certificates are loaded once. */
    static RemoteKeys keys(EtcdFlags flags, FlagValues values) throws StorageException {
        RemoteProtocol protocol = protocol();
        Optional<ClientTls.Config> files = flags.tls(values);
        try {
            @Nullable ClientTls tls = files.isEmpty() ? null : ClientTls.read(files.get(), InstantSource.system());
            return protocol.open(flags.settings(values, tls == null ? null : tls.context()));
        } catch (PemException unusable) {
            throw unusable(unusable);
        }
    }

    private static ObjectStore remote(
            StorageFlags flags, FlagValues values, StoreOptions options, ServerMetrics metrics)
            throws StorageException {
        RemoteProtocol protocol = protocol();
        @Nullable ClientTls tls = tls(flags.etcd, values, metrics);
        try {
            RemoteKeys keys = new MeteredKeys(
                    protocol.open(flags.etcd.settings(values, tls == null ? null : tls.context())),
                    metrics.registry(),
                    new StorageMetrics(metrics.registry()));
            StorageMetrics.showSize(keys, metrics);
            ObjectStore store = RemoteStore.open(
                    keys, options, lifetimes(values.get(flags.eventLifetime)), values.get(flags.progressTimeout));
            return tls == null ? store : new TlsStore(store, tls);
        } catch (StorageException e) {
            if (tls != null) {
                tls.close();
            }
            throw e;
        }
    }

    private static @Nullable ClientTls tls(EtcdFlags flags, FlagValues values, ServerMetrics metrics)
            throws StorageException {
        Optional<ClientTls.Config> files = flags.tls(values);
        if (files.isEmpty()) {
            return null;
        }
        try {
            return ClientTls.open(files.get(), metrics.certificateReloads(), InstantSource.system());
        } catch (PemException unusable) {
            throw unusable(unusable);
        }
    }

    private static StorageException unusable(PemException unusable) {
        return new StorageException(StorageException.Kind.UNAVAILABLE, String.valueOf(unusable.getMessage()), unusable);
    }

    /** Store that watches its certificate files until it is closed. */
    private static final class TlsStore extends DelegatingStore {
        private final ClientTls tls;

        TlsStore(ObjectStore store, ClientTls tls) {
            super(store);
            this.tls = tls;
        }

        @Override
        public void close() throws StorageException {
            super.close();
            tls.close();
        }
    }

    private static RemoteProtocol protocol() throws StorageException {
        String folder = System.getProperty(BACKENDS, "");
        try {
            return RemoteProtocol.find(Path.of(folder), EtcdFlags.BACKEND);
        } catch (IOException e) {
            throw new StorageException(
                    StorageException.Kind.UNAVAILABLE, EtcdFlags.BACKEND + " is not built: " + e.getMessage(), e);
        }
    }
}
