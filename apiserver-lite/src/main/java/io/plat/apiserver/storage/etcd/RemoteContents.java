package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.Kept;
import io.plat.apiserver.storage.move.Sum;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The contents of a store in other processes, as they were at one revision, page by page. */
public final class RemoteContents implements Contents {
    private final RemoteKeys keys;
    private final boolean besideServers;
    private final Origin origin;
    /** As the other processes count. */
    private final long revision;

    private @Nullable Sum lasting;

    private RemoteContents(RemoteKeys keys, boolean besideServers) throws StorageException {
        this.keys = keys;
        this.besideServers = besideServers;
        this.origin = Origin.readWhole(keys);
        if (!besideServers) {
            refuseServers(keys);
        }
        refuseNothing(keys);
        this.revision = RemoteLoading.await(keys.revision());
    }

    /**
     * The contents of a store that no server works on.
     *
     * @param keys belong to the contents from now on, also where they can't be opened
     * @throws StorageException if it does not answer, if a server works on it, or if nothing or not everything is there
     */
    public static RemoteContents open(RemoteKeys keys) throws StorageException {
        return open(keys, false);
    }

    /**
     * The contents of a store as they are at this moment, whether servers work on it or not.
     *
     * @param keys belong to the contents from now on, also where they can't be opened
     * @throws StorageException if it does not answer, or if nothing or not everything is there
     */
    public static RemoteContents openBesideServers(RemoteKeys keys) throws StorageException {
        return open(keys, true);
    }

    private static RemoteContents open(RemoteKeys keys, boolean besideServers) throws StorageException {
        try {
            return new RemoteContents(keys, besideServers);
        } catch (StorageException e) {
            keys.close();
            throw e;
        }
    }

    /** One of the servers on a store, if there are any, does the background work and has a note there. */
    static void refuseServers(RemoteKeys keys) throws StorageException {
        if (RemoteLoading.await(keys.get(RemoteElection.LEADER)) != null) {
            throw new StorageException(
                    Kind.IN_USE,
                    "a server works on it, or was killed less than "
                            + RemoteElection.Pace.USUAL.lease().toSeconds() + " s ago: stop every one first");
        }
    }

    /** Every server leaves notes. A prefix that none has used would replace a store or a backup with nothing. */
    private static void refuseNothing(RemoteKeys keys) throws StorageException {
        if (RemoteLoading.await(keys.list("", 1, 0)) instanceof RemoteKeys.Listed.Found(RemoteKeys.Page page)
                && page.values().isEmpty()) {
            throw new StorageException(Kind.UNAVAILABLE, "no server has kept anything under this prefix");
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
    public void each(Taker taker) throws StorageException {
        lasting = new Reading(keys, revision).each(taker);
    }

    @Override
    public void ensureUnchanged() throws StorageException {
        if (besideServers) {
            return;
        }
        refuseServers(keys);
        long now = RemoteLoading.await(keys.revision());
        if (now == revision) {
            return;
        }
        // Leases may have ended, and others may use the same processes.
        if (!new Reading(keys, now).each(kept -> {}).equals(lasting)) {
            throw new StorageException(Kind.IN_USE, "somebody has written to it in the meantime");
        }
    }

    @Override
    public void close() {
        keys.close();
    }

    /**
     * The objects that other processes hold at a revision.
     *
     * @param keys where they are
     * @param revision as those processes count
     */
    record Reading(RemoteKeys keys, long revision) {
        /**
         * Hands out every object.
         *
         * @return the sum of those that stay until they are deleted
         */
        Sum each(Taker taker) throws StorageException {
            var lasting = new Sum.Running();
            boolean whole = RemoteLoading.pages(
                    keys,
                    "",
                    revision,
                    page -> hand(page.values(), kept -> {
                        if (kept.lasting()) {
                            lasting.add(kept);
                        }
                        taker.take(kept);
                    }));
            if (!whole) {
                throw new StorageException(
                        Kind.UNAVAILABLE, "the state that was being read was compacted in the meantime: try again");
            }
            return lasting.sum();
        }

        private void hand(List<RemoteKeys.Value> values, Taker taker) throws StorageException {
            Map<Long, CompletableFuture<Long>> remaining = new HashMap<>();
            for (RemoteKeys.Value value : values) {
                if (value.lease() != 0) {
                    remaining.computeIfAbsent(value.lease(), keys::remaining);
                }
            }
            for (RemoteKeys.Value value : values) {
                CompletableFuture<Long> asked = remaining.get(value.lease());
                long seconds = asked == null ? Kept.LASTING : RemoteLoading.await(asked);
                Key key = RemoteObjects.key(value.key());
                boolean over = asked != null && seconds <= 0;
                if (key != null && value.bytes().length > 0 && !over) {
                    taker.take(new Kept(key, value.bytes(), seconds));
                }
            }
        }
    }
}
