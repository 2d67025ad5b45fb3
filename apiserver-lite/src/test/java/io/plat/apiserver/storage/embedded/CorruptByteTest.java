package io.plat.apiserver.storage.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A flipped byte anywhere in a store's files: it opens with its exact contents, including history, or is refused as corrupt. Every byte in
 * the full run, otherwise the beginning of each file and samples after it.
 */
final class CorruptByteTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final int STEP = FULL ? 1 : 127;

    /** The headers of the file, of its first page and of the log, and of the log's first frames. */
    private static final int ALWAYS = 160;

    /** One in this many positions is also checked by the offline check. */
    private static final int CHECKED = FULL ? 16 : 2;

    private static final int[] MASKS = {0x01, 0xff, 0x80, 0x10};
    private static final HistoryPolicy HISTORY = new HistoryPolicy.Changes(9);

    private final Path directory;
    private byte[] log = {};

    CorruptByteTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static Key key(int number) {
        return new Key("pods", "a", "x" + number);
    }

    private ObjectStore open() throws StorageException {
        return EmbeddedStore.open(directory, StoreOptions.keeping(HISTORY));
    }

    private static void put(ObjectStore store, int number, String value) throws StorageException {
        Optional<Entry> present = store.latest().get(key(number));
        byte[] bytes = (value + " of " + number + "-".repeat(170)).getBytes(UTF_8);
        store.commit(
                present.isPresent()
                        ? Transaction.replace(present.get(), bytes)
                        : Transaction.create(key(number), bytes));
    }

    /** Objects on several pages, some replaced and some deleted, with more history than is retained. */
    @BeforeEach
    void fill() throws StorageException {
        try (ObjectStore store = open()) {
            for (int i = 0; i < 24; i++) {
                put(store, i, "first");
            }
            for (int i = 0; i < 24; i += 4) {
                put(store, i, "second");
                store.commit(Transaction.delete(store.latest().get(key(i + 1)).orElseThrow()));
            }
        }
    }

    private Path path(String name) {
        return directory.resolve(name);
    }

    private void replaceFiles(byte[] file, byte[] writeAhead) throws IOException {
        Files.deleteIfExists(path(SqliteFile.NAME + "-shm"));
        Files.write(path(SqliteFile.NAME), file);
        if (writeAhead.length == 0) {
            Files.deleteIfExists(path(SqliteFile.WRITE_AHEAD));
        } else {
            Files.write(path(SqliteFile.WRITE_AHEAD), writeAhead);
        }
    }

    /** Returns all visible state of a store. */
    private static String shown(ObjectStore store) throws StorageException {
        var text = new StringBuilder();
        Snapshot latest = store.latest();
        text.append("revision ").append(latest.revision()).append('\n');
        for (Entry entry : latest.page(KeyRange.of("pods"), "", 0).entries()) {
            text.append(text(entry)).append('\n');
        }
        long oldest = oldest(store);
        text.append("changes after ").append(oldest).append('\n');
        try (Watch watch = store.watch(KeyRange.of("pods"), oldest, () -> {})) {
            for (Event event : ((Watch.Batch.Events) watch.poll(1000)).events()) {
                Entry previous = event.previous();
                text.append(event.type())
                        .append(' ')
                        .append(text(event.entry()))
                        .append(previous == null ? "" : " was " + text(previous))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static long oldest(ObjectStore store) {
        try (Watch watch = store.watch(KeyRange.of("pods"), 0, () -> {})) {
            return watch.poll(1) instanceof Watch.Batch.Gone gone ? gone.oldest() : 0;
        }
    }

    private static String text(Entry entry) {
        return entry.key().path() + "@" + entry.revision() + " " + new String(entry.value(), UTF_8);
    }

    /** Returns the contents of a store; empty if it is refused as corrupt. */
    private Optional<String> opened(boolean check) throws StorageException {
        boolean intact = check && isReportedIntact();
        try (ObjectStore store = open()) {
            return Optional.of(shown(store));
        } catch (StorageException e) {
            assertThat(e.kind()).isIn(StorageException.Kind.CORRUPT, StorageException.Kind.UNKNOWN_FORMAT);
            assertThat(e.getMessage()).isNotBlank().doesNotContain("\n", "Exception", "java.");
            assertThat(intact)
                    .as("a damaged file is not reported as intact: %s", e)
                    .isFalse();
            return Optional.empty();
        }
    }

    private boolean isReportedIntact() {
        try {
            return StoreCheck.check(directory).problems().isEmpty();
        } catch (StorageException e) {
            return false;
        }
    }

    private static List<Integer> positions(byte[] bytes) {
        var positions = new ArrayList<Integer>();
        for (int position = 0; position < bytes.length; position += position < ALWAYS ? 1 : STEP) {
            positions.add(position);
        }
        return positions;
    }

    private static byte[] corrupt(byte[] bytes, int position) {
        byte[] bad = bytes.clone();
        bad[position] ^= (byte) MASKS[position % MASKS.length];
        return bad;
    }

    @Test
    void inTheFile() throws Exception {
        byte[] file = Files.readAllBytes(path(SqliteFile.NAME));
        assertThat(path(SqliteFile.WRITE_AHEAD)).doesNotExist();
        String expected = opened(true).orElseThrow();
        assertThat(expected).contains("changes after 27\n", "DELETED pods/a/x21@36");
        int refused = 0;
        for (int position : positions(file)) {
            replaceFiles(corrupt(file, position), new byte[0]);
            Optional<String> shown = opened(position % CHECKED == 0);
            shown.ifPresent(
                    text -> assertThat(text).as("byte %d of the file", position).isEqualTo(expected));
            refused += shown.isEmpty() ? 1 : 0;
        }
        assertThat(refused).isGreaterThan(positions(file).size() / 4);
    }

    /** A corrupt last commit is indistinguishable from one truncated by a crash, which was not acknowledged. */
    @Test
    void inTheWriteAheadLog() throws Exception {
        byte[] file;
        int lastCommit;
        String before;
        String expected;
        try (ObjectStore store = open()) {
            for (int i = 0; i < 2; i++) {
                put(store, 10 + i * 8, "third");
            }
            lastCommit = (int) Files.size(path(SqliteFile.WRITE_AHEAD));
            before = shown(store);
            put(store, 23, "last");
            expected = shown(store);
            file = Files.readAllBytes(path(SqliteFile.NAME));
            log = Files.readAllBytes(path(SqliteFile.WRITE_AHEAD));
        }
        replaceFiles(file, log);
        assertThat(opened(true)).contains(expected);
        int refused = 0;
        for (int position : positions(log)) {
            replaceFiles(file, corrupt(log, position));
            Optional<String> shown = opened(position % CHECKED == 0);
            if (position < lastCommit) {
                assertThat(shown).as("byte %d of the log", position).isEmpty();
            } else {
                shown.ifPresent(text -> assertThat(text)
                        .as("byte %d of the log's last commit", position)
                        .isEqualTo(before));
            }
            refused += shown.isEmpty() ? 1 : 0;
        }
        assertThat(refused).isGreaterThan(positions(log).size() / 2);
        for (int i = 0; i < positions(file).size(); i += FULL ? 8 : 1) {
            int position = positions(file).get(i);
            replaceFiles(corrupt(file, position), log);
            opened(false)
                    .ifPresent(text -> assertThat(text)
                            .as("byte %d of the file below a log", position)
                            .isEqualTo(expected));
        }
    }
}
