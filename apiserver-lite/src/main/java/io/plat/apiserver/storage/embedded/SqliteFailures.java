package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Translation of database failures to store failures. */
final class SqliteFailures {
    private SqliteFailures() {}

    /** Returns the failure of reading. An SQL error in a file of this schema means that the schema is damaged. */
    static StorageException unreadable(String action, SQLException e) {
        return e instanceof SQLiteException sqlite && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_ERROR
                ? new StorageException(Kind.CORRUPT, "can't " + action + ": the file is damaged: " + line(e), e)
                : failure(action, e);
    }

    /** Returns the failure of an operation that is described by a verb. */
    static StorageException failure(String action, SQLException e) {
        if (!(e instanceof SQLiteException sqlite)) {
            return new StorageException(Kind.IO_ERROR, "can't " + action + ": " + line(e), e);
        }
        return switch (sqlite.getResultCode().code & 0xff) {
            case 13 -> new StorageException(Kind.FULL, "can't " + action + ": no space left", e);
            case 3, 8, 14 -> new StorageException(Kind.READ_ONLY, "can't " + action + ": not writable", e);
            case 11, 26 -> new StorageException(Kind.CORRUPT, "can't " + action + ": the file is damaged", e);
            case 5, 6 -> new StorageException(Kind.IN_USE, "can't " + action + ": another process locks it", e);
            default -> new StorageException(Kind.IO_ERROR, "can't " + action + ": " + line(e), e);
        };
    }

    /** Returns the first line of a message, for logging. */
    static String line(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
