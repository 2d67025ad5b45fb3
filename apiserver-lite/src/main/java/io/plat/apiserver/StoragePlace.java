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
import io.plat.apiserver.storage.move.Sum;
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

/** The flags of a command that name a store of either kind: a folder, or an etcd. */
final class StoragePlace {
    private final Flag<Optional<Path>> directory;
    private final EtcdFlags etcd;

    /**
     * The flags.
     *
     * @param start how their names begin; may be empty
     */
    StoragePlace(FlagSet flags, String start) {
        directory = flags.optional(start + "data-dir", FlagType.FOLDER);
        etcd = new EtcdFlags(flags, start, "an etcd in place of " + directory.dashed());
        flags.check(this::check);
    }

    private void check(FlagValues values, FlagProblems problems) {
        if (!values.given(directory) && !values.given(etcd.place())) {
            problems.add(
                    directory,
                    "missing, expected " + FlagType.FOLDER.expected() + ", or "
                            + etcd.place().dashed());
        } else if (values.given(directory)) {
            etcd.refuse(values, problems);
        } else {
            etcd.require(values, problems);
        }
    }

    /** The flag that names the folder of an embedded store. */
    Flag<Optional<Path>> directory() {
        return directory;
    }

    /** The flag that names it. */
    String named(FlagValues values) {
        return values.given(directory) ? directory.dashed() : etcd.place().dashed();
    }

    /**
     * What it holds, while no server works on it.
     *
     * @param lifetimes for how long objects of a resource are to be kept that have no end here
     */
    Contents contents(FlagValues values, Map<String, Duration> lifetimes) throws StorageException {
        Optional<Path> folder = values.get(directory);
        return folder.isPresent()
                ? EmbeddedContents.open(folder.get(), new EmbeddedContents.Ages(lifetimes, Clock.systemUTC()))
                : RemoteContents.open(StorageOpening.keys(etcd, values));
    }

    /** What it holds at this moment, whether servers work on it or not. */
    Contents contentsBesideServers(FlagValues values) throws StorageException {
        Optional<Path> folder = values.get(directory);
        return folder.isPresent()
                ? EmbeddedContents.openBesideServer(folder.get())
                : RemoteContents.openBesideServers(StorageOpening.keys(etcd, values));
    }

    /** Opens it, with all that it holds. */
    ObjectStore open(FlagValues values) throws StorageException {
        StoreOptions options = StoreOptions.keeping(HistoryPolicy.DEFAULT);
        Optional<Path> folder = values.get(directory);
        return folder.isPresent()
                ? EmbeddedStore.open(folder.get(), options)
                : RemoteStore.open(StorageOpening.keys(etcd, values), options, Map.of());
    }

    /**
     * Puts contents there.
     *
     * @param replace whether a store that is there is replaced
     * @param lifetimes for how long objects of a resource are to be kept in etcd that had no end where they come from
     */
    Destination destination(FlagValues values, boolean replace, Map<String, Duration> lifetimes) {
        Optional<Path> folder = values.get(directory);
        return folder.isPresent()
                ? new EmbeddedDestination(folder.get(), replace, Clock.systemUTC())
                : (contents, behind) -> intoEtcd(
                        values, keys -> new RemoteDestination(keys, replace, lifetimes).take(contents, behind));
    }

    /** Something that is done with keys. */
    private interface Work {
        Sum with(RemoteKeys keys) throws StorageException;
    }

    private Sum intoEtcd(FlagValues values, Work work) throws StorageException {
        RemoteKeys keys = StorageOpening.keys(etcd, values);
        try {
            return work.with(keys);
        } finally {
            keys.close();
        }
    }
}
