package io.plat.http.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.LoggerContext;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class DirectoryLogTest {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLogTest.class);

    @TempDir
    Path directory = Path.of("");

    /** While SLF4J is initialized by another test, it returns a substitute. */
    @BeforeAll
    static void awaitLogging() {
        await().until(() -> LoggerFactory.getILoggerFactory() instanceof LoggerContext);
    }

    @Test
    void theLogIsWrittenUntilClosed() throws IOException {
        Path file = directory.resolve("server.log");
        try (DirectoryLog log = DirectoryLog.begin(directory, "server")) {
            assertThat(log).isNotNull();
            LOG.error(
                    "the first event\nis one\u001b\u009b\u202e\u2028\udb40\udc41line",
                    new IllegalStateException("\u001b[2J\u200b"));
        }
        LOG.error("the second event");
        assertThat(Files.readAllLines(file))
                .singleElement()
                .asString()
                .matches(
                        "....-..-..T.* ERROR DirectoryLogTest the first event is one line \\| [\\w.]+: +\\[2J +\\| at .*")
                .satisfies(line -> assertThat(Quoted.isSafe(line)).isTrue());
        try (DirectoryLog log = DirectoryLog.begin(directory, "server")) {
            assertThat(log).isNotNull();
            LOG.error("the third event");
        }
        assertThat(Files.readAllLines(file)).hasSize(2);
    }

    @Test
    void aFileIsReadableByItsOwnerOnly() throws IOException {
        Path earlier = Files.writeString(directory.resolve("earlier.log"), "");
        Files.setPosixFilePermissions(earlier, PosixFilePermissions.fromString("rw-r--r--"));
        for (String program : new String[] {"earlier", "new"}) {
            DirectoryLog.begin(directory, program).close();
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(directory.resolve(program + ".log"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void pathsOtherThanDirectoriesAreRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        assertThatThrownBy(() -> DirectoryLog.begin(file, "server").close())
                .isInstanceOf(IOException.class)
                .hasMessage("\"" + file + "\" is not a directory");
        assertThatThrownBy(() ->
                        DirectoryLog.begin(directory.resolve("none"), "server").close())
                .isInstanceOf(IOException.class);
    }
}
