package io.plat.apiserver.storage.etcd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Reads everything from a key-value store, page by page at one revision. */
final class RemoteLoading {
    /** The note of the revision after which every change is kept: whoever starts reads that state and gets the changes since. */
    static final String KEPT = RemoteObjects.NOTES + "kept";

    private static final int PAGE = 500;
    private static final long NEWEST = 0;
    private static final int ATTEMPTS = 5;

    private final RemoteKeys keys;
    private final ForeignEntries foreign;

    /** The objects at a revision. */
    record Loaded(long revision, Tree tree) {}

    RemoteLoading(RemoteKeys keys, ForeignEntries foreign) {
        this.keys = keys;
        this.foreign = foreign;
    }

    /** The oldest state from which every change can still be had, so that watches and lists of another server go on here. */
    Loaded oldest() throws StorageException {
        RemoteKeys.Value kept = await(keys.get(KEPT));
        Loaded old = kept == null ? null : loaded(revision(kept.bytes()));
        return old == null ? newest() : old;
    }

    /** The newest state. */
    Loaded newest() throws StorageException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Loaded loaded = loaded(NEWEST);
            if (loaded != null) {
                note(loaded.revision());
                return loaded;
            }
        }
        throw new StorageException(Kind.UNAVAILABLE, "the store forgets what it holds before it can be read");
    }

    /** Whoever starts first notes it; nothing older is known to be kept. */
    private void note(long revision) throws StorageException {
        await(keys.write(new RemoteWrite(
                KEPT, bytes(revision), List.of(new RemoteWrite.Expected(KEPT, Transaction.Expectation.ABSENT)), 0)));
    }

    /** Returns null if the revision is, or becomes, one that can't be read any more. */
    private @Nullable Loaded loaded(long asked) throws StorageException {
        var values = new ArrayList<RemoteKeys.Value>();
        long[] revision = {asked};
        boolean whole = pages(keys, "", asked, page -> {
            values.addAll(page.values());
            revision[0] = page.revision();
        });
        return whole ? new Loaded(revision[0], RemoteObjects.tree(values, foreign)) : null;
    }

    /** Takes one page after the other. */
    interface Pages {
        void take(RemoteKeys.Page page) throws StorageException;
    }

    /**
     * Reads all keys, page by page, as they were at one revision.
     *
     * @param after only keys behind this one
     * @param revision the revision; 0 for the newest
     * @return false if the revision is, or becomes, one that can't be read any more
     */
    static boolean pages(RemoteKeys keys, String after, long revision, Pages taker) throws StorageException {
        String last = after;
        long shown = revision;
        while (await(keys.list(last, PAGE, shown)) instanceof RemoteKeys.Listed.Found(RemoteKeys.Page page)) {
            taker.take(page);
            if (!page.more() || page.values().isEmpty()) {
                return true;
            }
            last = page.values().getLast().key();
            shown = page.revision();
        }
        return false;
    }

    static byte[] bytes(long revision) {
        return Long.toString(revision).getBytes(US_ASCII);
    }

    /** The revision of a note; the newest where somebody has written something else there. */
    static long revision(byte[] note) {
        String text = new String(note, US_ASCII);
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : NEWEST;
    }

    /** Returns the message for operators of a failure that a future ended with. */
    static String message(Throwable failure) {
        Throwable cause = failure.getCause() instanceof StorageException inner ? inner : failure;
        return String.valueOf(cause.getMessage());
    }

    /** Waits for an answer, which is never long in coming. */
    static <T extends @Nullable Object> T await(CompletableFuture<T> answer) throws StorageException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StorageException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(Kind.UNAVAILABLE, "interrupted while the store was asked", e);
        }
    }
}
