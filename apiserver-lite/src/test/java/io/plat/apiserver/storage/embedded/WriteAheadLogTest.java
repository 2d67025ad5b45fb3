package io.plat.apiserver.storage.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Write-ahead log of a killed process: a truncated last commit is discarded, anything else is corruption. */
final class WriteAheadLogTest {
    private static final int WRITES = 20;
    private static final int HEADER = 32;

    private static byte[] file = {};
    private static byte[] log = {};
    private static int lastCommit;

    private final Path killed;

    WriteAheadLogTest(@TempDir Path directory) throws IOException {
        this.killed = directory;
        leaveFileAgain();
    }

    private static Key key(int number) {
        return new Key("pods", "a", "x" + number);
    }

    /** The files of a running store, as after a kill. */
    @BeforeAll
    static void leave(@TempDir Path data) throws Exception {
        try (ObjectStore store = EmbeddedStore.open(data, StoreOptions.keeping(HistoryPolicy.DEFAULT))) {
            for (int i = 0; i < WRITES; i++) {
                if (i == WRITES - 1) {
                    lastCommit = (int) Files.size(data.resolve(SqliteFile.WRITE_AHEAD));
                }
                store.commit(Transaction.create(key(i), ("value " + i + "x".repeat(700)).getBytes(UTF_8)));
            }
            file = Files.readAllBytes(data.resolve(SqliteFile.NAME));
            log = Files.readAllBytes(data.resolve(SqliteFile.WRITE_AHEAD));
        }
    }

    private void writeLog(byte[] bytes) throws IOException {
        Files.write(killed.resolve(SqliteFile.WRITE_AHEAD), bytes);
    }

    private long objects() throws StorageException {
        try (ObjectStore store = EmbeddedStore.open(killed, StoreOptions.keeping(HistoryPolicy.DEFAULT))) {
            long count = store.latest().count(KeyRange.of("pods"));
            for (int i = 0; i < count; i++) {
                assertThat(store.latest().get(key(i)))
                        .hasValueSatisfying(entry ->
                                assertThat(entry.value()).asString(UTF_8).startsWith("value "));
            }
            return count;
        }
    }

    private void assertDamaged() {
        assertThatThrownBy(this::objects)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.CORRUPT))
                .hasMessageContaining("is damaged");
    }

    @Test
    void completeLogIsReplayed() throws Exception {
        writeLog(log);
        assertThat(objects()).isEqualTo(WRITES);
    }

    @Test
    void emptyLogHasNoCommits() throws Exception {
        writeLog(new byte[0]);
        assertThat(objects()).isZero();
    }

    static IntStream placesBeforeTheLastCommit() {
        return IntStream.concat(
                IntStream.range(0, HEADER),
                IntStream.iterate(HEADER, at -> at < 60_000, at -> at + 1021).map(at -> at + at % 24));
    }

    @ParameterizedTest
    @MethodSource("placesBeforeTheLastCommit")
    void flippedByteBeforeTheLastCommitIsCorruption(int place) throws Exception {
        byte[] bad = log.clone();
        bad[place] ^= 0x11;
        writeLog(bad);
        assertDamaged();
    }

    @Test
    void tornLastCommitIsDiscarded() throws Exception {
        for (int cut = lastCommit; cut < log.length; cut += 501) {
            writeLog(Arrays.copyOf(log, cut));
            assertThat(objects()).as("cut at %d", cut).isEqualTo(WRITES - 1);
            leaveFileAgain();
        }
        byte[] bad = log.clone();
        Arrays.fill(bad, lastCommit + 100, lastCommit + 200, (byte) 0x55);
        writeLog(bad);
        assertThat(objects()).isEqualTo(WRITES - 1);
    }

    /** Opening and closing has checkpointed the log; the next case starts from a new one. */
    private void leaveFileAgain() throws IOException {
        Files.write(killed.resolve(SqliteFile.NAME), file);
    }
}
