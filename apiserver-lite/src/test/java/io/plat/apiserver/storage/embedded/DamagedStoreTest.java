package io.plat.apiserver.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that are not opened: a directory in use or of another owner, and corrupt files. */
final class DamagedStoreTest extends StoreOnDisk {
    DamagedStoreTest(@TempDir Path directory) {
        super(directory);
    }

    @Test
    void walWithoutDatabaseIsCorrupt() throws Exception {
        try (ObjectStore store = open()) {
            put(store, 1, "one");
            Files.copy(directory.resolve(SqliteFile.WRITE_AHEAD), directory.resolve(SqliteFile.WRITE_AHEAD + ".copy"));
        }
        Files.move(directory.resolve(SqliteFile.WRITE_AHEAD + ".copy"), directory.resolve(SqliteFile.WRITE_AHEAD));
        Files.delete(directory.resolve(SqliteFile.NAME));
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    @Test
    void concurrentOpenIsRefused() throws StorageException {
        try (ObjectStore store = open()) {
            assertThat(refused(directory)).isEqualTo(StorageException.Kind.IN_USE);
            put(store, 1, "still works");
        }
        open().close();
    }

    @Test
    void directoryIsOwnerOnly() throws Exception {
        open().close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
    }

    @Test
    void directoryThatIsAFileIsRefused() throws IOException {
        Files.writeString(directory, "not a directory");
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.READ_ONLY);
    }

    @Test
    void emptyFileIsCorrupt() throws Exception {
        try (ObjectStore store = open()) {
            put(store, 1, "one");
        }
        Files.write(directory.resolve(SqliteLog.FILE), new byte[0]);
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    @Test
    void garbageIsRefused() throws Exception {
        open().close();
        Files.writeString(directory.resolve(SqliteLog.FILE), "this is not a database, ".repeat(500));
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    @Test
    void anotherProgramsDatabaseIsRefused() throws Exception {
        Files.createDirectories(directory);
        sql("CREATE TABLE something (x)");
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    @Test
    void newerSchemaIsRefused() throws Exception {
        open().close();
        sql("PRAGMA user_version = 99");
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.UNKNOWN_FORMAT);
    }

    @Test
    void truncatedFileIsRefused() throws Exception {
        fill();
        try (var file = new RandomAccessFile(directory.resolve(SqliteLog.FILE).toFile(), "rw")) {
            file.setLength(file.length() / 2);
        }
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    @Test
    void changedRowIsRefused() throws Exception {
        fill();
        sql("UPDATE changes SET key = 'pods/a/forged' WHERE revision = 50");
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    @Test
    void missingRowIsRefused() throws Exception {
        fill();
        sql("DELETE FROM changes WHERE revision = 50");
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    /** A higher floor would hide changes, a lower one would show changes without their previous states. */
    @Test
    void changedFloorIsRefused() throws Exception {
        fill();
        for (int floor : new int[] {1, 50, 100, 1000, -1}) {
            sql("UPDATE floor SET revision = " + floor);
            assertThat(refused(directory)).as("floor %d", floor).isEqualTo(StorageException.Kind.CORRUPT);
        }
        sql("UPDATE floor SET revision = 0");
        open().close();
    }

    /** A trigger would delete acknowledged changes, and a view show others than the log has. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER t AFTER INSERT ON changes BEGIN DELETE FROM changes; END",
                "ALTER TABLE changes RENAME TO c; CREATE VIEW changes AS SELECT * FROM c",
                "CREATE TABLE other (x)",
                "CREATE INDEX i ON changes (key)",
                "ALTER TABLE floor ADD COLUMN x TEXT",
                "ANALYZE"
            })
    void changedSchemaIsRefused(String change) throws Exception {
        fill();
        for (String statement : change.split("; (?=CREATE)")) {
            sql(statement);
        }
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
        assertThat(StoreCheck.check(directory).problems())
                .containsExactly("\"" + directory.resolve(SqliteFile.NAME)
                        + "\" is damaged: its tables, views, indexes and triggers are not exactly those of a store");
    }

    @Test
    void interruptedCreationIsRepeated() throws Exception {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(SqliteLog.FILE + ".new"), "half a file");
        try (ObjectStore store = open()) {
            assertThat(put(store, 1, "one").revision()).isEqualTo(1);
        }
    }

    private void fill() throws StorageException {
        try (ObjectStore store = open()) {
            for (int i = 0; i < 100; i++) {
                put(store, i, "value " + i + " " + "x".repeat(1000));
            }
        }
    }
}
