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
 * Copies a store while a server writes to it: the state of one moment, with everything that was acknowledged before the copy
 * began. The server goes on meanwhile; its write-ahead log can't be reused until the copy is done.
 *
 * <p>The copy is a data directory that a server can start from. It is written under another name, checked, brought onto the disk
 * and only then given its name.
 */
public final class StoreBackup {
    private final Path from;
    private final DataDirectory to;

    private StoreBackup(Path from, DataDirectory to) {
        this.from = from;
        this.to = to;
    }

    /**
     * Copies a data directory.
     *
     * @param from whose store, which may be open
     * @param to the folder to make, or to put the copy into
     * @param replace whether a store that is there already is replaced
     * @return what the copy holds
     * @throws StorageException if the one can't be read or the other not be written, if the copy is damaged, as what it was made
     *     from then is, or if there is a store already
     */
    public static StoreCheck.Report copy(Path from, Path to, boolean replace) throws StorageException {
        Path present = SqliteFile.in(from);
        if (!replace && Files.exists(to.resolve(SqliteFile.NAME))) {
            throw new StorageException(Kind.UNAVAILABLE, "\"" + to + "\" holds a store already, and is not replaced");
        }
        if (same(from, to)) {
            throw new StorageException(
                    Kind.UNAVAILABLE, "\"" + to + "\" is what is to be copied, expected another folder");
        }
        // A server that runs on the old copy would go on writing to a file without a name.
        DataDirectory held = DataDirectory.open(to);
        try {
            new StoreBackup(present, held).copy();
        } finally {
            held.close();
        }
        return StoreCheck.check(to);
    }

    private static boolean same(Path from, Path to) throws StorageException {
        try {
            return Files.exists(to) && Files.isSameFile(from, to);
        } catch (IOException e) {
            throw new StorageException(Kind.READ_ONLY, "can't look at \"" + to + "\": " + e, e);
        }
    }

    private void copy() throws StorageException {
        Path unfinished = to.file(SqliteFile.NAME + ".new");
        try {
            Files.deleteIfExists(unfinished);
            Files.createFile(unfinished, SqliteFile.OWNER_ONLY);
            vacuumInto(unfinished);
            SqliteFile.place(to, unfinished);
        } catch (IOException e) {
            throw new StorageException(Kind.READ_ONLY, "can't write the copy: " + e, e);
        } catch (SQLException e) {
            throw SqliteFailures.unreadable("copy \"" + from.getParent() + "\"", e);
        }
    }

    private void vacuumInto(Path target) throws SQLException, StorageException {
        try (Connection connection = SqliteFile.connect(from, SqliteFile.Access.READING);
                PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
            copy.setString(1, target.toString());
            copy.execute();
        }
    }
}
