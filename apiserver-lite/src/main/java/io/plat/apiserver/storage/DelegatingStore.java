package io.plat.apiserver.storage;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A store that does everything as another does, but for what a subclass does otherwise. */
public abstract class DelegatingStore implements ObjectStore {
    private final ObjectStore store;

    /** A store that hands everything on to another. */
    protected DelegatingStore(ObjectStore store) {
        this.store = store;
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
    public boolean readsFromMemory() {
        return store.readsFromMemory();
    }

    @Override
    public CompletableFuture<Outcome> submit(Transaction transaction) {
        return store.submit(transaction);
    }

    @Override
    public Watch watch(KeyRange range, long after, Runnable ready) {
        return store.watch(range, after, ready);
    }

    @Override
    public AutoCloseable elect(Duty duty) {
        return store.elect(duty);
    }

    @Override
    public Presence presence() {
        return store.presence();
    }

    @Override
    public Optional<String> problem() {
        return store.problem();
    }

    @Override
    public boolean isCurrent() {
        return store.isCurrent();
    }

    @Override
    public void close() throws StorageException {
        store.close();
    }
}
