package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.Page;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keys with revisions relative to an {@link Origin}, valid as long as the origin is unchanged: it is a precondition of each write, and
 * checked with each request for the newest revision. So no client continues in a store that was replaced meanwhile.
 */
final class OriginKeys implements RemoteKeys {
    private static final long NEVER = -1;

    private final RemoteKeys keys;
    private final Origin origin;
    private final long offset;
    private volatile boolean replaced;

    private OriginKeys(RemoteKeys keys, Origin origin) {
        this.keys = keys;
        this.origin = origin;
        this.offset = origin.offset();
    }

    /** Opens keys with the current origin. */
    static RemoteKeys open(RemoteKeys keys) throws StorageException {
        return new OriginKeys(keys, Origin.readComplete(keys));
    }

    private <T> CompletableFuture<T> contentsReplaced() {
        replaced = true;
        return CompletableFuture.failedFuture(
                new StorageException(Kind.UNAVAILABLE, "its contents were replaced: restart the server"));
    }

    private long remoteRevision(long revision) {
        return revision > offset ? revision - offset : NEVER;
    }

    private @Nullable Value shiftedOrNull(@Nullable Value value) {
        return value == null ? null : shifted(value);
    }

    private Value shifted(Value value) {
        return offset == 0 ? value : new Value(value.key(), value.bytes(), value.revision() + offset, value.lease());
    }

    @Override
    public CompletableFuture<Newest> newest(String key) {
        if (!key.equals(Origin.KEY)) {
            throw new IllegalArgumentException("not a key of the origin: " + key);
        }
        if (replaced) {
            return contentsReplaced();
        }
        return keys.newest(key)
                .thenCompose(newest -> newest.written() == origin.written()
                        ? CompletableFuture.completedFuture(new Newest(newest.revision() + offset, newest.written()))
                        : contentsReplaced());
    }

    @Override
    public CompletableFuture<ListResult> list(String after, int limit, long revision) {
        if (revision != 0 && revision <= offset) {
            return CompletableFuture.completedFuture(new ListResult.Compacted());
        }
        return keys.list(after, limit, revision == 0 ? 0 : remoteRevision(revision))
                .thenApply(listed -> switch (listed) {
                    case ListResult.Compacted gone -> gone;
                    case ListResult.Found(Page page) -> new ListResult.Found(shifted(page));
                });
    }

    private Page shifted(Page page) {
        if (offset == 0) {
            return page;
        }
        return new Page(page.values().stream().map(this::shifted).toList(), page.more(), page.revision() + offset);
    }

    @Override
    public CompletableFuture<@Nullable Value> get(String key) {
        return keys.get(key).thenApply(this::shiftedOrNull);
    }

    @Override
    public CompletableFuture<WriteResult> write(RemoteWrite write) {
        if (replaced) {
            return contentsReplaced();
        }
        var expectations =
                new ArrayList<RemoteWrite.Expected>(write.expectations().size() + 1);
        for (RemoteWrite.Expected expected : write.expectations()) {
            expectations.add(new RemoteWrite.Expected(
                    expected.key(),
                    expected.revision() == Transaction.Expectation.ABSENT
                            ? Transaction.Expectation.ABSENT
                            : remoteRevision(expected.revision())));
        }
        expectations.add(new RemoteWrite.Expected(Origin.KEY, origin.written()));
        return keys.write(new RemoteWrite(write.key(), write.bytes(), expectations, write.lease()))
                .thenCompose(this::written);
    }

    private CompletableFuture<WriteResult> written(WriteResult written) {
        return switch (written) {
            case WriteResult.Done done ->
                CompletableFuture.completedFuture(
                        new WriteResult.Done(done.revision() + offset, shiftedOrNull(done.previous())));
            case WriteResult.Refused(List<@Nullable Value> actual, long revision) -> {
                Value current = actual.getLast();
                if ((current == null ? 0 : current.revision()) != origin.written()) {
                    yield contentsReplaced();
                }
                yield CompletableFuture.completedFuture(new WriteResult.Refused(
                        actual.subList(0, actual.size() - 1).stream()
                                .map(this::shiftedOrNull)
                                .toList(),
                        revision + offset));
            }
        };
    }

    @Override
    public CompletableFuture<Boolean> writeAll(List<RemoteWrite> changes, RemoteWrite.Expected condition) {
        throw new UnsupportedOperationException("a store changes one key at a time");
    }

    @Override
    public Feed follow(long from, FeedListener listener) {
        return keys.follow(Math.max(1, from - offset), offset == 0 ? listener : new OffsetListener(listener, offset));
    }

    /** Translates the revisions of reported changes. */
    private record OffsetListener(FeedListener listener, long offset) implements FeedListener {
        @Override
        public void changed(List<Changed> changes) {
            listener.changed(changes.stream()
                    .map(change -> new Changed(change.key(), change.bytes(), change.revision() + offset))
                    .toList());
        }

        @Override
        public void progressed(long revision) {
            listener.progressed(revision + offset);
        }

        @Override
        public void ended(Ended reason) {
            listener.ended(reason);
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> compact(long revision) {
        return revision > offset ? keys.compact(revision - offset) : CompletableFuture.completedFuture(null);
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
