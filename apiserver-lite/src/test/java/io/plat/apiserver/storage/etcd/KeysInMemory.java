package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.Page;
import io.plat.apiserver.storage.StorageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A fake key-value store that fails, falls silent, compacts and resets on request. */
final class KeysInMemory implements RemoteKeys {
    private final NavigableMap<String, Value> values = new TreeMap<>();
    private final List<FeedListener.Changed> log = new ArrayList<>();
    private final List<OpenFeed> feeds = new ArrayList<>();
    private final List<Long> leases = new ArrayList<>();
    private final Map<String, Long> leased = new HashMap<>();
    private long revision = 1;
    private long compacted;
    private boolean failing;
    private boolean omitting;
    private boolean impossible;
    private boolean mute;
    private boolean leasesEnd;
    private int feedsBegun;
    private int lists;
    private int revisionRequests;
    private int writesLeft = -1;
    private @Nullable Runnable beforeList;

    private final class OpenFeed implements Feed {
        private final FeedListener listener;
        private long reported;

        OpenFeed(FeedListener listener, long from) {
            this.listener = listener;
            this.reported = from - 1;
        }

        void deliver() {
            synchronized (KeysInMemory.this) {
                List<FeedListener.Changed> next = log.stream()
                        .filter(change -> change.revision() > reported)
                        .toList();
                if (!mute && !next.isEmpty()) {
                    reported = next.getLast().revision();
                    listener.changed(next);
                }
            }
        }

        @Override
        public void requestProgress() {
            synchronized (KeysInMemory.this) {
                if (!mute && feeds.contains(this)) {
                    deliver();
                    listener.progressed(revision);
                }
            }
        }

        @Override
        public void close() {
            synchronized (KeysInMemory.this) {
                feeds.remove(this);
            }
        }
    }

    /** Reports progress to all feeds, whether true or not. */
    synchronized void reportProgress(long reported) {
        feeds.forEach(feed -> feed.listener.progressed(reported));
    }

