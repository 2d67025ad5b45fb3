package io.plat.apiserver.storage;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.plat.apiserver.storage.remote.RemoteKeys;
import io.plat.apiserver.storage.remote.RemoteWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Reads everything from a key-value store, page by page at one revision. */
final class RemoteLoading {
    /** The note of the revision after which every change is kept: whoever starts reads that state and has the changes told since. */
    static final String KEPT = RemoteObjects.NOTES + "kept";

    private static final int PAGE = 500;
    private static final long NEWEST = 0;
    private static final int ATTEMPTS = 5;

    private final RemoteKeys keys;
    private final ForeignEntries foreign;

    RemoteLoading(RemoteKeys keys, ForeignEntries foreign) {
        this.keys = keys;
        this.foreign = foreign;
    }

    /** The oldest state from which every change can still be had, so that watches and lists of another server go on here. */
    VersionedMemory.Loaded oldest() throws StorageException {
        RemoteKeys.Value kept = await(keys.get(KEPT));
        VersionedMemory.Loaded old = kept == null ? null : loaded(revision(kept.bytes()));
        return old == null ? newest() : old;
    }

    /** The newest state. */
    VersionedMemory.Loaded newest() throws StorageException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            VersionedMemory.Loaded loaded = loaded(NEWEST);
            if (loaded != null) {
                note(loaded.revision());
                return loaded;
            }
        }
        throw new StorageException(
                StorageException.Kind.UNAVAILABLE, "the store forgets what it holds before it can be read");
    }

    /** Whoever starts first notes it; nothing older is known to be kept. */
    private void note(long revision) throws StorageException {
        await(keys.write(new RemoteWrite(
                KEPT, bytes(revision), List.of(new RemoteWrite.Expected(KEPT, Transaction.Expectation.ABSENT)), 0)));
    }

    /** Null if the revision is, or becomes, one that can't be read any more. */
    private VersionedMemory.@Nullable Loaded loaded(long asked) throws StorageException {
        var values = new ArrayList<RemoteKeys.Value>();
        long revision = asked;
        String after = "";
        boolean more = true;
        while (more) {
            switch (await(keys.list(after, PAGE, revision))) {
                case RemoteKeys.Listed.Compacted gone -> {
                    return null;
                }
                case RemoteKeys.Listed.Found(RemoteKeys.Page page) -> {
                    values.addAll(page.values());
                    revision = page.revision();
                    more = page.more() && !page.values().isEmpty();
                    after = more ? page.values().getLast().key() : after;
                }
            }
        }
        var trees = new TreeMap<Long, Tree>();
        trees.put(revision, RemoteObjects.tree(values, foreign));
        return new VersionedMemory.Loaded(revision, List.of(), trees, revision);
    }

    static byte[] bytes(long revision) {
        return Long.toString(revision).getBytes(US_ASCII);
    }

    /** The revision of a note; the newest where somebody has written something else there. */
    static long revision(byte[] note) {
        String text = new String(note, US_ASCII);
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : NEWEST;
    }

    /** What an operator is told of a failure that a future ended with. */
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
            throw new StorageException(StorageException.Kind.UNAVAILABLE, "interrupted while the store was asked", e);
        }
    }
}
