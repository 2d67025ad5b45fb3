package io.plat.apiserver.storage;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Store that delegates to another one; base class of decorators. */
public abstract class DelegatingStore implements ObjectStore {
    private final ObjectStore store;

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
    public AutoCloseable elect(LeaderTask task) {
        return store.elect(task);
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
    public double fullness() {
        return store.fullness();
    }

    @Override
    public void countDerived(String namespace, long bytes) {
        store.countDerived(namespace, bytes);
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
