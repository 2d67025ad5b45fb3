package io.plat.apiserver.storage.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.History;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Tree;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contents of a log and their meaning: rows as {@code revision key}, a deletion with a minus before its key. */
final class LoaderTest {
    /** Returns a log with these rows. */
    private record Rows(long floor, List<String> rows) implements ChangeLog {
        @Override
        public void read(LongFunction<Reader> begin) throws StorageException {
            Reader reader = begin.apply(floor);
            for (String row : rows) {
                String[] parts = row.split(" ", -1);
                boolean deleted = parts[1].startsWith("-");
                var key = new Key("pods", "a", deleted ? parts[1].substring(1) : parts[1]);
                long revision = Long.parseLong(parts[0]);
                reader.change(revision * 10, new Entry(key, parts[0].getBytes(UTF_8), revision), deleted);
            }
        }

        @Override
        public void write(List<Change> changes, long floor, List<Long> obsolete) {}

        @Override
        public void close() {}
    }

    private static History history(Loader loader) {
        return loader.history(StoreOptions.keeping(new HistoryPolicy.Changes(10_000)), dropped -> {});
    }

    private static Loader load(long floor, String rows) throws StorageException {
        var loader = new Loader();
        loader.load(new Rows(floor, rows.isEmpty() ? List.of() : List.of(rows.split(", ", -1))));
        return loader;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // floor | rows | revision | keys | changes kept | obsolete
                "0 | '' | 0 | '' | 0 | ''",
                "0 | 1 x | 1 | x | 1 | ''",
                "0 | 1 x, 2 x, 3 -x | 3 | '' | 3 | ''",
                "5 | '' | 5 | '' | 0 | ''",
                "5 | 2 x, 6 y | 6 | x y | 1 | ''",
                "5 | 2 x, 4 x, 6 y | 6 | x y | 1 | 2",
                "5 | 2 x, 4 -x, 6 y | 6 | y | 1 | 2 4",
                "5 | 2 x, 6 x, 7 -x | 7 | '' | 2 | ''",
                "9 | 2 x, 3 y | 9 | x y | 0 | ''",
                // Compaction was interrupted between a state and its deletion.
                "5 | 3 -x | 5 | '' | 0 | 3",
                "5 | 3 -x, 4 x | 5 | x | 0 | 3",
            })
    void roundTrips(long floor, String rows, long revision, String keys, int kept, String obsolete)
            throws StorageException {
        Loader loader = load(floor, rows);
        assertThat(loader.revision()).isEqualTo(revision);
        List<String> names = loader.tree().slice(0, loader.tree().size()).stream()
                .map(entry -> entry.key().name())
                .toList();
        assertThat(String.join(" ", names)).isEqualTo(keys);
        assertThat(loader.changes()).isEqualTo(kept);
        assertThat(loader.floor()).isEqualTo(floor);
        assertThat(String.join(
                        " ", loader.obsolete().stream().map(String::valueOf).toList()))
                .isEqualTo(obsolete);
        Tree newest = history(loader).newest();
        assertThat(newest.slice(0, newest.size()))
                .isEqualTo(loader.tree().slice(0, loader.tree().size()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 2 x",
                "0 | 1 x, 3 x",
                "0 | 1 x, 1 y",
                "0 | 2 x, 1 y",
                "0 | 1 -x",
                "5 | 2 x, 7 y",
                "5 | 6 -x",
            })
    void impossibleRowsAreCorruption(long floor, String rows) {
        assertThatThrownBy(() -> load(floor, rows))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.CORRUPT));
    }

    @Test
    void everyRevisionIsRebuilt() throws StorageException {
        var rows = new StringBuilder("1 x");
        for (int i = 2; i <= 3 * EmbeddedStore.MAX_BATCH; i++) {
            rows.append(", ").append(i).append(" x").append(i % 50);
        }
        Loader loader = load(0, rows.toString());
        assertThat(loader.lastTime()).isEqualTo(30L * EmbeddedStore.MAX_BATCH);
        Tree middle = history(loader).at(EmbeddedStore.MAX_BATCH);
        assertThat(middle).isNotNull();
        assertThat(middle.slice(0, middle.size()))
                .allMatch(entry -> entry.revision() <= EmbeddedStore.MAX_BATCH)
                .hasSize(51);
    }
}
