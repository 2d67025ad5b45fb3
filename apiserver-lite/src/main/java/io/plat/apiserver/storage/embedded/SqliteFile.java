package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Database file of the store: its identification, and the checks on opening. */
final class SqliteFile {
    static final String NAME = "objects.db";

    static final String WRITE_AHEAD = NAME + "-wal";

    /** Permissions of a new file: readable by its owner only. */
    static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final int APPLICATION = 0x706c6174;
    private static final int SCHEMA = 2;
    private static final int BUSY_MILLIS = 5000;

    /** Whole content of the database's schema, as SQLite keeps it; a change of it needs another {@link #SCHEMA}. */
    private static final List<String> TABLES = List.of(
            "CREATE TABLE changes (revision INTEGER PRIMARY KEY, time INTEGER NOT NULL,"
                    + " key TEXT NOT NULL, value BLOB, crc INTEGER NOT NULL) STRICT",
            "CREATE TABLE floor (revision INTEGER NOT NULL, crc INTEGER NOT NULL) STRICT");

    enum Access {
        WRITING,
        /** Read-only, even on closing: the write-ahead log stays unchanged. */
        READING
    }

    private SqliteFile() {}

    /**
     * Returns the file of a data directory.
     *
     * @throws StorageException if it does not exist
     */
    static Path in(Path directory) throws StorageException {
        Path file = directory.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            throw new StorageException(Kind.UNAVAILABLE, "\"" + directory + "\" contains no \"" + NAME + "\"");
        }
        return file;
    }

    interface Initializer {
        /**
         * Inserts the first rows.
         *
         * @return revision after which every change will be kept
         */
        long fill(Connection created) throws SQLException, StorageException;
    }

    /** Creates a complete and durable file under a temporary name, replacing the remains of an earlier attempt. */
    static void create(Path unfinished, Initializer initializer) throws SQLException, IOException, StorageException {
        Files.deleteIfExists(unfinished);
        Files.deleteIfExists(unfinished.resolveSibling(unfinished.getFileName() + "-journal"));
        // SQLite gives its other files the same permissions.
        Files.createFile(unfinished, OWNER_ONLY);
        try (Connection created = DriverManager.getConnection("jdbc:sqlite:" + unfinished);
                Statement statement = created.createStatement()) {
            statement.execute("PRAGMA synchronous = EXTRA");
            created.setAutoCommit(false);
            for (String table : TABLES) {
                statement.execute(table);
            }
            long floor = initializer.fill(created);
            statement.execute("INSERT INTO floor VALUES (" + floor + ", " + SqliteRow.floorChecksum(floor) + ")");
            statement.execute("PRAGMA application_id = " + APPLICATION);
            statement.execute("PRAGMA user_version = " + SCHEMA);
            created.commit();
        }
    }

    static void install(DataDirectory directory, Path finished) throws IOException {
        DataDirectory.sync(finished);
        // The write-ahead log of the replaced store must not be applied to the new one.
        Files.deleteIfExists(directory.file(WRITE_AHEAD));
        Files.deleteIfExists(directory.file(NAME + "-shm"));
        directory.sync();
        Files.move(finished, directory.file(NAME), StandardCopyOption.ATOMIC_MOVE);
        directory.sync();
    }

    /**
     * Opens an existing file.
     *
     * @throws StorageException if it is not a store, has another schema, or is of another version
     */
    static Connection connect(Path file, Access access) throws SQLException, StorageException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_MILLIS);
        // Unused, and would add a query to each inserted row.
        config.setGetGeneratedKeys(false);
        config.setReadOnly(access == Access.READING);
        Connection connection = config.createConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA trusted_schema = OFF");
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
            requireTables(statement, file);
            return connection;
        } catch (SQLException | StorageException e) {
            connection.close();
            throw e;
        }
    }

    /** Refuses any other schema: a trigger could delete changes, and a view take the place of a table. */
    private static void requireTables(Statement statement, Path file) throws SQLException, StorageException {
        List<String> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("SELECT sql FROM sqlite_master ORDER BY name LIMIT 3")) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        if (!found.equals(TABLES)) {
            throw damaged(file, "its tables, views, indexes and triggers are not exactly those of a store");
        }
    }

    /**
     * Verifies every page with the database's quick check.
     *
     * @throws StorageException if a page is damaged
     */
    static void quickCheck(Statement statement, Path file) throws SQLException, StorageException {
        try (ResultSet result = statement.executeQuery("PRAGMA quick_check(1)")) {
            String answer = result.next() ? result.getString(1) : "no answer";
            if (!"ok".equals(answer)) {
                throw damaged(file, answer.replace('\n', ' '));
            }
        }
    }

    /**
     * Returns the revision after which every change is kept.
     *
     * @throws StorageException if it is absent or damaged
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

    /** Returns the failure of reading. An SQL error in a file of this schema means that the schema is damaged. */
    static StorageException unreadable(String action, SQLException e) {
        return e instanceof SQLiteException sqlite && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_ERROR
                ? new StorageException(Kind.CORRUPT, "cannot " + action + ": the file is damaged: " + line(e), e)
                : failure(action, e);
    }

    static StorageException failure(String action, SQLException e) {
        if (!(e instanceof SQLiteException sqlite)) {
            return new StorageException(Kind.IO_ERROR, "cannot " + action + ": " + line(e), e);
        }
        return switch (sqlite.getResultCode().code & 0xff) {
            case 13 -> new StorageException(Kind.FULL, "cannot " + action + ": no space left", e);
            case 3, 8, 14 -> new StorageException(Kind.READ_ONLY, "cannot " + action + ": not writable", e);
            case 11, 26 -> new StorageException(Kind.CORRUPT, "cannot " + action + ": the file is damaged", e);
            case 5, 6 -> new StorageException(Kind.IN_USE, "cannot " + action + ": another process locks it", e);
            default -> new StorageException(Kind.IO_ERROR, "cannot " + action + ": " + line(e), e);
        };
    }

    static String line(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
