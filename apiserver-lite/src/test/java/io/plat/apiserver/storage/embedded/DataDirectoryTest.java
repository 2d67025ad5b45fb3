package io.plat.apiserver.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plat.apiserver.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An unusable directory is reported in one line. */
final class DataDirectoryTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void fileIsNotADirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        assertThat(refused(file)).isEqualTo("cannot write to the data directory \"" + file + "\": not a directory");
        Path below = file.resolve("data");
        assertThat(refused(below)).startsWith("cannot write to the data directory \"" + below + "\": ");
    }

    @Test
    void failureToCreateShowsTheSystemMessage() {
        Path nowhere = Path.of("/proc/plat/data");
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self")));
        assertThat(refused(nowhere))
                .isEqualTo("cannot write to the data directory \"/proc/plat/data\": no such directory");
    }

    @Test
    void oneProcessAtATime() throws StorageException {
        Path data = directory.resolve("data");
        try (DataDirectory held = DataDirectory.open(data)) {
            assertThat(held.file("lock")).exists();
            assertThat(refused(data)).isEqualTo("the data directory \"" + data + "\" is in use by another process");
        }
    }

    private static String refused(Path path) {
        StorageException refusal = catchThrowableOfType(
                StorageException.class, () -> DataDirectory.open(path).close());
        assertThat(refusal).isNotNull();
        assertThat(refusal.getMessage()).doesNotContain("Exception", "java.", "\n");
        return String.valueOf(refusal.getMessage());
    }
}
