package io.plat.apiserver.storage;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.zip.CRC32C;

/** A change as a row of the table: revision, time, key, value (null for a deletion), checksum over all of them. */
final class SqliteRow {
    /** The value of a deletion. */
    static final byte[] NOTHING = new byte[0];

    /** The rows in order of revisions, as {@link #read} takes them. */
    static final String ALL = "SELECT revision, time, key, value, crc FROM changes ORDER BY revision";

    private SqliteRow() {}

    /**
     * Hands every row on, in order of revisions.
     *
     * @return the floor
     * @throws StorageException if one is not as it was written
     */
    static long readAll(Statement statement, ChangeSource.Reader reader) throws StorageException {
        try {
            long floor = SqliteFile.floor(statement);
            try (ResultSet rows = statement.executeQuery(ALL)) {
                while (rows.next()) {
                    read(rows, reader);
                }
            }
            return floor;
        } catch (SQLException e) {
            throw SqliteFailures.unreadable("read", e);
        }
    }

    /** Hands the present row on. */
    static void read(ResultSet row, ChangeSource.Reader reader) throws SQLException, StorageException {
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

    /** Of the revision after which every change is kept. */
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
