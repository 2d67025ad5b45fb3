package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Log in one SQLite table with a row per change, by revision: a state, or a deletion without a value. Replaced states are removed once
 * they leave history, so that the table contains objects and history together and nothing is written twice.
 *
 * <p>Uses a write-ahead log with {@code synchronous=FULL}: a commit is durable before it returns. The file is created completely under
 * another name, so that an empty file or one without a schema is known to be damaged, not new.
 */
final class SqliteLog implements ChangeLog {
    static final String FILE = SqliteFile.NAME;

    private static final int WRITE_AHEAD_LIMIT = 16 << 20;

    private final DataDirectory directory;
    private final ReservedSpace reserved;
    private Connection connection;
    private @Nullable SqliteWriter writer;

    private SqliteLog(DataDirectory directory, ReservedSpace reserved, Connection connection) {
        this.directory = directory;
        this.reserved = reserved;
        this.connection = connection;
    }

    static SqliteLog open(Path path) throws StorageException {
        DataDirectory directory = DataDirectory.open(path);
        try {
            Path file = directory.file(FILE);
            if (!Files.exists(file)) {
                create(directory, file);
            }
            WriteAheadLog.check(directory.file(SqliteFile.WRITE_AHEAD));
            ReservedSpace reserved = new ReservedSpace(directory);
            return new SqliteLog(directory, reserved, connect(file, reserved));
        } catch (SQLException e) {
            directory.close();
            throw SqliteFile.unreadable("open \"" + path + "\"", e);
        } catch (IOException e) {
            directory.close();
            throw new StorageException(Kind.READ_ONLY, "cannot create \"" + path + "\": " + e, e);
        } catch (StorageException e) {
            directory.close();
            throw e;
        }
    }

    private static void create(DataDirectory directory, Path file) throws SQLException, IOException, StorageException {
        if (Files.exists(directory.file(SqliteFile.WRITE_AHEAD))) {
            throw new StorageException(
                    Kind.CORRUPT,
                    "\"" + file + "\" is missing, but its write-ahead log \"" + SqliteFile.WRITE_AHEAD + "\" exists");
        }
        Path unfinished = directory.file(FILE + ".new");
        SqliteFile.create(unfinished, _ -> 0);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        directory.sync();
    }

    /** Opening a file takes space too. */
    private static Connection connect(Path file, ReservedSpace reserved) throws SQLException, StorageException {
        try {
            return connect(file);
        } catch (SQLException e) {
            if (!reserved.release()) {
                throw e;
            }
            return connect(file);
        }
    }

