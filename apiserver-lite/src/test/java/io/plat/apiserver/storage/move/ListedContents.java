package io.plat.apiserver.storage.move;

import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Contents that a test provides. */
public record ListedContents(long revision, List<StoredObject> listed) implements Contents {
    public ListedContents {
        listed = List.copyOf(listed);
    }

    /** Returns this many config maps. */
    public static ListedContents of(long revision, int count) {
        var listed = new ArrayList<StoredObject>();
        for (int i = 0; i < count; i++) {
            listed.add(kept("configmaps/a/x" + (100_000 + i), "value " + i, StoredObject.NO_EXPIRY));
        }
        return new ListedContents(revision, listed);
    }

    /** Returns one object. */
    public static StoredObject kept(String path, String value, long seconds) {
        return new StoredObject(Key.parse(path), value.getBytes(StandardCharsets.UTF_8), seconds);
    }

    /** Returns a short form of objects. */
    public static List<String> inShort(Contents contents) throws StorageException {
        var all = new ArrayList<String>();
        contents.forEach(kept ->
                all.add(kept.key() + "=" + new String(kept.bytes(), StandardCharsets.UTF_8) + " " + kept.seconds()));
        return all;
    }

    @Override
    public long objects() {
        return listed.size();
    }

    @Override
    public void forEach(ObjectConsumer taker) throws StorageException {
        for (StoredObject kept : listed) {
            taker.accept(kept);
        }
    }

    @Override
    public void ensureUnchanged() {
        // Nobody else has it.
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
