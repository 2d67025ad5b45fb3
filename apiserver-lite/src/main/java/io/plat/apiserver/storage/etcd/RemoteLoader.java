package io.plat.apiserver.storage.etcd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.StoreState;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads everything from etcd, page by page at one revision. */
record RemoteLoader(RemoteKeys keys, ForeignEntries foreign) {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteLoader.class);

    /** Key with the revision after which every change is kept: a starting server loads that state and receives the changes since. */
    static final String HISTORY_START = RemoteObjects.INTERNAL + "kept";

    private static final int PAGE = 500;
    private static final long NEWEST = 0;
    private static final int ATTEMPTS = 5;

    record LoadedState(long revision, Tree tree) {}

    /** Returns the oldest state after which all changes are available, so that watches and lists of another server can continue here. */
    LoadedState oldest() throws StorageException {
        RemoteKeys.Value kept = await(keys.get(HISTORY_START));
        long revision = kept == null ? NEWEST : revision(kept.bytes());
        // A store that was restored from a backup may have kept the value of a later time.
        LoadedState old = revision == NEWEST || revision > await(keys.revision()) ? null : loaded(revision);
        return old == null ? newest() : old;
    }

    LoadedState newest() throws StorageException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            LoadedState loaded = loaded(NEWEST);
            if (loaded != null) {
                createHistoryStart(loaded.revision());
                return loaded;
            }
        }
        throw new StorageException(Kind.UNAVAILABLE, "the store is compacted before its contents can be read");
    }

    /**
     * Returns whether the store still has a state in its history, or may have had it. A store that was restored from a backup has another
     * history, whose revisions may already be higher than before. Of a compacted state, nothing is known.
     */
    boolean contains(StoreState state) throws StorageException {
        Tree tree = state.tree();
        int[] same = {0};
        int[] all = {0};
        boolean complete = pages(keys, "", state.revision(), page -> {
            for (RemoteKeys.Value value : page.values()) {
                Key key = RemoteObjects.key(value.key());
                if (key != null && value.bytes().length > 0 && !foreign.contains(key)) {
                    all[0]++;
                    same[0] += same(value, tree.get(key)) ? 1 : 0;
                }
            }
        });
        return !complete || (same[0] == all[0] && all[0] == tree.size());
    }

    private static boolean same(RemoteKeys.Value one, @Nullable Entry other) {
        return other != null && one.revision() == other.revision() && Arrays.equals(one.bytes(), other.value());
    }

    /** Writes the start of history if this is the first server; nothing older is known to be kept. */
    private void createHistoryStart(long revision) throws StorageException {
        await(keys.write(new RemoteWrite(
                HISTORY_START,
                bytes(revision),
                List.of(new RemoteWrite.Expected(HISTORY_START, Transaction.Expectation.ABSENT)),
                0)));
    }

    /** Loads a state; returns null if the revision is compacted, possibly meanwhile. */
    private @Nullable LoadedState loaded(long requested) throws StorageException {
        var values = new ArrayList<RemoteKeys.Value>();
        long[] revision = {requested};
        boolean complete = pages(keys, "", requested, page -> {
            values.addAll(page.values());
            revision[0] = page.revision();
        });
        return complete ? new LoadedState(revision[0], RemoteObjects.tree(values, foreign)) : null;
    }

    interface PageConsumer {
        void accept(RemoteKeys.Page page) throws StorageException;
    }

    /**
     * Reads all keys at one revision, page by page.
     *
     * @param after key after which to start
     * @param revision the revision; 0 for the newest
     * @return false if the revision is compacted, possibly meanwhile
     */
    static boolean pages(RemoteKeys keys, String after, long revision, PageConsumer consumer) throws StorageException {
        String last = after;
        long pageRevision = revision;
        while (await(keys.list(last, PAGE, pageRevision))
                instanceof RemoteKeys.ListResult.Found(RemoteKeys.Page page)) {
            consumer.accept(page);
            if (!page.more() || page.values().isEmpty()) {
                return true;
            }
            last = page.values().getLast().key();
            pageRevision = page.revision();
        }
        return false;
    }

    static byte[] bytes(long revision) {
        return Long.toString(revision).getBytes(US_ASCII);
    }

    /** Parses the start of history; the newest revision if the value is malformed. */
    static long revision(byte[] value) {
        String text = new String(value, US_ASCII);
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : NEWEST;
    }

    static String message(Throwable failure) {
        Throwable cause = failure.getCause() instanceof StorageException inner ? inner : failure;
        return String.valueOf(cause.getMessage());
    }

    /** Waits for a response, for which all calls have a timeout. */
    static <T extends @Nullable Object> T await(CompletableFuture<T> answer) throws StorageException {
        return ObjectStore.await(
                answer.exceptionallyCompose(failure -> failed(failure, Kind.UNAVAILABLE)),
                Kind.UNAVAILABLE,
                "interrupted while waiting for the store");
    }

    /**
     * Returns a failed request. A response that cannot be processed, such as one with fewer results than operations, has this kind of
     * failure.
     */
    static <T extends @Nullable Object> CompletableFuture<T> failed(Throwable failure, Kind impossible) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof StorageException) {
            return CompletableFuture.failedFuture(cause);
        }
        if (impossible == Kind.UNCERTAIN) {
            // Of failed reads, the follower logs the first.
            LOG.error("the store sent an invalid response to a write");
        }
        LOG.debug("invalid response", cause);
        return CompletableFuture.failedFuture(new StorageException(impossible, "invalid response", cause));
    }
}
