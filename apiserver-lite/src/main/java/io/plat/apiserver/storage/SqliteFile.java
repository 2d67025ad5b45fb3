package io.plat.apiserver.storage;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;

/** The store's file: how it is told from others, and what every opening of it looks at first. */
final class SqliteFile {
    /** Its name in the data directory. */
    static final String NAME = "objects.db";

    /** The name of the write-ahead log beside it. */
    static final String WRITE_AHEAD = NAME + "-wal";

    /** How it is created: readable by nobody but the one whose server it is. */
    static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final int APPLICATION = 0x706c6174;
    private static final int SCHEMA = 2;
    private static final int BUSY_MILLIS = 5000;

    /** What a connection is for. */
    enum Access {
        WRITING,
        /** Changes nothing, not even on closing: the write-ahead log stays as it is. */
        READING
    }

    private SqliteFile() {}

    /** Marks a new file as a store's. */
    static void mark(Statement statement) throws SQLException {
        statement.execute("PRAGMA application_id = " + APPLICATION);
        statement.execute("PRAGMA user_version = " + SCHEMA);
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
                        StorageException.Kind.UNKNOWN_FORMAT,
                        "\"" + file + "\" has schema version " + schema + ", expected " + SCHEMA);
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
                throw new StorageException(StorageException.Kind.CORRUPT, "the log is damaged: it has no floor");
            }
            long floor = result.getLong(1);
            if (result.getLong(2) != SqliteRow.floorChecksum(floor)) {
                throw new StorageException(
                        StorageException.Kind.CORRUPT, "the log is damaged: wrong checksum of its floor");
            }
            return floor;
        }
    }

    private static StorageException damaged(Path file, String how) {
        return new StorageException(StorageException.Kind.CORRUPT, "\"" + file + "\" is damaged: " + how);
    }

    private static int number(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            return result.next() ? result.getInt(1) : 0;
        }
    }
}