    private <T extends @Nullable Object> CompletableFuture<T> answer(@Nullable T value) {
        if (impossible) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        throw new IndexOutOfBoundsException(0);
                    },
                    Runnable::run);
        }
        return failing
                ? CompletableFuture.failedFuture(
                        new StorageException(StorageException.Kind.UNAVAILABLE, "nobody answers"))
                : CompletableFuture.completedFuture(value);
    }

    @Override
    public synchronized CompletableFuture<Long> revision() {
        revisionRequests++;
        return answer(revision);
    }

    @Override
    public synchronized CompletableFuture<Newest> newest(String key) {
        revisionRequests++;
        Value there = values.get(key);
        return answer(new Newest(revision, there == null ? 0 : there.revision()));
    }

    @Override
    public synchronized CompletableFuture<ListResult> list(String after, int limit, long requested) {
        lists++;
        Runnable first = beforeList;
        beforeList = null;
        if (first != null) {
            first.run();
        }
        if (requested != 0 && requested < compacted) {
            return answer(new ListResult.Compacted());
        }
        if (requested > revision) {
            return CompletableFuture.failedFuture(
                    new StorageException(StorageException.Kind.UNAVAILABLE, "required revision is a future revision"));
        }
        long shown = requested == 0 ? revision : requested;
        var state = new TreeMap<String, Value>();
        for (FeedListener.Changed change : log) {
            byte[] bytes = change.bytes();
            if (change.revision() > shown) {
                break;
            } else if (bytes == null) {
                state.remove(change.key());
            } else {
                long lease = leased.getOrDefault(change.key(), 0L);
                state.put(change.key(), new Value(change.key(), bytes, change.revision(), lease));
            }
        }
        List<Value> found = state.tailMap(after, false).values().stream().toList();
        int end = Math.min(limit, found.size());
        return answer(new ListResult.Found(new Page(found.subList(0, end), end < found.size(), shown)));
    }

    @Override
    public synchronized CompletableFuture<@Nullable Value> get(String key) {
        return answer(values.get(key));
    }

    @Override
    public synchronized CompletableFuture<WriteResult> write(RemoteWrite write) {
        if (failing) {
            return answer(new WriteResult.Refused(List.of(), revision));
        }
        var actual = new ArrayList<@Nullable Value>();
        boolean asExpected = true;
        for (RemoteWrite.Expected expected : write.expectations()) {
            Value there = values.get(expected.key());
            actual.add(there);
            asExpected &= expected.revision() == (there == null ? 0 : there.revision());
        }
        if (!asExpected) {
            return answer(new WriteResult.Refused(actual, revision));
        }
        Value previous = values.get(write.key());
        if (write.lease() != 0) {
            leased.put(write.key(), write.lease());
        }
        if (omitting) {
            putUnreported(write.key(), write.bytes());
        } else {
            change(write.key(), write.bytes());
        }
        return answer(new WriteResult.Done(revision, previous));
    }

    @Override
    public synchronized CompletableFuture<Boolean> writeAll(List<RemoteWrite> changes, RemoteWrite.Expected condition) {
        if (writesLeft == 0) {
            failing = true;
        }
        writesLeft--;
        Value there = values.get(condition.key());
        if (failing || condition.revision() != (there == null ? 0 : there.revision())) {
            return answer(false);
        }
        revision++;
        for (RemoteWrite change : changes) {
            if (change.lease() != 0) {
                leased.put(change.key(), change.lease());
            }
            keep(change.key(), change.bytes());
        }
        List.copyOf(feeds).forEach(OpenFeed::deliver);
        return answer(true);
    }

    /** Runs an action before the next list. */
    synchronized void onList(Runnable happens) {
        beforeList = happens;
    }

    /** Fails everything after this many transactions with several changes. */
    synchronized void failAfter(int writes) {
        writesLeft = writes;
    }

    private void change(String key, byte @Nullable [] bytes) {
        revision++;
        keep(key, bytes);
        List.copyOf(feeds).forEach(OpenFeed::deliver);
    }

    private void keep(String key, byte @Nullable [] bytes) {
        log.add(new FeedListener.Changed(key, bytes, revision));
        if (bytes == null) {
            values.remove(key);
        } else {
            values.put(key, new Value(key, bytes, revision, leased.getOrDefault(key, 0L)));
        }
    }

    /** Writes as another client; null deletes. */
    synchronized long put(String key, byte @Nullable [] bytes) {
        change(key, bytes);
        return revision;
    }

    /** Omits later writes through this client from the feeds, or no longer. */
    synchronized void omitting(boolean omits) {
        omitting = omits;
    }

    /** Writes as another client, which no feed reports; null deletes. */
    synchronized void putUnreported(String key, byte @Nullable [] bytes) {
        revision++;
        keep(key, bytes);
        feeds.forEach(feed -> feed.reported = revision);
        reportProgress(revision);
    }

    /** Deletes several keys in one revision, as on the expiry of a lease. */
    synchronized long removeTogether(String... keys) {
        revision++;
        for (String key : keys) {
            log.add(new FeedListener.Changed(key, null, revision));
            values.remove(key);
        }
        List.copyOf(feeds).forEach(OpenFeed::deliver);
        return revision;
    }

    /** Uses a revision for an unrelated key. */
    synchronized long elsewhere() {
        return ++revision;
    }

    @Override
    public synchronized Feed follow(long from, FeedListener listener) {
        feedsBegun++;
        var feed = new OpenFeed(listener, from);
        feeds.add(feed);
        if (failing) {
            feeds.remove(feed);
            listener.ended(new FeedListener.Ended.Broken("nobody answers"));
        } else if (from <= compacted) {
            feeds.remove(feed);
            listener.ended(new FeedListener.Ended.Compacted());
        } else {
            feed.deliver();
        }
        return feed;
    }

    /** Breaks all feeds. */
    synchronized void cut() {
        for (OpenFeed feed : List.copyOf(feeds)) {
            feeds.remove(feed);
            feed.listener.ended(new FeedListener.Ended.Broken("cut"));
        }
    }

    /** Sets whether everything fails, including open feeds. */
    synchronized void failing(boolean fails) {
        failing = fails;
        if (fails) {
            cut();
        }
    }

    /** Sets whether responses cannot be processed. */
    synchronized void impossible(boolean responses) {
        impossible = responses;
    }

    /** Sets whether feeds are silent. */
    synchronized void mute(boolean silent) {
        mute = silent;
    }

    /** Restores an earlier revision, like a backup. */
    synchronized void goBackTo(long earlier) {
        log.removeIf(change -> change.revision() > earlier);
        values.clear();
        for (FeedListener.Changed change : log) {
            byte[] bytes = change.bytes();
            if (bytes == null) {
                values.remove(change.key());
            } else {
                values.put(change.key(), new Value(change.key(), bytes, change.revision(), 0));
            }
        }
        revision = earlier;
        cut();
    }

    @Override
    public synchronized CompletableFuture<@Nullable Void> compact(long floor) {
        forget(floor);
        return answer(null);
    }

    /** Compacts the history before a revision. */
    synchronized void forget(long floor) {
        compacted = Math.max(compacted, floor);
    }

    synchronized long compacted() {
        return compacted;
    }

    synchronized int feedsBegun() {
        return feedsBegun;
    }

    synchronized int lists() {
        return lists;
    }

    synchronized int revisionRequests() {
        return revisionRequests;
    }

    /** Returns the lease durations in seconds; 0 for released ones. */
    synchronized List<Long> leases() {
        return List.copyOf(leases);
    }

    @Override
    public synchronized CompletableFuture<Long> lease(long seconds) {
        leases.add(seconds);
        return answer((long) leases.size());
    }

    @Override
    public synchronized CompletableFuture<Boolean> renew(long lease) {
        if (leasesEnd) {
            end(lease);
        }
        return answer(!leasesEnd);
    }

    @Override
    public synchronized CompletableFuture<Long> remaining(long lease) {
        return answer(leases.get((int) lease - 1));
    }

    /** Sets whether leases expire, with their keys. */
    synchronized void leasesEnd(boolean end) {
        leasesEnd = end;
        if (end) {
            List.copyOf(values.keySet()).stream().filter(leased::containsKey).forEach(key -> change(key, null));
        }
    }

    @Override
    public synchronized CompletableFuture<@Nullable Void> release(long lease) {
        leases.set((int) lease - 1, 0L);
        end(lease);
        return answer(null);
    }

    /** Keys of a lease are deleted with it. */
    private void end(long lease) {
        List.copyOf(values.keySet()).stream()
                .filter(key -> leased.getOrDefault(key, 0L) == lease)
                .forEach(key -> change(key, null));
    }

    @Override
    public synchronized CompletableFuture<Long> size() {
        return answer(1000L * log.size());
    }

    @Override
    public void close() {}
}
