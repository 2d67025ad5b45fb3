package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Online backup of a store: a consistent snapshot with everything that was acknowledged before it began. The server continues meanwhile;
 * its write-ahead log is not reused until the copy is complete.
 *
 * <p>The copy is a data directory for a server. It is written under another name, verified, synced and only then renamed.
 */
public final class StoreBackup {
    private StoreBackup() {}

    /**
     * Copies a data directory.
     *
     * @param from data directory, possibly in use
     * @param to directory to create, or to copy into
     * @param replace whether to replace an existing store
     * @return report on the copy
     * @throws StorageException if reading or writing fails, if the copy, and thus its source, is damaged, or if a store exists already
     */
    public static StoreCheck.Report copy(Path from, Path to, boolean replace) throws StorageException {
        Path present = SqliteFile.in(from);
        if (!replace && Files.exists(to.resolve(SqliteFile.NAME))) {
            throw new StorageException(
                    Kind.UNAVAILABLE, "\"" + to + "\" already contains a store; use --force to replace it");
        }
        if (same(from, to)) {
            throw new StorageException(
                    Kind.UNAVAILABLE, "\"" + to + "\" is the source of the copy, expected another directory");
        }
        // A server on the replaced copy would continue to write to a deleted file.
        try (DataDirectory lockedDirectory = DataDirectory.open(to)) {
            copy(present, lockedDirectory);
        }
        return StoreCheck.check(to);
    }

    private static boolean same(Path from, Path to) throws StorageException {
        try {
            return Files.exists(to) && Files.isSameFile(from, to);
        } catch (IOException e) {
            throw new StorageException(Kind.READ_ONLY, "cannot access \"" + to + "\": " + e, e);
        }
    }

    private static void copy(Path from, DataDirectory to) throws StorageException {
        Path unfinished = to.file(SqliteFile.NAME + ".new");
        try {
            Files.deleteIfExists(unfinished);
            Files.createFile(unfinished, SqliteFile.OWNER_ONLY);
            vacuum(from, unfinished);
            SqliteFile.install(to, unfinished);
        } catch (IOException e) {
            throw new StorageException(Kind.READ_ONLY, "cannot write the copy: " + e, e);
        } catch (SQLException e) {
            throw SqliteFile.unreadable("copy \"" + from.getParent() + "\"", e);
        }
    }

    private static void vacuum(Path from, Path target) throws SQLException, StorageException {
        try (Connection connection = SqliteFile.connect(from, SqliteFile.Access.READING);
                PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
            copy.setString(1, target.toString());
            copy.execute();
        }
    }
}
