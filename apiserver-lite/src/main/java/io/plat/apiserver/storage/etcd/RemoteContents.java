package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.ContentsDigest;
import io.plat.apiserver.storage.move.StoredObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Contents of a store in etcd at one revision, read page by page. */
public final class RemoteContents implements Contents {
    private final RemoteKeys keys;
    private final boolean online;
    private final Origin origin;
    /** Revision in etcd's numbering. */
    private final long revision;

    private @Nullable ContentsDigest permanentObjects;

    private RemoteContents(RemoteKeys keys, boolean online) throws StorageException {
        this.keys = keys;
        this.online = online;
        this.origin = Origin.readComplete(keys);
        if (!online) {
            rejectServers(keys);
        }
        rejectEmpty(keys);
        this.revision = RemoteLoader.await(keys.revision());
    }

    /**
     * Opens the contents of a store that no server uses.
     *
     * @param keys keys, owned by the contents even if opening fails
     * @throws StorageException if it is unavailable, in use, empty or incomplete
     */
    public static RemoteContents open(RemoteKeys keys) throws StorageException {
        return open(keys, false);
    }

    /**
     * Opens the current contents of a store, even while servers use it.
     *
     * @param keys keys, owned by the contents even if opening fails
     * @throws StorageException if it is unavailable, empty or incomplete
     */
    public static RemoteContents openOnline(RemoteKeys keys) throws StorageException {
        return open(keys, true);
    }

    private static RemoteContents open(RemoteKeys keys, boolean online) throws StorageException {
        try {
            return new RemoteContents(keys, online);
        } catch (StorageException e) {
            keys.close();
            throw e;
        }
    }

    /** Rejects a store that servers use, as one of them holds the leader's key. */
    static void rejectServers(RemoteKeys keys) throws StorageException {
        if (RemoteLoader.await(keys.get(RemoteElection.LEADER)) != null) {
            throw new StorageException(
                    Kind.IN_USE,
                    "a server uses it, or was killed less than "
                            + RemoteElection.Intervals.DEFAULT.leaseDuration().toSeconds()
                            + " s ago: stop all servers first");
        }
    }

    /** Rejects an unused prefix, which would replace a store or backup by nothing. Every server writes internal keys. */
    private static void rejectEmpty(RemoteKeys keys) throws StorageException {
        if (RemoteLoader.await(keys.list("", 1, 0)) instanceof RemoteKeys.ListResult.Found(RemoteKeys.Page page)
                && page.values().isEmpty()) {
            throw new StorageException(Kind.UNAVAILABLE, "no server has stored anything under this prefix");
        }
    }

    @Override
    public long revision() {
        return revision + origin.offset();
    }

    @Override
    public long objects() {
        return 0;
    }

    @Override
    public void forEach(ObjectConsumer consumer) throws StorageException {
        permanentObjects = new RevisionReader(keys, revision).forEach(consumer);
    }

    @Override
    public void ensureUnchanged() throws StorageException {
        if (online) {
            return;
        }
        rejectServers(keys);
        long currentRevision = RemoteLoader.await(keys.revision());
        if (currentRevision == revision) {
            return;
        }
        // Leases may have expired, and others may use the same etcd.
        if (!new RevisionReader(keys, currentRevision).forEach(object -> {}).equals(permanentObjects)) {
            throw new StorageException(Kind.IN_USE, "it was written to in the meantime");
        }
    }

    @Override
    public void close() {
        keys.close();
    }

    /** Objects in etcd at a revision. */
    record RevisionReader(RemoteKeys keys, long revision) {
        /**
         * Passes on every object.
         *
         * @return digest of the objects without expiry
         */
        ContentsDigest forEach(ObjectConsumer consumer) throws StorageException {
            var permanentObjects = new ContentsDigest.Accumulator();
            boolean complete = RemoteLoader.pages(
                    keys,
                    "",
                    revision,
                    page -> forward(page.values(), object -> {
                        if (object.isPermanent()) {
                            permanentObjects.add(object);
                        }
                        consumer.accept(object);
                    }));
            if (!complete) {
                throw new StorageException(
                        Kind.UNAVAILABLE, "the revision that was being read was compacted: try again");
            }
            return permanentObjects.digest();
        }

        private void forward(List<RemoteKeys.Value> values, ObjectConsumer consumer) throws StorageException {
            Map<Long, CompletableFuture<Long>> remaining = new HashMap<>();
            for (RemoteKeys.Value value : values) {
                if (value.lease() != 0) {
                    remaining.computeIfAbsent(value.lease(), keys::remaining);
                }
            }
            for (RemoteKeys.Value value : values) {
                CompletableFuture<Long> remainingSeconds = remaining.get(value.lease());
                long seconds = remainingSeconds == null ? StoredObject.NO_EXPIRY : RemoteLoader.await(remainingSeconds);
                Key key = RemoteObjects.key(value.key());
                boolean expired = remainingSeconds != null && seconds <= 0;
                if (key != null && value.bytes().length > 0 && !expired) {
                    consumer.accept(new StoredObject(key, value.bytes(), seconds));
                }
            }
        }
    }
}
