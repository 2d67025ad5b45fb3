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
 * Verifies an embedded store that is not in use, without changing it: the database's structure, every checksum, and that revisions and
 * keys form a consistent history.
 */
public final class StoreCheck {
    /** Maximum number of reported problems. */
    private static final int MAX_PROBLEMS = 20;

    private final List<String> problems = new ArrayList<>();

    /**
     * Result of the verification.
     *
     * @param floor revision after which every change is kept
     * @param bytes size of the file and of the write-ahead log
     * @param problems problems, one line each; if there are any, the counts are unreliable
     */
    public record Report(long objects, long changes, long floor, long revision, long bytes, List<String> problems) {
        public Report {
            problems = List.copyOf(problems);
        }
    }

    private StoreCheck() {}

    /**
     * Verifies a data directory.
     *
     * @throws StorageException if it is missing, in use, unreadable or written by a later version
     */
    public static Report check(Path directory) throws StorageException {
        Path file = SqliteFile.in(directory);
        try (DataDirectory _ = DataDirectory.open(directory)) {
            return new StoreCheck().checkFile(file);
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
            add(SqliteFile.unreadable("read \"" + file + "\"", e));
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
        try (ResultSet lines = statement.executeQuery("PRAGMA integrity_check(" + MAX_PROBLEMS + ")")) {
            while (lines.next()) {
                String line = lines.getString(1);
                if (!"ok".equals(line)) {
                    problems.add("\"" + file + "\" is damaged: " + line.replace('\n', ' '));
                }
            }
        }
    }

    /** Verifies each row separately, so that all damaged ones are reported. */
    private void checkRows(Statement statement) throws SQLException, StorageException {
        int damaged = 0;
        try (ResultSet rows = statement.executeQuery(SqliteRow.ALL)) {
            while (rows.next()) {
                try {
                    SqliteRow.read(rows, (time, entry, deleted) -> {});
                } catch (StorageException e) {
                    damaged++;
                    if (damaged <= MAX_PROBLEMS) {
                        add(e);
                    }
                }
            }
        }
        if (damaged > MAX_PROBLEMS) {
            problems.add("and " + (damaged - MAX_PROBLEMS) + " more rows are damaged");
        }
    }
}
