package io.plat.apiserver;

import io.plat.apiserver.metrics.MeteredKeys;
import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.storage.etcd.DelegatingKeys;
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

/** Opens the storage backend that the flags select. */
final class StorageFactory {
    /** System property with which the launcher passes the location of additional backends. */
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
        return keys(flags, values, files -> ClientTls.read(files, InstantSource.system()));
    }

    private static ObjectStore remote(
            StorageFlags flags, FlagValues values, StoreOptions options, ServerMetrics metrics)
            throws StorageException {
        RemoteKeys keys = new MeteredKeys(
                keys(
                        flags.etcd,
                        values,
                        files -> ClientTls.open(files, metrics.certificateReloads(), InstantSource.system())),
                metrics.registry(),
                new StorageMetrics(metrics.registry()));
        StorageMetrics.showSize(keys, metrics);
        return RemoteStore.open(
                keys, options, lifetimes(values.get(flags.eventLifetime)), values.get(flags.progressTimeout));
    }

    /** Loader of certificate files. */
    private interface TlsLoader {
        ClientTls load(ClientTls.Config files) throws PemException;
    }

    /** Opens the keys of an etcd; certificate files are closed with them. */
    private static RemoteKeys keys(EtcdFlags flags, FlagValues values, TlsLoader loader) throws StorageException {
        RemoteProtocol protocol = protocol();
        Optional<ClientTls.Config> files = flags.tls(values);
        if (files.isEmpty()) {
            return protocol.open(flags.settings(values, null));
        }
        try {
            ClientTls tls = loader.load(files.get());
            return new DelegatingKeys(protocol.open(flags.settings(values, tls.context()))) {
                @Override
                public void close() {
                    super.close();
                    tls.close();
                }
            };
        } catch (PemException e) {
            throw new StorageException(StorageException.Kind.UNAVAILABLE, String.valueOf(e.getMessage()), e);
        }
    }

    private static RemoteProtocol protocol() throws StorageException {
        String directory = System.getProperty(BACKENDS, "");
        try {
            return RemoteProtocol.find(Path.of(directory), EtcdFlags.BACKEND);
        } catch (IOException e) {
            throw new StorageException(
                    StorageException.Kind.UNAVAILABLE,
                    "the backend " + EtcdFlags.BACKEND + " is not available: " + e.getMessage(),
                    e);
        }
    }
}
