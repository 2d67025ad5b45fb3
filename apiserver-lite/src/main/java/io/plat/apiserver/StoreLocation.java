package io.plat.apiserver;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedContents;
import io.plat.apiserver.storage.embedded.EmbeddedDestination;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.storage.etcd.RemoteContents;
import io.plat.apiserver.storage.etcd.RemoteDestination;
import io.plat.apiserver.storage.etcd.RemoteKeys;
import io.plat.apiserver.storage.etcd.RemoteStore;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.Destination;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Flags of a command that name a store of either kind: a directory, or an etcd cluster. */
final class StoreLocation {
    private final Flag<Optional<Path>> directory;
    private final EtcdFlags etcd;

    /**
     * Defines the flags.
     *
     * @param start prefix of their names; may be empty
     */
    StoreLocation(FlagSet flags, String start) {
        directory = flags.optional(start + "data-dir", FlagType.DIRECTORY);
        etcd = new EtcdFlags(flags, start, "cannot be combined with " + directory.dashed());
        flags.check(this::check);
    }

    private void check(FlagValues values, FlagProblems problems) {
        if (!values.isSet(directory) && !values.isSet(etcd.flag())) {
            problems.add(
                    directory,
                    "required, expected " + FlagType.DIRECTORY.expected() + ", or "
                            + etcd.flag().dashed());
        } else if (values.isSet(directory)) {
            etcd.reject(values, problems);
        } else {
            etcd.require(values, problems);
        }
    }

    /** Returns the flag for the directory of an embedded store. */
    Flag<Optional<Path>> directory() {
        return directory;
    }

    String named(FlagValues values) {
        return values.isSet(directory) ? directory.dashed() : etcd.flag().dashed();
    }

    /** Returns the contents of a store that no server uses. */
    Contents contents(FlagValues values, Map<String, Duration> lifetimes) throws StorageException {
        Optional<Path> path = values.get(directory);
        return path.isPresent()
                ? EmbeddedContents.open(path.get(), new EmbeddedContents.Expiry(lifetimes, Clock.systemUTC()))
                : RemoteContents.open(StorageFactory.keys(etcd, values));
    }

    /** Returns the current contents, even while servers use the store. */
    Contents onlineContents(FlagValues values) throws StorageException {
        Optional<Path> path = values.get(directory);
        return path.isPresent()
                ? EmbeddedContents.openOnline(path.get())
                : RemoteContents.openOnline(StorageFactory.keys(etcd, values));
    }

    ObjectStore open(FlagValues values) throws StorageException {
        StoreOptions options = StoreOptions.keeping(HistoryPolicy.DEFAULT);
        Optional<Path> path = values.get(directory);
        return path.isPresent()
                ? EmbeddedStore.open(path.get(), options)
                : RemoteStore.open(StorageFactory.keys(etcd, values), options, Map.of());
    }

    /**
     * Returns a destination for contents.
     *
     * @param replace whether to replace an existing store
     * @param lifetimes lifetimes in etcd, by resource, of objects that had no expiry in the source
     */
    Destination destination(FlagValues values, boolean replace, Map<String, Duration> lifetimes) {
        Optional<Path> path = values.get(directory);
        return path.isPresent()
                ? new EmbeddedDestination(path.get(), replace, Clock.systemUTC())
                : (contents, minRevision) -> {
                    try (RemoteKeys keys = StorageFactory.keys(etcd, values)) {
                        return new RemoteDestination(keys, replace, lifetimes).write(contents, minRevision);
                    }
                };
    }
}
