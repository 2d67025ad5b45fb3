package io.plat.http.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class FolderLogTest {
    private static final Logger LOG = LoggerFactory.getLogger(FolderLogTest.class);

    @TempDir
    Path folder = Path.of("");

    @Test
    void theLogIsKeptThereUntilItIsClosed() throws IOException {
        Path file = folder.resolve("server.log");
        try (FolderLog log = FolderLog.begin(folder, "server")) {
            assertThat(log).isNotNull();
            LOG.error("the first event\nis one line");
        }
        LOG.error("the second event");
        assertThat(Files.readAllLines(file))
                .singleElement()
                .asString()
                .matches("....-..-..T.* ERROR FolderLogTest the first event is one line");
        try (FolderLog log = FolderLog.begin(folder, "server")) {
            assertThat(log).isNotNull();
            LOG.error("the third event");
        }
        assertThat(Files.readAllLines(file)).hasSize(2);
    }

    @Test
    void whatIsNoFolderIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> FolderLog.begin(file, "server").close())
                .isInstanceOf(IOException.class)
                .hasMessage("\"" + file + "\" is no folder");
        assertThatThrownBy(
                        () -> FolderLog.begin(folder.resolve("none"), "server").close())
                .isInstanceOf(IOException.class);
    }
}
