package io.plat.http.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RotatingFileTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-21T18:01:17.123456Z"));

    @TempDir
    Path directory = Path.of("");

    private Path path() {
        return directory.resolve("decisions.log");
    }

    private RotatingFile open(int maxBytes, int kept) throws IOException {
        return new RotatingFile(path(), maxBytes, new Backups(path(), kept, Duration.ZERO, CLOCK), ignored -> {});
    }

    private static void write(RotatingFile file, String lines) throws IOException {
        file.write(ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8)));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Opening it would wait for a reader, forever if the pipe is removed. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeInPlaceOfTheFileIsNotOpened() throws IOException, InterruptedException {
        try (RotatingFile file = open(100, 0)) {
            write(file, "a\n");
            Files.delete(path());
            assertThat(new ProcessBuilder("mkfifo", path().toString()).start().waitFor())
                    .isZero();
            assertThatThrownBy(() -> write(file, "b\n")).hasMessageContaining("not a regular file");
            Files.delete(path());
            write(file, "c\n");
        }
        assertThat(path()).hasContent("c\n");
    }

    @Test
    void aNewFileIsReadableByItsOwnerOnly() throws IOException {
        try (RotatingFile file = open(100, 0)) {
            write(file, "a\n");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
                .isEqualTo("rw-------");
        assertThat(path()).hasContent("a\n");
    }

    @Test
    void anExistingFileIsContinued() throws IOException {
        Files.writeString(path(), "a\n");
        try (RotatingFile file = open(100, 0)) {
            write(file, "b\n");
            write(file, "c\n");
        }
        assertThat(path()).hasContent("a\nb\nc\n");
    }

    @Test
    void aPartialLineIsFollowedByANewLine() throws IOException {
        Files.writeString(path(), "a\nhalf a l");
        try (RotatingFile file = open(100, 0)) {
            write(file, "b\n");
            write(file, "c\n");
        }
        assertThat(path()).hasContent("a\nhalf a l\nb\nc\n");
    }

    @Test
    void aFullFileIsRotated() throws IOException {
        try (RotatingFile file = open(8, 0)) {
            for (String line : List.of("aaa\n", "bbb\n", "ccc\n", "ddd\n", "eee\n")) {
                write(file, line);
            }
        }
        assertThat(files())
                .containsExactly(
                        "decisions-2026-11-21T18-01-17.123.log",
                        "decisions-2026-11-21T18-01-17.124.log",
                        "decisions.log");
        assertThat(directory.resolve("decisions-2026-11-21T18-01-17.123.log")).hasContent("aaa\nbbb\n");
        assertThat(directory.resolve("decisions-2026-11-21T18-01-17.124.log")).hasContent("ccc\nddd\n");
        assertThat(path()).hasContent("eee\n");
    }

    @Test
    void theOldestBackupsAreRemovedAndOtherFilesKept() throws IOException {
        List<String> others = List.of("decisions-2026.log", "decisions-old.log", "other-2026-11-21T18-01-17.100.log");
        for (String other : others) {
            Files.writeString(directory.resolve(other), "");
        }
        Files.writeString(directory.resolve("decisions-2025-01-01T00-00-00.000.log"), "");
        try (RotatingFile file = open(4, 2)) {
            for (String line : List.of("aaa\n", "bbb\n", "ccc\n", "ddd\n")) {
                write(file, line);
            }
        }
        List<String> expected = new ArrayList<>(others);
        expected.addAll(List.of(
                "decisions-2026-11-21T18-01-17.124.log", "decisions-2026-11-21T18-01-17.125.log", "decisions.log"));
        assertThat(files()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(directory.resolve("decisions-2026-11-21T18-01-17.125.log")).hasContent("ccc\n");
    }

    @Test
    void aTooLargeLineHasItsOwnFile() throws IOException {
        try (RotatingFile file = open(4, 0)) {
            write(file, "a\n");
            write(file, "too large\n");
            write(file, "b\n");
        }
        assertThat(directory.resolve("decisions-2026-11-21T18-01-17.124.log")).hasContent("too large\n");
        assertThat(path()).hasContent("b\n");
    }

    @Test
    void aFullFileThatCannotBeRotatedIsContinued() throws IOException {
        Path log = Files.createDirectory(directory.resolve("locked")).resolve("decisions.log");
        Backups nowhere = new Backups(directory.resolve("absent/decisions.log"), 2, Duration.ZERO, CLOCK);
        List<String> problems = new ArrayList<>();
        try (RotatingFile file = new RotatingFile(log, 4, nowhere, problems::add)) {
            write(file, "aaa\n");
            write(file, "bbb\n");
        }
        assertThat(problems).singleElement().asString().contains("no such file or directory");
        assertThat(log).hasContent("aaa\nbbb\n");
    }

    @Test
    void externallyMovedOrTruncatedFilesAreDetected() throws IOException {
        try (RotatingFile file = open(100, 0)) {
            write(file, "a\n");
            Files.move(path(), directory.resolve("moved"));
            write(file, "b\n");
            assertThat(path()).hasContent("b\n");
            Files.writeString(path(), "");
            write(file, "c\n");
            assertThat(path()).hasContent("c\n");
            Files.delete(path());
            write(file, "d\n");
        }
        assertThat(path()).hasContent("d\n");
        assertThat(directory.resolve("moved")).hasContent("a\n");
    }

    @Test
    void writeFailuresAreReported() throws IOException {
        Path missing = directory.resolve("absent/decisions.log");
        assertThatThrownBy(() ->
                        new RotatingFile(missing, 4, new Backups(missing, 0, Duration.ZERO, CLOCK), ignored -> {}))
                .isInstanceOf(NoSuchFileException.class)
                .satisfies(failed -> assertThat(LogFile.problem((IOException) failed))
                        .isEqualTo("\"" + missing + "\": no such file or directory"));
    }

    @Test
    void oldBackupsAreRemoved() throws IOException {
        Files.writeString(directory.resolve("decisions-2026-11-19T18-01-17.122.log"), "too old\n");
        Files.writeString(directory.resolve("decisions-2026-11-19T18-01-17.123.log"), "just as old as may be\n");
        Backups backups = new Backups(path(), 0, Duration.ofDays(2), CLOCK);
        try (RotatingFile file = new RotatingFile(path(), 4, backups, ignored -> {})) {
            write(file, "aaa\n");
            write(file, "bbb\n");
        }
        assertThat(files())
                .containsExactly(
                        "decisions-2026-11-19T18-01-17.123.log",
                        "decisions-2026-11-21T18-01-17.123.log",
                        "decisions.log");
    }

    @Test
    void aNameWithoutEndingIsRotatedToo() throws IOException {
        Path bare = directory.resolve("decisions");
        try (RotatingFile file = new RotatingFile(bare, 4, new Backups(bare, 1, Duration.ZERO, CLOCK), ignored -> {})) {
            write(file, "aaa\n");
            write(file, "bbb\n");
        }
        assertThat(files()).containsExactly("decisions", "decisions-2026-11-21T18-01-17.123");
    }
}
