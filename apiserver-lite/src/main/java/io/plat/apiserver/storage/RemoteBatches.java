package io.plat.apiserver.storage;

import io.plat.apiserver.storage.move.Kept;
import io.plat.apiserver.storage.remote.RemoteKeys;
import io.plat.apiserver.storage.remote.RemoteWrite;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Writes many objects to other processes, many in a transaction and some transactions at a time, all on one condition. For one thread. */
final class RemoteBatches {
    /** What a member takes in one transaction unless it is told otherwise. */
    private static final int MOST_CHANGES = 128;

    /** A third of what a member takes in one request unless it is told otherwise; a larger object goes alone. */
    private static final int MOST_BYTES = 512 << 10;

    private static final int UNDERWAY = 8;

    private final RemoteKeys keys;
    private final RemoteWrite.Expected condition;
    private final Deque<CompletableFuture<Boolean>> underway = new ArrayDeque<>();
    private List<RemoteWrite> batch = new ArrayList<>();
    private long bytes;

    RemoteBatches(RemoteKeys keys, RemoteWrite.Expected condition) {
        this.keys = keys;
        this.condition = condition;
    }

    /** Removes every key but the one of the condition. */
    static void removeAll(RemoteKeys keys, RemoteWrite.Expected condition) throws StorageException {
        var removing = new RemoteBatches(keys, condition);
        String after = "";
        boolean more = true;
        while (more) {
            if (!(RemoteLoading.await(keys.list(after, MOST_CHANGES, 0))
                    instanceof RemoteKeys.Listed.Found(RemoteKeys.Page page))) {
                throw new IllegalStateException("the newest state is compacted");
            }
            for (RemoteKeys.Value value : page.values()) {
                after = value.key();
                if (!after.equals(condition.key())) {
                    removing.add(new RemoteWrite(after, null, List.of(), 0), after.length());
                }
            }
            more = page.more() && !page.values().isEmpty();
        }
        removing.finish();
    }

    void put(Kept kept) throws StorageException {
        String key = RemoteObjects.key(kept.key());
        if (kept.lasting()) {
            add(new RemoteWrite(key, kept.bytes(), List.of(), 0), kept.bytes().length + key.length());
        } else {
            // A lease of its own, as the store gives it.
            begin(keys.lease(kept.seconds())
                    .thenCompose(lease ->
                            keys.writeAll(List.of(new RemoteWrite(key, kept.bytes(), List.of(), lease)), condition)));
        }
    }

    private void add(RemoteWrite write, long size) throws StorageException {
        if (batch.size() == MOST_CHANGES || (bytes + size > MOST_BYTES && !batch.isEmpty())) {
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
        underway.add(write);
        if (underway.size() > UNDERWAY) {
            await();
        }
    }

    /** Waits until everything is there. */
    void finish() throws StorageException {
        if (!batch.isEmpty()) {
            send();
        }
        while (!underway.isEmpty()) {
            await();
        }
    }

    private void await() throws StorageException {
        if (!RemoteLoading.await(underway.removeFirst())) {
            throw new StorageException(StorageException.Kind.IN_USE, "somebody else writes to it at the same time");
        }
    }
}
