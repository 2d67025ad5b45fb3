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

class FolderLogTest {
    private static final Logger LOG = LoggerFactory.getLogger(FolderLogTest.class);

    @TempDir
    Path folder = Path.of("");

    /** While SLF4J is initialized by another test, it returns a substitute. */
    @BeforeAll
    static void awaitLogging() {
        await().until(() -> LoggerFactory.getILoggerFactory() instanceof LoggerContext);
    }

    @Test
    void theLogIsWrittenUntilClosed() throws IOException {
        Path file = folder.resolve("server.log");
        try (FolderLog log = FolderLog.begin(folder, "server")) {
            assertThat(log).isNotNull();
            LOG.error(
                    "the first event\nis one\u001b\u009b\u202e\u2028\udb40\udc41line",
                    new IllegalStateException("\u001b[2J\u200b"));
        }
        LOG.error("the second event");
        assertThat(Files.readAllLines(file))
                .singleElement()
                .asString()
                .matches("....-..-..T.* ERROR FolderLogTest the first event is one line \\| [\\w.]+: +\\[2J +\\| at .*")
                .satisfies(line -> assertThat(Quoted.isSafe(line)).isTrue());
        try (FolderLog log = FolderLog.begin(folder, "server")) {
            assertThat(log).isNotNull();
            LOG.error("the third event");
        }
        assertThat(Files.readAllLines(file)).hasSize(2);
    }

    @Test
    void aFileIsReadableByItsOwnerOnly() throws IOException {
        Path earlier = Files.writeString(folder.resolve("earlier.log"), "");
        Files.setPosixFilePermissions(earlier, PosixFilePermissions.fromString("rw-r--r--"));
        for (String program : new String[] {"earlier", "new"}) {
            FolderLog.begin(folder, program).close();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(program + ".log"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void pathsOtherThanFoldersAreRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> FolderLog.begin(file, "server").close())
                .isInstanceOf(IOException.class)
                .hasMessage("\"" + file + "\" is not a directory");
        assertThatThrownBy(
                        () -> FolderLog.begin(folder.resolve("none"), "server").close())
                .isInstanceOf(IOException.class);
    }
}
