package io.plat.apiserver.storage.etcd;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Keys that delegate to others; base class of decorators. */
public abstract class DelegatingKeys implements RemoteKeys {
    private final RemoteKeys keys;

    protected DelegatingKeys(RemoteKeys keys) {
        this.keys = keys;
    }

    @Override
    public CompletableFuture<Newest> newest(String key) {
        return keys.newest(key);
    }

    @Override
    public CompletableFuture<ListResult> list(String after, int limit, long revision) {
        return keys.list(after, limit, revision);
    }

    @Override
    public CompletableFuture<@Nullable Value> get(String key) {
        return keys.get(key);
    }

    @Override
    public CompletableFuture<WriteResult> write(RemoteWrite write) {
        return keys.write(write);
    }

    @Override
    public CompletableFuture<Boolean> writeAll(List<RemoteWrite> changes, RemoteWrite.Expected condition) {
        return keys.writeAll(changes, condition);
    }

    @Override
    public Feed follow(long from, FeedListener listener) {
        return keys.follow(from, listener);
    }

    @Override
    public CompletableFuture<@Nullable Void> compact(long revision) {
        return keys.compact(revision);
    }

    @Override
    public CompletableFuture<Long> lease(long seconds) {
        return keys.lease(seconds);
    }

    @Override
    public CompletableFuture<Boolean> renew(long lease) {
        return keys.renew(lease);
    }

    @Override
    public CompletableFuture<Long> remaining(long lease) {
        return keys.remaining(lease);
    }

    @Override
    public CompletableFuture<@Nullable Void> release(long lease) {
        return keys.release(lease);
    }

    @Override
    public CompletableFuture<Long> size() {
        return keys.size();
    }

    @Override
    public void close() {
        keys.close();
    }
}
