package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.move.StoredObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Writes many objects to etcd in parallel transactions with a common precondition. For one thread. */
final class RemoteBatches {
    /** etcd's default limit of operations per transaction. */
    private static final int MAX_CHANGES = 128;

    /** A third of etcd's default request limit; a larger object has a transaction of its own. */
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
        boolean whole = RemoteLoader.pages(keys, "", 0, page -> {
            for (RemoteKeys.Value value : page.values()) {
                String key = value.key();
                if (!key.equals(condition.key())) {
                    removing.add(new RemoteWrite(key, null, List.of(), 0), key.length());
                }
            }
        });
        if (!whole) {
            throw new StorageException(Kind.UNAVAILABLE, "the store is compacted before its contents can be removed");
        }
        removing.finish();
    }

    void put(StoredObject object) throws StorageException {
        String key = RemoteObjects.key(object.key());
        if (object.lasting()) {
            add(new RemoteWrite(key, object.bytes(), List.of(), 0), object.bytes().length + key.length());
        } else {
            // A lease of its own, as for other writes of the store.
            begin(keys.lease(object.seconds())
                    .thenCompose(lease ->
                            keys.writeAll(List.of(new RemoteWrite(key, object.bytes(), List.of(), lease)), condition)));
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
        begin(keys.writeAll(full, condition));
    }

    private void begin(CompletableFuture<Boolean> write) throws StorageException {
        inProgress.add(write);
        if (inProgress.size() > CONCURRENCY) {
            await();
        }
    }

    /** Waits for completion. */
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
