package io.plat.tests.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Page;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations on the embedded store and on a model, a sorted map per revision, agree in outcomes, past states, pages with remaining
 * counts, and watches from every revision, across restarts of the store.
 */
final class StoreModelTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final int STEPS = FULL ? 3000 : 400;
    private static final List<String> RESOURCES = List.of("pods", "podsx", "secrets");
    private static final List<String> NAMESPACES = List.of("a", "a-x", "b");

    static List<Long> seeds() {
        long first = FULL ? System.nanoTime() : 7;
        var seeds = new ArrayList<Long>();
        for (int i = 0; i < (FULL ? 20 : 3); i++) {
            seeds.add(first + i);
        }
        return seeds;
    }

    /** State of the model: the objects after each revision, by path, with value and revision. */
    private record Cell(String value, long revision) {}

    private final List<NavigableMap<String, Cell>> states = new ArrayList<>(List.of(new TreeMap<>()));

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void agreesWithAModel(long seed, @TempDir Path directory) throws StorageException {
        var random = new Random(seed);
        var options = StoreOptions.keeping(HistoryPolicy.DEFAULT);
        ObjectStore store = EmbeddedStore.open(directory, options);
        try {
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(100) == 0) {
                    store.close();
                    store = EmbeddedStore.open(directory, options);
                }
                write(store, random);
                if (random.nextInt(10) == 0) {
                    compareState(store, random);
                    compareWatch(store, random);
                }
            }
        } finally {
            store.close();
        }
    }

    private NavigableMap<String, Cell> newest() {
        return states.getLast();
    }

    private static <T> T pick(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    private static Key key(Random random) {
        return new Key(pick(RESOURCES, random), pick(NAMESPACES, random), "n" + random.nextInt(12));
    }

    private void write(ObjectStore store, Random random) throws StorageException {
        Key key = key(random);
        Cell actual = newest().get(key.path());
        long seen = random.nextInt(4) == 0 ? random.nextInt(states.size()) : actual == null ? 0 : actual.revision();
        boolean delete = random.nextInt(3) == 0 && seen > 0;
        String value = "v" + random.nextInt(1000);
        Outcome outcome = store.commit(new Transaction(
                key, delete ? null : value.getBytes(UTF_8), List.of(new Transaction.Expectation(key, seen))));
        if (seen != (actual == null ? 0 : actual.revision())) {
            assertThat(outcome).isInstanceOf(Outcome.Refused.class);
            return;
        }
        long revision = states.size();
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Committed.class,
                        committed -> assertThat(committed.event().revision()).isEqualTo(revision));
        var next = new TreeMap<>(newest());
        if (delete) {
            next.remove(key.path());
        } else {
            next.put(key.path(), new Cell(value, revision));
        }
        states.add(next);
    }

    private void compareState(ObjectStore store, Random random) throws StorageException {
        long revision = random.nextInt(states.size());
        assertThat(store.at(revision)).isInstanceOf(Lookup.Found.class);
        Snapshot snapshot = ((Lookup.Found) store.at(revision)).snapshot();
        NavigableMap<String, Cell> model = states.get((int) revision);
        Key key = key(random);
        assertThat(snapshot.get(key).map(StoreModelTest::cell).orElse(null)).isEqualTo(model.get(key.path()));
        KeyRange range = random.nextBoolean()
                ? KeyRange.of(pick(RESOURCES, random))
                : KeyRange.of(pick(RESOURCES, random), pick(NAMESPACES, random));
        String after = random.nextBoolean() ? "" : key(random).path();
        int limit = random.nextInt(5);
        List<String> expected = model.keySet().stream()
                .filter(path -> range.contains(Key.parse(path)))
                .toList();
        assertThat(snapshot.count(range)).isEqualTo(expected.size());
        List<String> behind =
                expected.stream().filter(path -> path.compareTo(after) > 0).toList();
        Page page = snapshot.page(range, after, limit);
        int shown = limit == 0 ? behind.size() : Math.min(limit, behind.size());
        assertThat(page.entries().stream().map(entry -> entry.key().path()).toList())
                .isEqualTo(behind.subList(0, shown));
        assertThat(page.remaining()).isEqualTo(behind.size() - shown);
        for (Entry entry : page.entries()) {
            assertThat(cell(entry)).isEqualTo(model.get(entry.key().path()));
        }
    }

    private static Cell cell(Entry entry) {
        return new Cell(new String(entry.value(), UTF_8), entry.revision());
    }

    /** The events of a watch, applied to its initial state, yield the current state. */
    private void compareWatch(ObjectStore store, Random random) throws StorageException {
        int start = random.nextInt(states.size());
        KeyRange range = KeyRange.of(pick(RESOURCES, random));
        Map<String, Cell> played = new TreeMap<>(states.get(start));
        long last = start;
        try (Watch watch = store.watch(range, start, () -> {})) {
            while (watch.poll(1 + random.nextInt(5)) instanceof Watch.Batch.Events batch
                    && !batch.events().isEmpty()) {
                for (Event event : batch.events()) {
                    assertThat(event.revision()).isGreaterThan(last);
                    last = event.revision();
                    Cell before = played.get(event.key().path());
                    Entry previous = event.previous();
                    assertThat(previous == null ? null : cell(previous)).isEqualTo(before);
                    if (event.type() == Event.Type.DELETED) {
                        played.remove(event.key().path());
                    } else {
                        played.put(event.key().path(), cell(event.entry()));
                    }
                }
            }
        }
        played.keySet().removeIf(path -> !range.contains(Key.parse(path)));
        Map<String, Cell> expected = new TreeMap<>(newest());
        expected.keySet().removeIf(path -> !range.contains(Key.parse(path)));
        assertThat(played).isEqualTo(expected);
    }
}
