package io.plat.apiserver.roles;

import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A store as one follower reads it: its watches tell how far they have been read. Nobody else's watches may be made here. */
final class ReadStore implements ObjectStore {
    private final ObjectStore store;
    private final Progress progress;

    ReadStore(ObjectStore store, Progress progress) {
        this.store = store;
        this.progress = progress;
    }

    @Override
    public boolean readsFromMemory() {
        return store.readsFromMemory();
    }

    @Override
    public Watch watch(KeyRange range, long after, Runnable ready) {
        progress.read(range.resource(), after);
        Watch watch = store.watch(range, after, ready);
        return new Watch() {
            @Override
            public Batch poll(int limit) {
                Batch batch = watch.poll(limit);
                if (batch instanceof Batch.Events events) {
                    progress.read(range.resource(), events.position());
                }
                return batch;
            }

            @Override
            public void close() {
                watch.close();
            }
        };
    }

    @Override
    public CompletableFuture<Outcome> submit(Transaction transaction) {
        return store.submit(transaction);
    }

    @Override
    public Snapshot latest() throws StorageException {
        return store.latest();
    }

    @Override
    public Lookup at(long revision) throws StorageException {
        return store.at(revision);
    }

    @Override
    public Lookup notBefore(long revision) throws StorageException {
        return store.notBefore(revision);
    }

    @Override
    public Optional<String> problem() {
        return store.problem();
    }

    @Override
    public void close() throws StorageException {
        store.close();
    }
}
