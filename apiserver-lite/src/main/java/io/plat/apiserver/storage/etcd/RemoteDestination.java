package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.etcd.RemoteKeys.WriteResult;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.ContentsDigest;
import io.plat.apiserver.storage.move.Destination;
import io.plat.apiserver.storage.move.StoredObject;
import io.plat.engine.lookup.Frozen;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Store in etcd as a destination of contents. Until everything was written and read back, its origin marks it as incomplete, and no server
 * uses it meanwhile: neither a newly started one, nor an existing one, as the unchanged origin is a precondition of its writes.
 *
 * <p>All objects have revisions after that of the first write of the origin. So the offset ({@link Origin}) maps that revision to the last
 * one that clients of the other store have seen.
 *
 * @param keys keys, which stay the caller's
 * @param replace whether to replace existing objects
 * @param lifetimes lifetimes, by resource, of objects that had no expiry in the source
 */
public record RemoteDestination(RemoteKeys keys, boolean replace, Map<String, Duration> lifetimes)
        implements Destination {
    public RemoteDestination {
        lifetimes = Frozen.copyOf(lifetimes);
    }

    @Override
    public ContentsDigest write(Contents contents, long minRevision) throws StorageException {
        Origin previous = Origin.read(keys);
        RemoteContents.rejectServers(keys);
        if (!replace) {
            rejectExisting(previous);
        }
        long originRevision = write(new Origin(previous.offset(), false, previous.written()));
        var condition = new RemoteWrite.Expected(Origin.KEY, originRevision);
        RemoteBatches.removeAll(keys, condition);
        ContentsDigest read = write(contents, condition);
        contents.ensureUnchanged();
        write(new Origin(Math.max(previous.offset(), minRevision - originRevision), true, originRevision));
        return read;
    }

    private void rejectExisting(Origin previous) throws StorageException {
        if (!previous.complete()) {
            throw new StorageException(
                    Kind.UNAVAILABLE,
                    "an earlier migration or restore into it was not finished; use --force to start again");
        }
        boolean empty = switch (RemoteLoader.await(keys.list("", 1, 0))) {
            case RemoteKeys.ListResult.Compacted gone -> false;
            case RemoteKeys.ListResult.Found(RemoteKeys.Page page) ->
                page.values().stream().allMatch(value -> value.key().startsWith(RemoteObjects.INTERNAL));
        };
        if (!empty) {
            throw new StorageException(Kind.UNAVAILABLE, "it already contains objects; use --force to replace them");
        }
    }

    /** Overwrites the origin that was read; returns the revision of the new one. */
    private long write(Origin origin) throws StorageException {
        var write = new RemoteWrite(
                Origin.KEY, origin.encode(), List.of(new RemoteWrite.Expected(Origin.KEY, origin.written())), 0);
        return switch (RemoteLoader.await(keys.write(write))) {
            case WriteResult.Done done -> done.revision();
            case WriteResult.Refused refused ->
                throw new StorageException(Kind.IN_USE, "another process writes to it at the same time");
        };
    }

    /** Writes everything and reads it back: the digest of the objects without expiry must match; others may have expired. */
    private ContentsDigest write(Contents contents, RemoteWrite.Expected condition) throws StorageException {
        var permanent = new ContentsDigest.Accumulator();
        long[] expiring = {0};
        var batches = new RemoteBatches(keys, condition);
        contents.forEach(object -> {
            long seconds = seconds(object);
            if (seconds == StoredObject.NO_EXPIRY) {
                permanent.add(object);
            } else {
                expiring[0]++;
            }
            batches.put(new StoredObject(object.key(), object.bytes(), seconds));
        });
        batches.finish();
        var all = new ContentsDigest.Accumulator();
        ContentsDigest permanentRead =
                new RemoteContents.RevisionReader(keys, RemoteLoader.await(keys.revision())).forEach(all::add);
        permanent.digest().ensureReadBack(permanentRead);
        ContentsDigest read = all.digest();
        if (read.objects() - permanentRead.objects() > expiring[0]) {
            throw ContentsDigest.readBackFailure();
        }
        return read;
    }

    private long seconds(StoredObject object) {
        Duration lifetime = lifetimes.get(object.key().resource());
        return object.isPermanent() && lifetime != null ? lifetime.toSeconds() : object.seconds();
    }

    /** Writer of many objects to etcd in parallel transactions with a common precondition. Not thread-safe. */
    private static final class RemoteBatches {
        /** etcd's default limit of operations per transaction. */
        private static final int MAX_CHANGES = 128;

        /** A third of etcd's default request limit; a larger object has a separate transaction. */
        private static final int MAX_BYTES = 512 << 10;

        private static final int CONCURRENCY = 8;

        private final RemoteKeys keys;
        private final RemoteWrite.Expected condition;
        private final Deque<CompletableFuture<Boolean>> inProgress = new ArrayDeque<>();
        private List<RemoteWrite> batch = new ArrayList<>();
        private long bytes;

        RemoteBatches(RemoteKeys keys, RemoteWrite.Expected condition) {
            this.keys = keys;
            this.condition = condition;
        }

        /** Removes every key except that of the precondition. */
        static void removeAll(RemoteKeys keys, RemoteWrite.Expected condition) throws StorageException {
            var removing = new RemoteBatches(keys, condition);
            boolean complete = RemoteLoader.pages(keys, "", 0, page -> {
                for (RemoteKeys.Value value : page.values()) {
                    String key = value.key();
                    if (!key.equals(condition.key())) {
                        removing.add(new RemoteWrite(key, null, List.of(), 0), key.length());
                    }
                }
            });
            if (!complete) {
                throw new StorageException(
                        Kind.UNAVAILABLE, "the store is compacted before its contents can be removed");
            }
            removing.finish();
        }

        void put(StoredObject object) throws StorageException {
            String key = RemoteObjects.key(object.key());
            if (object.isPermanent()) {
                add(new RemoteWrite(key, object.bytes(), List.of(), 0), object.bytes().length + key.length());
            } else {
                // A separate lease, for the remaining lifetime.
                track(keys.lease(object.seconds())
                        .thenCompose(lease -> keys.writeAll(
                                List.of(new RemoteWrite(key, object.bytes(), List.of(), lease)), condition)));
            }
        }

        private void add(RemoteWrite write, long size) throws StorageException {
            if (batch.size() == MAX_CHANGES || (bytes + size > MAX_BYTES && !batch.isEmpty())) {
                send();
            }
            batch.add(write);
            bytes += size;
        }

        private void send() throws StorageException {
            List<RemoteWrite> full = batch;
            batch = new ArrayList<>();
            bytes = 0;
            track(keys.writeAll(full, condition));
        }

        private void track(CompletableFuture<Boolean> write) throws StorageException {
            inProgress.add(write);
            if (inProgress.size() > CONCURRENCY) {
                await();
            }
        }

        void finish() throws StorageException {
            if (!batch.isEmpty()) {
                send();
            }
            while (!inProgress.isEmpty()) {
                await();
            }
        }

        private void await() throws StorageException {
            if (!RemoteLoader.await(inProgress.removeFirst())) {
                throw new StorageException(Kind.IN_USE, "another process writes to it at the same time");
            }
        }
    }
}
