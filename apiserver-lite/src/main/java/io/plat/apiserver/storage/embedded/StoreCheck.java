package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at everything that an embedded store keeps while no server has it open, and changes nothing: the database's own
 * structure, every checksum, that revisions and keys make one history, and where that begins.
 */
public final class StoreCheck {
    /** So many problems say that a file is lost; more say nothing more. */
    private static final int MOST_PROBLEMS = 20;

    private final List<String> problems = new ArrayList<>();

    /**
     * What was found.
     *
     * @param objects how many objects there are
     * @param changes how many changes the history holds
     * @param floor the revision after which every change is kept
     * @param revision the newest revision
     * @param bytes the size of the file and of the write-ahead log
     * @param problems what is wrong, one line each; the counts mean little where there is something
     */
    public record Report(long objects, long changes, long floor, long revision, long bytes, List<String> problems) {
        public Report {
            problems = List.copyOf(problems);
        }
    }

    private StoreCheck() {}

    /**
     * Checks a data directory.
     *
     * @throws StorageException if it can't be looked at: it is missing, in use, unreadable or written by a later version
     */
    public static Report check(Path directory) throws StorageException {
        Path file = SqliteFile.in(directory);
        DataDirectory held = DataDirectory.open(directory);
        try {
            return new StoreCheck().checkFile(file);
        } finally {
            held.close();
        }
    }

    private Report checkFile(Path file) throws StorageException {
        Path writeAhead = file.resolveSibling(SqliteFile.WRITE_AHEAD);
        var loader = new Loader();
        try {
            WriteAheadLog.check(writeAhead);
            try (Connection connection = SqliteFile.connect(file, SqliteFile.Access.READING);
                    Statement statement = connection.createStatement()) {
                checkStructure(statement, file);
                checkRows(statement);
                loader.load(reader -> SqliteRow.readAll(statement, reader));
            }
        } catch (SQLException e) {
            add(SqliteFailures.unreadable("read \"" + file + "\"", e));
        } catch (StorageException e) {
            add(e);
        }
        return new Report(
                loader.tree().size(),
                loader.changes(),
                loader.floor(),
                loader.revision(),
                file.toFile().length() + writeAhead.toFile().length(),
                problems);
    }

    private void add(StorageException e) throws StorageException {
        if (e.kind() != Kind.CORRUPT) {
            throw e;
        }
        String problem = String.valueOf(e.getMessage());
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    private void checkStructure(Statement statement, Path file) throws SQLException {
        try (ResultSet found = statement.executeQuery("PRAGMA integrity_check(" + MOST_PROBLEMS + ")")) {
            while (found.next()) {
                String line = found.getString(1);
                if (!"ok".equals(line)) {
                    problems.add("\"" + file + "\" is damaged: " + line.replace('\n', ' '));
                }
            }
        }
    }

    /** Every row by itself, so that all that are damaged are named. */
    private void checkRows(Statement statement) throws SQLException, StorageException {
        int damaged = 0;
        try (ResultSet rows = statement.executeQuery(SqliteRow.ALL)) {
            while (rows.next()) {
                try {
                    SqliteRow.read(rows, (time, entry, deleted) -> {});
                } catch (StorageException e) {
                    damaged++;
                    if (damaged <= MOST_PROBLEMS) {
                        add(e);
                    }
                }
            }
        }
        if (damaged > MOST_PROBLEMS) {
            problems.add("and " + (damaged - MOST_PROBLEMS) + " more rows are damaged");
        }
    }
}