    private static Connection connect(Path file) throws SQLException, StorageException {
        Connection connection = SqliteFile.connect(file, SqliteFile.Access.WRITING);
        try (Statement statement = connection.createStatement()) {
            SqliteFile.quickCheck(statement, file);
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA synchronous = FULL");
            // The write-ahead log is truncated again after a long read has let it grow.
            statement.execute("PRAGMA journal_size_limit = " + WRITE_AHEAD_LIMIT);
            return connection;
        } catch (SQLException | StorageException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public void read(LongFunction<Reader> begin) throws StorageException {
        try (Statement statement = connection.createStatement()) {
            SqliteRow.readAll(statement, begin);
        } catch (SQLException e) {
            throw SqliteFile.unreadable("read", e);
        }
    }

    @Override
    public void write(List<Change> changes, long floor, List<Long> obsolete) throws StorageException {
        requireLock();
        try {
            SqliteWriter open = writer == null ? new SqliteWriter(connection) : writer;
            writer = open;
            open.write(changes, floor, obsolete);
        } catch (SQLException e) {
            StorageException failure = SqliteFile.failure("write", e);
            dropWriter(failure);
            rollBack(failure);
            throw failure;
        }
    }

    /** Discards the writer: the driver may have closed a failed statement, so that the next write prepares its own. */
    private void dropWriter(StorageException failure) {
        SqliteWriter failed = writer;
        writer = null;
        try {
            if (failed != null) {
                failed.close();
            }
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    /** Rolls back. The database may already have done so, for example on a full disk. */
    private void rollBack(StorageException failure) {
        try {
            execute("ROLLBACK");
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>The write-ahead log is copied into the file, and synced there, before anything is appended to it: pages of a commit whose sync
     * failed may be readable although they are not on the disk.
     */
    @Override
    public void recover(long revision) throws StorageException {
        requireLock();
        try {
            connection.close();
        } catch (SQLException e) {
            throw SqliteFile.failure("close", e);
        } finally {
            writer = null;
        }
        try {
            connection = connect(directory.file(FILE), reserved);
            try (Statement statement = connection.createStatement()) {
                try (ResultSet busy = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
                    if (!busy.next() || busy.getInt(1) != 0) {
                        throw new StorageException(Kind.IN_USE, "cannot recover: another process reads the file");
                    }
                }
                statement.execute("DELETE FROM changes WHERE revision > " + revision);
            }
        } catch (SQLException e) {
            var unused = reserved.release();
            throw SqliteFile.failure("recover", e);
        }
    }

    @Override
    public void requireLock() throws StorageException {
        directory.requireLock();
    }

    @Override
    public void reserveSpace() throws StorageException {
        reserved.take();
    }

    @Override
    public boolean releaseReservedSpace() {
        return reserved.release();
    }

    private void execute(String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    /** Executes a pragma, for tests that simulate a full or read-only disk. */
    void pragma(String pragma) throws SQLException {
        execute("PRAGMA " + pragma);
    }

    @Override
    public void close() throws StorageException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw SqliteFile.failure("close", e);
        } finally {
            directory.close();
        }
    }

    /**
     * Writer of batches of changes, a transaction each. Statements are prepared once, as preparing one costs as much as a row. Unusable
     * after a failure.
     */
    private static final class SqliteWriter implements AutoCloseable {
        private final List<PreparedStatement> statements = new ArrayList<>();
        private final PreparedStatement begin;
        private final PreparedStatement insert;
        private final PreparedStatement delete;
        private final PreparedStatement raiseFloor;
        private final PreparedStatement commit;

        SqliteWriter(Connection connection) throws SQLException {
            begin = prepared(connection, "BEGIN IMMEDIATE");
            insert = prepared(connection, SqliteRow.INSERT);
            delete = prepared(connection, "DELETE FROM changes WHERE revision = ?");
            raiseFloor = prepared(connection, "UPDATE floor SET revision = ?, crc = ?");
            commit = prepared(connection, "COMMIT");
        }

        private PreparedStatement prepared(Connection connection, String command) throws SQLException {
            PreparedStatement statement = connection.prepareStatement(command);
            statements.add(statement);
            return statement;
        }

        /** Implements {@link ChangeLog#write}. After a failure the transaction may still be open. */
        void write(List<Change> changes, long floor, List<Long> obsolete) throws SQLException {
            begin.execute();
            for (Change change : changes) {
                for (Event event : change.events()) {
                    boolean deleted = event.type() == Event.Type.DELETED;
                    SqliteRow.insert(
                            insert,
                            change.revision(),
                            change.time(),
                            event.key().path(),
                            deleted ? null : event.entry().value());
                }
            }
            // Executed even if empty, so that its success shows that writes are possible.
            if (!obsolete.isEmpty() || changes.isEmpty()) {
                delete(obsolete, floor);
            }
            commit.execute();
        }

        private void delete(List<Long> obsolete, long floor) throws SQLException {
            for (long revision : obsolete) {
                delete.setLong(1, revision);
                delete.executeUpdate();
            }
            raiseFloor.setLong(1, floor);
            raiseFloor.setLong(2, SqliteRow.floorChecksum(floor));
            raiseFloor.executeUpdate();
        }

        @Override
        public void close() throws SQLException {
            for (PreparedStatement statement : statements) {
                statement.close();
            }
        }
    }
}
