package io.plat.apiserver.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads of durable changes of a backend: revision gaps, several changes per revision, and resets. */
final class VersionedMemoryTest {
    private static final HistoryPolicy FEW = new HistoryPolicy.Changes(20);
    private static final HistoryPolicy MANY = new HistoryPolicy.Changes(10_000);

    private @Nullable VersionedMemory opened;
    private final List<Event> dropped = new ArrayList<>();
    private long time;

    private VersionedMemory open(HistoryPolicy policy) {
        var options = new StoreOptions(policy, Long.MAX_VALUE, () -> Instant.ofEpochMilli(time));
        VersionedMemory memory = new VersionedMemory(options, new History(options, 3, Tree.EMPTY), 3, dropped::add);
        memory.start();
        opened = memory;
        return memory;
    }

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    private static Entry entry(String name, long revision) {
        return new Entry(new Key("pods", "a", name), new byte[] {1}, revision);
    }

    /** Writes objects with these names at one revision. */
    private void write(VersionedMemory memory, long revision, String... names) {
        Tree tree = memory.state().tree();
        var events = new ArrayList<Event>();
        for (String name : names) {
            Entry entry = entry(name, revision);
            events.add(Event.of(tree.get(entry.key()), entry));
            tree = tree.put(entry);
        }
        memory.publish(events.isEmpty() ? List.of() : List.of(new Change(revision, events, time, tree)), revision);
    }

    private static Map<String, Long> objects(Lookup lookup) {
        assertThat(lookup).isInstanceOf(Lookup.Found.class);
        var objects = new HashMap<String, Long>();
        var snapshot = ((Lookup.Found) lookup).snapshot();
        for (Entry entry : snapshot.page(KeyRange.of("pods"), "", 0).entries()) {
            objects.put(entry.key().name(), entry.revision());
        }
        return objects;
    }

    @Test
    void emptyRevisionShowsThePreviousState() {
        VersionedMemory memory = open(MANY);
        write(memory, 5, "x");
        write(memory, 9, "y");
        write(memory, 12);
        assertThat(objects(memory.at(3))).isEmpty();
        assertThat(objects(memory.at(4))).isEmpty();
        assertThat(objects(memory.at(5))).containsOnlyKeys("x");
        assertThat(objects(memory.at(8))).containsOnlyKeys("x");
        assertThat(objects(memory.at(9))).containsOnlyKeys("x", "y");
        assertThat(objects(memory.at(10))).containsOnlyKeys("x", "y");
        assertThat(objects(memory.at(12))).containsOnlyKeys("x", "y");
        assertThat(memory.at(13)).isEqualTo(new Lookup.Future(12));
        assertThat(memory.at(2)).isEqualTo(new Lookup.Gone(3));
    }

    @Test
    void revisionsAreAtomic() {
        VersionedMemory memory = open(MANY);
        write(memory, 5, "x", "y", "z");
        assertThat(objects(memory.at(4))).isEmpty();
        assertThat(objects(memory.at(5))).containsOnlyKeys("x", "y", "z");
    }

    /** Random writes and trimming: every revision from the floor on is unchanged, every earlier one is gone. */
    @Test
    void snapshotsAgreeWithAModel() {
        VersionedMemory memory = open(FEW);
        var random = new Random(11);
        var model = new TreeMap<Long, Map<String, Long>>(Map.of(3L, Map.of()));
        long revision = 3;
        for (int step = 0; step < 500; step++) {
            revision += 1 + random.nextInt(3);
            Map<String, Long> next = new HashMap<>(model.lastEntry().getValue());
            var names = new ArrayList<String>();
            for (int i = random.nextInt(4); i > 0; i--) {
                names.add("n" + random.nextInt(6));
            }
            names.forEach(name -> next.remove(name));
            for (String name : names) {
                next.put(name, revision);
            }
            write(memory, revision, names.stream().distinct().toArray(String[]::new));
            model.put(revision, next);
            long requested = Math.max(1, revision - random.nextInt(40));
            Lookup found = memory.at(requested);
            if (requested < memory.state().floor()) {
                assertThat(found).isInstanceOf(Lookup.Gone.class);
            } else {
                assertThat(objects(found)).isEqualTo(model.floorEntry(requested).getValue());
            }
        }
        assertThat(dropped).isNotEmpty();
        assertThat(memory.state().floor()).isGreaterThan(3);
    }

    @Test
    void idleWatchAdvancesOverEmptyRevisions() {
        VersionedMemory memory = open(MANY);
        Watch watch = memory.watch(KeyRange.of("pods"), 3, () -> {});
        watch.poll(1);
        write(memory, 40);
        Awaitility.await()
                .untilAsserted(() -> assertThat(watch.poll(1)).isEqualTo(new Watch.Batch.Events(List.of(), 40)));
    }

    @Test
    void resetEndsWatchesAndDropsHistory() {
        VersionedMemory memory = open(MANY);
        write(memory, 5, "x");
        write(memory, 6, "y");
        var signals = new AtomicInteger();
        Watch caughtUp = memory.watch(KeyRange.of("secrets"), 6, signals::incrementAndGet);
        caughtUp.poll(1);
        Watch pending = memory.watch(KeyRange.of("pods"), 3, signals::incrementAndGet);
        pending.poll(1);
        memory.restart(20, Tree.EMPTY.put(entry("z", 11)));
        assertThat(pending.poll(10)).isEqualTo(new Watch.Batch.Gone(20));
        Awaitility.await().untilAsserted(() -> assertThat(signals).hasValue(2));
        assertThat(caughtUp.poll(10)).isEqualTo(new Watch.Batch.Gone(20));
        assertThat(memory.at(6)).isEqualTo(new Lookup.Gone(20));
        assertThat(objects(memory.at(20))).containsExactly(Map.entry("z", 11L));
        write(memory, 21, "x");
        Watch fresh = memory.watch(KeyRange.of("pods"), 20, () -> {});
        assertThat(((Watch.Batch.Events) fresh.poll(5)).position()).isEqualTo(21);
    }

    /** As after restoring a backup: no response may mix old and new state. */
    @Test
    void resetMayLowerTheRevision() {
        VersionedMemory memory = open(MANY);
        write(memory, 50, "x");
        memory.restart(10, Tree.EMPTY.put(entry("z", 7)));
        assertThat(memory.latest().revision()).isEqualTo(10);
        assertThat(memory.at(50)).isEqualTo(new Lookup.Future(10));
        assertThat(memory.notBefore(50)).isEqualTo(new Lookup.Future(10));
        write(memory, 11, "y");
        assertThat(objects(memory.at(11))).containsOnlyKeys("y", "z");
        assertThatThrownBy(() -> write(memory, 10, "y")).isInstanceOf(IllegalStateException.class);
    }
}
