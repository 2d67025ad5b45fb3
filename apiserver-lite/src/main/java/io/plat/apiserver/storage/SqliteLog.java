package io.plat.apiserver.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.zip.CRC32C;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Changes as rows of one SQLite table, by revision: a state, or a deletion without a value. States that newer ones have
 * replaced go once the history no longer needs them, so that the table is objects and history together and nothing is written
 * twice.
 *
 * <p>Write-ahead log with {@code synchronous=FULL}: a commit is on the disk before it returns. The file is made whole under
 * another name, so that a file that is empty or has no schema is known to be damaged, never taken for a new one.
 */
final class SqliteLog implements ChangeLog {
    static final String FILE = "objects.db";

    private static final int APPLICATION = 0x706c6174;
    private static final int SCHEMA = 1;

    private final DataDirectory directory;
    private final Connection connection;

    private SqliteLog(DataDirectory directory, Connection connection) {
        this.directory = directory;
        this.connection = connection;
    }

    static SqliteLog open(Path path) throws StorageException {
        DataDirectory directory = DataDirectory.open(path);
        try {
            Path file = directory.file(FILE);
            if (!Files.exists(file)) {
                create(directory, file);
            }
            return new SqliteLog(directory, connect(file));
        } catch (SQLException e) {
            directory.close();
            throw unreadable("open \"" + path + "\"", e);
        } catch (IOException e) {
            directory.close();
            throw new StorageException(StorageException.Kind.READ_ONLY, "can't create \"" + path + "\": " + e, e);
        } catch (StorageException e) {
            directory.close();
            throw e;
        }
    }

