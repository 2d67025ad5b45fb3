package io.plat.apiserver.storage;

import java.nio.file.Path;

/**
 * The store that needs no other process: in memory, durable in one SQLite file.
 *
 * <p>Every change is one row, appended, with a checksum, in a write-ahead log that is synchronised before the write is
 * acknowledged. History survives a restart as far as the policy keeps it, so that a watch goes on where it was; what the policy
 * has dropped is gone. The data directory is locked: a second process is refused. A file that is damaged, or written by another
 * program or a newer version, is refused at the start with what is wrong.
 */
public final class EmbeddedStore {
    private EmbeddedStore() {}

    /**
     * Opens the data of a directory, which is made where it does not exist, readable by its owner only.
     *
     * @throws StorageException if it is in use, can't be read or written, or is damaged
     */
    public static ObjectStore open(Path directory, StoreOptions options) throws StorageException {
        return open(directory, options, CommitListener.NONE);
    }

    /**
     * The same, with somebody who hears of every commit.
     *
     * @throws StorageException if it is in use, can't be read or written, or is damaged
     */
    public static ObjectStore open(Path directory, StoreOptions options, CommitListener listener)
            throws StorageException {
        SqliteLog log = SqliteLog.open(directory);
        try {
            return LoggedStore.start(log, options, listener);
        } catch (StorageException e) {
            log.close();
            throw e;
        }
    }

    /** A store that forgets everything when it is closed. */
    public static ObjectStore inMemory(StoreOptions options) {
        try {
            return LoggedStore.start(new NoLog(), options);
        } catch (StorageException e) {
            throw new IllegalStateException("memory can't be damaged", e);
        }
    }
}
