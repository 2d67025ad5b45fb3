package io.plat.tls.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RegularFileTest {
    private final Path directory;

    RegularFileTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Reading some of them waits for the next event, and they look like empty files. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/proc/kmsg",
                "/proc/self/environ",
                "/sys/kernel/tracing/trace_pipe",
                "/sys/kernel/debug/tracing/trace_pipe"
            })
    void filesOfTheKernelAreRefused(Path file) throws IOException {
        Assumptions.assumeTrue(Files.isRegularFile(file));
        Path link = Files.createSymbolicLink(directory.resolve("link.yaml"), file);

        for (Path path : new Path[] {file, link}) {
            assertThatExceptionOfType(FileSystemException.class)
                    .isThrownBy(() -> RegularFile.open(path).close())
                    .withMessage("is not a regular file");
        }
        assertThat(FileState.of(link, null).content()).isEqualTo("unreadable");
    }

    @Test
    void emptyFilesAndOpenFilesAreRead() throws IOException {
        Path empty = Files.createFile(directory.resolve("empty.yaml"));
        Path memory = Path.of("/dev/shm");
        assertEmpty(empty);
        assertEmpty(Path.of("/dev/null"));
        if (Files.isWritable(memory)) {
            Path file = Files.createTempFile(memory, "empty", ".yaml");
            assertEmpty(file);
            Files.delete(file);
        }
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")));
        try (FileChannel _ = FileChannel.open(empty);
                var open = Files.list(Path.of("/proc/self/fd"))) {
            assertEmpty(open.filter(fd -> isSame(fd, empty)).findFirst().orElseThrow());
        }
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException _) {
            return false;
        }
    }

    private static void assertEmpty(Path file) throws IOException {
        try (SeekableByteChannel open = RegularFile.open(file)) {
            assertThat(open.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }
}
