package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.LongFunction;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Row of a change: revision, time, key, value (null for a deletion), and a checksum of all of them. */
final class SqliteRow {
    static final byte[] NOTHING = new byte[0];

    static final String ALL = "SELECT revision, time, key, value, crc FROM changes ORDER BY revision";

    static final String INSERT = "INSERT INTO changes VALUES (?, ?, ?, ?, ?)";

    private SqliteRow() {}

    /**
     * Passes on the floor and all rows in order of revisions.
     *
     * @throws StorageException if a row is damaged
     */
    static void readAll(Statement statement, LongFunction<ChangeSource.Reader> begin) throws StorageException {
        try {
            ChangeSource.Reader reader = begin.apply(SqliteFile.floor(statement));
            try (ResultSet rows = statement.executeQuery(ALL)) {
                while (rows.next()) {
                    read(rows, reader);
                }
            }
        } catch (SQLException e) {
            throw SqliteFile.unreadable("read", e);
        }
    }

    static void read(ResultSet row, ChangeSource.Reader reader) throws SQLException, StorageException {
        long revision = row.getLong(1);
        long time = row.getLong(2);
        String path = row.getString(3);
        byte[] value = row.getBytes(4);
        if (path == null || row.getLong(5) != checksum(revision, time, path, value == null ? NOTHING : value)) {
            throw new StorageException(Kind.CORRUPT, "the log is damaged: wrong checksum at revision " + revision);
        }
        try {
            reader.change(time, new Entry(Key.parse(path), value == null ? NOTHING : value, revision), value == null);
        } catch (IllegalArgumentException e) {
            throw new StorageException(Kind.CORRUPT, "the log is damaged: no key at revision " + revision, e);
        }
    }

    /** Inserts a row by {@link #INSERT}; without a value for a deletion. */
    static void insert(PreparedStatement insert, long revision, long time, String path, byte @Nullable [] value)
            throws SQLException {
        insert.setLong(1, revision);
        insert.setLong(2, time);
        insert.setString(3, path);
        insert.setBytes(4, value);
        insert.setLong(5, checksum(revision, time, path, value == null ? NOTHING : value));
        insert.executeUpdate();
    }

    static long floorChecksum(long floor) {
        var crc = new CRC32C();
        crc.update(("floor " + floor).getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    static long checksum(long revision, long time, String path, byte[] value) {
        var crc = new CRC32C();
        crc.update((revision + " " + time + " " + path + " ").getBytes(StandardCharsets.UTF_8));
        crc.update(value);
        return crc.getValue();
    }
}
