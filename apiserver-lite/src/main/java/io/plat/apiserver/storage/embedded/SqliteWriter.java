package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes batches of changes, a transaction each. Statements are prepared once, as preparing one costs as much as a row. Unusable after a
 * failure.
 */
final class SqliteWriter implements AutoCloseable {
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
