package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;

/** The store's file: its marks, by which it is distinguished from others, and the checks of every opening. */
final class SqliteFile {
    /** Its name in the data directory. */
    static final String NAME = "objects.db";

    /** The name of the write-ahead log beside it. */
    static final String WRITE_AHEAD = NAME + "-wal";

    /** The permissions of a new file: readable by nobody but the user whose server it is. */
    static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final int APPLICATION = 0x706c6174;
    private static final int SCHEMA = 2;
    private static final int BUSY_MILLIS = 5000;

    /** The purpose of a connection. */
    enum Access {
        WRITING,
        /** Changes nothing, not even on closing: the write-ahead log stays as it is. */
        READING
    }

    private SqliteFile() {}

    /**
     * Returns the file of a data directory.
     *
     * @throws StorageException if there is none
     */
    static Path in(Path directory) throws StorageException {
        Path file = directory.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            throw new StorageException(Kind.UNAVAILABLE, "\"" + directory + "\" holds no \"" + NAME + "\"");
        }
        return file;
    }

    /** Puts the first rows into a new file. */
    interface Filling {
        /**
         * Puts them in.
         *
         * @return the revision after which every change will be kept
         */
        long fill(Connection made) throws SQLException, StorageException;
    }

    /** Makes a store's file, whole and on the disk, under a name that nothing opens; what is left there of an earlier attempt goes. */
    static void make(Path unfinished, Filling filling) throws SQLException, IOException, StorageException {
        Files.deleteIfExists(unfinished);
        Files.deleteIfExists(unfinished.resolveSibling(unfinished.getFileName() + "-journal"));
        // What SQLite lays beside it later has the same permissions.
        Files.createFile(unfinished, OWNER_ONLY);
        try (Connection made = DriverManager.getConnection("jdbc:sqlite:" + unfinished);
                Statement statement = made.createStatement()) {
            statement.execute("PRAGMA synchronous = EXTRA");
            made.setAutoCommit(false);
            statement.execute("CREATE TABLE changes (revision INTEGER PRIMARY KEY, time INTEGER NOT NULL,"
                    + " key TEXT NOT NULL, value BLOB, crc INTEGER NOT NULL) STRICT");
            statement.execute("CREATE TABLE floor (revision INTEGER NOT NULL, crc INTEGER NOT NULL) STRICT");
            long floor = filling.fill(made);
            statement.execute("INSERT INTO floor VALUES (" + floor + ", " + SqliteRow.floorChecksum(floor) + ")");
            statement.execute("PRAGMA application_id = " + APPLICATION);
            statement.execute("PRAGMA user_version = " + SCHEMA);
            made.commit();
        }
    }

    /** Gives a finished file its name, in place of the one that has it. */
    static void place(DataDirectory directory, Path finished) throws IOException {
        try (FileChannel file = FileChannel.open(finished, StandardOpenOption.WRITE)) {
            file.force(true);
        }
        // The log of the store that is replaced must not be taken for one of the new.
        Files.deleteIfExists(directory.file(WRITE_AHEAD));
        Files.deleteIfExists(directory.file(NAME + "-shm"));
        directory.sync();
        Files.move(finished, directory.file(NAME), StandardCopyOption.ATOMIC_MOVE);
        directory.sync();
    }

    /**
     * Opens a file that is there.
     *
     * @throws StorageException if it is not a store's, or a later version's
     */
    static Connection connect(Path file, Access access) throws SQLException, StorageException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_MILLIS);
        // Nobody asks for them, and each row that is written would be followed by a query for its own.
        config.setGetGeneratedKeys(false);
        config.setReadOnly(access == Access.READING);
        Connection connection = config.createConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            int application = number(statement, "PRAGMA application_id");
            int schema = number(statement, "PRAGMA user_version");
            if (application != APPLICATION || schema < 1) {
                throw damaged(file, "it is not a store's file");
            }
            if (schema != SCHEMA) {
                throw new StorageException(
                        Kind.UNKNOWN_FORMAT,
                        "\"" + file + "\" was written by " + (schema > SCHEMA ? "a newer" : "an older")
                                + " version of this program: its format is " + schema + ", expected " + SCHEMA);
            }
            return connection;
        } catch (SQLException | StorageException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Looks at every page, as far as the database can judge it.
     *
     * @throws StorageException if one is not sound
     */
    static void quickCheck(Statement statement, Path file) throws SQLException, StorageException {
        try (ResultSet result = statement.executeQuery("PRAGMA quick_check(1)")) {
            String found = result.next() ? result.getString(1) : "no answer";
            if (!"ok".equals(found)) {
                throw damaged(file, found.replace('\n', ' '));
            }
        }
    }

    /**
     * The revision after which every change is kept.
     *
     * @throws StorageException if there is none, or it is not as it was written
     */
    static long floor(Statement statement) throws SQLException, StorageException {
        try (ResultSet result = statement.executeQuery("SELECT revision, crc FROM floor")) {
            if (!result.next() || result.getLong(1) < 0) {
                throw new StorageException(Kind.CORRUPT, "the log is damaged: it has no floor");
            }
            long floor = result.getLong(1);
            if (result.getLong(2) != SqliteRow.floorChecksum(floor)) {
                throw new StorageException(Kind.CORRUPT, "the log is damaged: wrong checksum of its floor");
            }
            return floor;
        }
    }

    private static StorageException damaged(Path file, String how) {
        return new StorageException(Kind.CORRUPT, "\"" + file + "\" is damaged: " + how);
    }

    private static int number(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            return result.next() ? result.getInt(1) : 0;
        }
    }
}
