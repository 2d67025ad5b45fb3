package io.plat.apiserver.storage.move;

import static io.plat.apiserver.storage.move.ListedContents.kept;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A backup is read exactly as written, or refused. */
final class BackupFileTest {
    private static final ListedContents CONTENTS = new ListedContents(
            77,
            List.of(
                    kept("events/a/e", "passes", 55),
                    kept("pods/a/\u00e4\ud83d\ude00", "one", 0),
                    kept("pods/b", "", 0)));

    private final Path file;
    private byte[] whole = {};

    BackupFileTest(@TempDir Path directory) {
        this.file = directory.resolve("backup");
    }

    @BeforeEach
    void write() throws StorageException, IOException {
        new BackupWriter(file, false).write(CONTENTS, 0);
        whole = Files.readAllBytes(file);
    }

    private void assertRefused(byte[] bytes, String message) throws IOException {
        Files.write(file, bytes);
        assertThatThrownBy(() -> BackupFile.open(file))
                .isInstanceOf(StorageException.class)
                .hasMessageStartingWith("\"" + file + "\" ")
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void contentRoundTrips() throws StorageException, IOException {
        BackupFile read = BackupFile.open(file);
        assertThat(read.revision()).isEqualTo(77);
        assertThat(read.objects()).isEqualTo(3);
        assertThat(ListedContents.inShort(read)).isEqualTo(ListedContents.inShort(CONTENTS));
        assertThat(read.digest()).isEqualTo(ContentsDigest.of(CONTENTS));
        assertThat(new String(whole, UTF_8)).startsWith("plat-backup 1 77\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void anyChangedByteIsDetected() throws IOException {
        for (int i = "plat-backup 1 77\n".length(); i < whole.length; i++) {
            for (int bit : new int[] {1, 0x80}) {
                byte[] changed = whole.clone();
                changed[i] ^= (byte) bit;
                assertRefused(changed, "is damaged: ");
            }
        }
    }

    @Test
    void truncationIsDetected() throws IOException {
        for (int length = 0; length < whole.length; length++) {
            assertRefused(Arrays.copyOf(whole, length), length < 17 ? "is not a backup" : "is damaged: it ends after");
        }
    }

    @Test
    void trailingDataIsRejected() throws IOException {
        assertRefused(Arrays.copyOf(whole, whole.length + 1), "unexpected data after its end");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        plat-backup 2 77          | is of version 2, expected 1
        plat-backup 1             | is not a backup
        plat-backup 1 -1          | is not a backup
        plat-backup 1 9999999999999999999 | is not a backup
        SQLite format 3           | is not a backup
        plat-backup 1 77777777777777777777777777777777777777777777777777777777777777777777 | is not a backup
        """)
    void unknownHeaderLineIsRefused(String line, String message) throws IOException {
        assertRefused((line + "\n").getBytes(UTF_8), message);
    }

    @Test
    void fileThatChangesBetweenReadsIsRefused() throws StorageException, IOException {
        BackupFile open = BackupFile.open(file);
        new BackupWriter(file, true).write(ListedContents.of(77, 2), 0);
        assertThatThrownBy(() -> open.forEach(kept -> {})).hasMessageContaining("it was changed while it was read");
    }

    @Test
    void fileIsReplacedOnlyWithForce() throws StorageException, IOException {
        assertThatThrownBy(() -> new BackupWriter(file, false).write(CONTENTS, 0))
                .hasMessage("\"" + file + "\" already exists; use --force to replace it");
        assertThat(new BackupWriter(file, true)
                        .write(ListedContents.of(1, 1), 0)
                        .objects())
                .isEqualTo(1);
        assertThat(BackupFile.open(file).objects()).isEqualTo(1);
    }

    @Test
    void otherFilesAreNeverReplaced() throws IOException {
        Files.writeString(file, "SQLite format 3");
        assertThatThrownBy(() -> new BackupWriter(file, true).write(CONTENTS, 0))
                .hasMessage("\"" + file + "\" is not a backup");
        assertThat(file).hasContent("SQLite format 3");
    }

    @Test
    void notesOfAStoreAreNoObjects() throws StorageException {
        Path other = file.resolveSibling("notes");
        new BackupWriter(file, true).write(ListedContents.of(1, 1), 0);
        assertThatThrownBy(() -> new BackupWriter(other, false)
                        .write(new ListedContents(1, List.of(kept("~/origin", "whole 5", 0))), 0))
                .hasMessageContaining("is damaged: object 1");
        assertThat(other).doesNotExist();
    }

    @Test
    void unreadableContentsLeaveNoFile() throws IOException {
        Files.delete(file);
        var failing = new ListedContents(5, List.of(kept("pods/b", "", 0), kept("pods/a", "", 0)));
        assertThatThrownBy(() -> new BackupWriter(file, false).write(failing, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("out of order: pods/a");
        try (var left = Files.list(file.resolveSibling(""))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void ioErrorsAreOneLine() {
        Path nowhere = file.resolveSibling("no/such");
        assertThatThrownBy(() -> BackupFile.open(nowhere))
                .hasMessage("cannot read \"" + nowhere + "\": no such file or directory");
        assertThatThrownBy(() -> new BackupWriter(nowhere, false).write(CONTENTS, 0))
                .hasMessage("cannot write \"" + nowhere + "\": no such file or directory");
    }
}