    private static void create(DataDirectory directory, Path file) throws SQLException, IOException {
        Path unfinished = directory.file(FILE + ".new");
        Files.deleteIfExists(unfinished);
        Files.deleteIfExists(directory.file(FILE + ".new-journal"));
        try (Connection made = DriverManager.getConnection("jdbc:sqlite:" + unfinished);
                Statement statement = made.createStatement()) {
            statement.execute("PRAGMA synchronous = EXTRA");
            made.setAutoCommit(false);
            statement.execute("CREATE TABLE changes (revision INTEGER PRIMARY KEY, time INTEGER NOT NULL,"
                    + " key TEXT NOT NULL, value BLOB, crc INTEGER NOT NULL) STRICT");
            statement.execute("CREATE TABLE floor (revision INTEGER NOT NULL) STRICT");
            statement.execute("INSERT INTO floor VALUES (0)");
            statement.execute("PRAGMA application_id = " + APPLICATION);
            statement.execute("PRAGMA user_version = " + SCHEMA);
            made.commit();
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        directory.sync();
    }

    private static Connection connect(Path file) throws SQLException, StorageException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 5000");
            int application = number(statement, "PRAGMA application_id");
            int schema = number(statement, "PRAGMA user_version");
            if (application != APPLICATION || schema < 1) {
                throw new StorageException(
                        StorageException.Kind.CORRUPT, "\"" + file + "\" is damaged: it is not a store's file");
            }
            if (schema != SCHEMA) {
                throw new StorageException(
                        StorageException.Kind.UNKNOWN_FORMAT,
                        "\"" + file + "\" has schema version " + schema + ", expected " + SCHEMA);
            }
            check(statement, file);
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA synchronous = FULL");
            return connection;
        } catch (SQLException | StorageException e) {
            connection.close();
            throw e;
        }
    }

    private static void check(Statement statement, Path file) throws SQLException, StorageException {
        try (ResultSet result = statement.executeQuery("PRAGMA quick_check(1)")) {
            String found = result.next() ? result.getString(1) : "no answer";
            if (!"ok".equals(found)) {
                throw new StorageException(
                        StorageException.Kind.CORRUPT, "\"" + file + "\" is damaged: " + found.replace('\n', ' '));
            }
        }
    }

    private static int number(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            return result.next() ? result.getInt(1) : 0;
        }
    }

    @Override
    public long read(Reader reader) throws StorageException {
        try (Statement statement = connection.createStatement()) {
            long floor;
            try (ResultSet result = statement.executeQuery("SELECT revision FROM floor")) {
                floor = result.next() ? result.getLong(1) : -1;
            }
            if (floor < 0) {
                throw new StorageException(StorageException.Kind.CORRUPT, "the log is damaged: it has no floor");
            }
            try (ResultSet rows =
                    statement.executeQuery("SELECT revision, time, key, value, crc FROM changes ORDER BY revision")) {
                while (rows.next()) {
                    read(rows, reader);
                }
            }
            return floor;
        } catch (SQLException e) {
            throw unreadable("read", e);
        }
    }

    private static void read(ResultSet row, Reader reader) throws SQLException, StorageException {
        long revision = row.getLong(1);
        long time = row.getLong(2);
        String path = row.getString(3);
        byte[] value = row.getBytes(4);
        if (path == null || row.getLong(5) != checksum(revision, time, path, value == null ? NOTHING : value)) {
            throw new StorageException(
                    StorageException.Kind.CORRUPT, "the log is damaged: wrong checksum at revision " + revision);
        }
        try {
            reader.change(time, new Entry(Key.parse(path), value == null ? NOTHING : value, revision), value == null);
        } catch (IllegalArgumentException e) {
            throw new StorageException(
                    StorageException.Kind.CORRUPT, "the log is damaged: no key at revision " + revision, e);
        }
    }

    private static final byte[] NOTHING = new byte[0];

    private static long checksum(long revision, long time, String path, byte[] value) {
        var crc = new CRC32C();
        crc.update((revision + " " + time + " " + path + " ").getBytes(StandardCharsets.UTF_8));
        crc.update(value);
        return crc.getValue();
    }

    @Override
    public void write(List<Change> changes, long floor, List<Long> obsolete) throws StorageException {
        try {
            execute("BEGIN IMMEDIATE");
            insert(changes);
            if (!obsolete.isEmpty()) {
                delete(obsolete, floor);
            }
            execute("COMMIT");
        } catch (SQLException e) {
            StorageException failure = failure("write", e);
            rollBack(failure);
            throw failure;
        }
    }

    private void insert(List<Change> changes) throws SQLException {
        if (changes.isEmpty()) {
            return;
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO changes VALUES (?, ?, ?, ?, ?)")) {
            for (Change change : changes) {
                boolean deleted = change.event().type() == Event.Type.DELETED;
                byte[] value = deleted ? NOTHING : change.event().entry().value();
                String path = change.event().key().path();
                insert.setLong(1, change.revision());
                insert.setLong(2, change.time());
                insert.setString(3, path);
                insert.setBytes(4, deleted ? null : value);
                insert.setLong(5, checksum(change.revision(), change.time(), path, value));
                insert.executeUpdate();
            }
        }
    }

    private void delete(List<Long> obsolete, long floor) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM changes WHERE revision = ?")) {
            for (long revision : obsolete) {
                delete.setLong(1, revision);
                delete.executeUpdate();
            }
        }
        try (PreparedStatement update = connection.prepareStatement("UPDATE floor SET revision = ?")) {
            update.setLong(1, floor);
            update.executeUpdate();
        }
    }

    /** The database may have rolled back by itself, as it does when there is no room; then there is nothing to do. */
    private void rollBack(StorageException failure) {
        try {
            execute("ROLLBACK");
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private void execute(String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    /** For tests: has the database refuse what a full or a read-only disk refuses. */
    void pragma(String pragma) throws SQLException {
        execute("PRAGMA " + pragma);
    }

    /** A statement that can't even be understood means, in a file of this schema, that the schema is damaged. */
    private static StorageException unreadable(String doing, SQLException e) {
        return e instanceof SQLiteException sqlite && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_ERROR
                ? new StorageException(
                        StorageException.Kind.CORRUPT, "can't " + doing + ": the file is damaged: " + line(e), e)
                : failure(doing, e);
    }

    private static StorageException failure(String doing, SQLException e) {
        if (!(e instanceof SQLiteException sqlite)) {
            return new StorageException(StorageException.Kind.UNCERTAIN, "can't " + doing + ": " + line(e), e);
        }
        return switch (sqlite.getResultCode().code & 0xff) {
            case 13 -> new StorageException(StorageException.Kind.FULL, "can't " + doing + ": no space left", e);
            case 3, 8, 14 ->
                new StorageException(StorageException.Kind.READ_ONLY, "can't " + doing + ": not writable", e);
            case 11, 26 ->
                new StorageException(StorageException.Kind.CORRUPT, "can't " + doing + ": the file is damaged", e);
            case 5, 6 ->
                new StorageException(StorageException.Kind.IN_USE, "can't " + doing + ": another process locks it", e);
            default -> new StorageException(StorageException.Kind.UNCERTAIN, "can't " + doing + ": " + line(e), e);
        };
    }

    private static String line(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    @Override
    public void close() throws StorageException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw failure("close", e);
        } finally {
            directory.close();
        }
    }
}
