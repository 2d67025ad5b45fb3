package io.plat.apiserver;

import io.plat.apiserver.metrics.EtcdMeters;
import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.storage.etcd.RemoteKeys;
import io.plat.apiserver.storage.etcd.RemoteProtocol;
import io.plat.apiserver.storage.etcd.RemoteStore;
import io.plat.apiserver.storage.etcd.RequestObserver;
import io.plat.http.commandline.FlagValues;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.OpenResources;
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

    private StorageFactory() {}

    /**
     * Opens the store.
     *
     * @param foreign recognizes hidden entries, and collects their keys
     * @param opened receives what is to be closed after the store
     */
    static ObjectStore open(
            StorageFlags flags, FlagValues values, ServerMetrics metrics, ForeignEntries foreign, OpenResources opened)
            throws StorageException {
        StoreOptions options =
                StoreOptions.keeping(values.get(flags.history)).with(foreign, new StorageMetrics(metrics.registry()));
        Optional<Path> directory = flags.dataDirectory(values);
        if (directory.isPresent()) {
            ObjectStore store = EmbeddedStore.open(directory.get(), options);
            StorageMetrics.showSize(directory.get(), metrics);
            return store;
        }
        RemoteKeys keys = keys(
                flags.etcd,
                values,
                files -> opened.with(ClientTls.open(files, metrics.certificateReloads(), InstantSource.system())),
                new EtcdMeters(metrics.registry()));
        StorageMetrics.showSize(keys, metrics);
        return RemoteStore.open(
                keys, options, lifetimes(values.get(flags.eventLifetime)), values.get(flags.progressTimeout));
    }

    static Map<String, Duration> lifetimes(Duration ofEvents) {
        return Map.of("events", ofEvents);
    }

    /** Opens the keys of an etcd for a short run: certificates are loaded once. */
    static RemoteKeys keys(EtcdFlags flags, FlagValues values) throws StorageException {
        return keys(flags, values, files -> ClientTls.read(files, InstantSource.system()), RequestObserver.NONE);
    }

    private interface TlsLoader {
        ClientTls load(ClientTls.Config files) throws PemException;
    }

    private static RemoteKeys keys(EtcdFlags flags, FlagValues values, TlsLoader loader, RequestObserver observer)
            throws StorageException {
        RemoteProtocol protocol = protocol();
        Optional<ClientTls.Config> files = flags.tls(values);
        try {
            ClientTls tls = files.isEmpty() ? null : loader.load(files.get());
            return protocol.open(flags.settings(values, tls == null ? null : tls.context()), observer);
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
