package io.plat.apiserver.storage.etcd;

import static io.plat.apiserver.storage.move.ListedContents.inShort;
import static io.plat.apiserver.storage.move.ListedContents.kept;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.storage.embedded.EmbeddedContents;
import io.plat.apiserver.storage.embedded.EmbeddedDestination;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.storage.embedded.StoreCheck;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.ContentsDigest;
import io.plat.apiserver.storage.move.ListedContents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contents are moved to directories and other processes completely or not at all, at unused revisions. */
final class MovedStoresTest {
    private static final InstantSource CLOCK = Clock.systemUTC();
    private static final Map<String, Duration> EVENTS = Map.of("events", Duration.ofHours(1));
    private static final ListedContents MIXED = new ListedContents(
            700,
            List.of(kept("events/a/passing", "1", 55), kept("events/a/staying", "2", 0), kept("pods/a/x", "3", 0)));

    private final KeysInMemory keys = new KeysInMemory();
    private final Path directory;

    MovedStoresTest(@TempDir Path directory) {
        this.directory = directory.resolve("data");
    }

    private RemoteDestination remote(boolean replace) {
        return new RemoteDestination(keys, replace, EVENTS);
    }

    private EmbeddedDestination embedded(boolean replace) {
        return new EmbeddedDestination(directory, replace, CLOCK);
    }

    private String origin() {
        return new String(Objects.requireNonNull(keys.get(Origin.KEY).join()).bytes(), UTF_8);
    }

    private List<String> there() throws StorageException {
        return inShort(RemoteContents.openOnline(keys));
    }

    private ObjectStore open() throws StorageException {
        return EmbeddedStore.open(directory, StoreOptions.keeping(new HistoryPolicy.Changes(10)));
    }

    @Test
    void embeddedDestinationAssignsLaterRevisions() throws StorageException {
        assertThat(embedded(false).write(MIXED, 700)).isEqualTo(ContentsDigest.of(MIXED));
        try (Contents read = EmbeddedContents.open(directory, EmbeddedContents.Expiry.NONE)) {
            assertThat(read.revision()).isEqualTo(704);
            assertThat(inShort(read)).containsExactly("events/a/passing=1 0", "events/a/staying=2 0", "pods/a/x=3 0");
        }
        assertThat(StoreCheck.check(directory))
                .isEqualTo(new StoreCheck.Report(
                        3, 0, 704, 704, StoreCheck.check(directory).bytes(), List.of()));
        try (ObjectStore store = open()) {
            assertThat(store.latest().get(new Key("pods", "a", "x")))
                    .get()
                    .satisfies(entry -> assertThat(entry.revision()).isEqualTo(704));
            for (long old : new long[] {1, 700, 703}) {
                assertThat(store.at(old)).isInstanceOf(Lookup.Gone.class);
                assertThat(store.watch(KeyRange.of("pods"), old, () -> {}).poll(1))
                        .isInstanceOf(Watch.Batch.Gone.class);
            }
            Outcome next = store.commit(Transaction.create(new Key("pods", "a", "y"), new byte[] {1}));
            assertThat(((Outcome.Committed) next).event().revision()).isEqualTo(705);
        }
    }

    @Test
    void emptyStoreIsMoved() throws StorageException {
        embedded(false).write(ListedContents.of(9, 0), 9);
        try (ObjectStore store = open()) {
            assertThat(store.latest().revision()).isEqualTo(10);
        }
        remote(false).write(ListedContents.of(9, 0), 9);
        assertThat(there()).isEmpty();
    }

    @Test
    void storeIsReplacedOnlyWithForceAndRevisionsGrow() throws StorageException {
        embedded(false).write(MIXED, 5000);
        assertThatThrownBy(() -> embedded(false).write(MIXED, 1))
                .hasMessage("\"" + directory + "\" already contains a store; use --force to replace it");
        embedded(true).write(ListedContents.of(1, 1), 1);
        try (Contents read = EmbeddedContents.openOnline(directory)) {
            assertThat(read.objects()).isEqualTo(1);
            assertThat(read.revision()).isEqualTo(5000 + 1 + 3 + 1 + 1);
        }
    }

    @Test
    void damagedStoreCanBeReplaced() throws StorageException, IOException {
        embedded(false).write(MIXED, 5);
        Path file = directory.resolve("objects.db");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 5] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> EmbeddedContents.openOnline(directory)).hasMessageContaining("damaged");
        embedded(true).write(MIXED, 5);
        try (Contents read = EmbeddedContents.openOnline(directory)) {
            assertThat(read.revision()).isGreaterThan(1_000_000_000);
        }
    }

    @Test
    void failureLeavesTheDirectoryUnchanged() throws StorageException, IOException {
        embedded(false).write(MIXED, 5);
        byte[] before = Files.readAllBytes(directory.resolve("objects.db"));
        assertThatThrownBy(() -> embedded(true).write(new ChangedMeanwhile(MIXED), 5))
                .hasMessage("written to");
        assertThat(Files.readAllBytes(directory.resolve("objects.db"))).isEqualTo(before);
        try (var files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("lock", "objects.db");
        }
    }

    /** Contents with concurrent writes by others. */
    private record ChangedMeanwhile(Contents contents) implements Contents {
        @Override
        public long revision() {
            return contents.revision();
        }

        @Override
        public long objects() {
            return contents.objects();
        }

        @Override
        public void forEach(ObjectConsumer taker) throws StorageException {
            contents.forEach(taker);
        }

        @Override
        public void ensureUnchanged() throws StorageException {
            throw new StorageException(StorageException.Kind.IN_USE, "written to");
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @Test
    void directoryInUseCanOnlyBeBackedUp() throws StorageException {
        try (ObjectStore store = open()) {
            store.commit(Transaction.create(new Key("pods", "a", "y"), "1".getBytes(UTF_8)));
            assertThatThrownBy(() -> EmbeddedContents.open(directory, EmbeddedContents.Expiry.NONE))
                    .hasMessageContaining("in use");
            assertThatThrownBy(() -> embedded(true).write(MIXED, 1)).hasMessageContaining("in use");
            try (Contents read = EmbeddedContents.openOnline(directory)) {
                assertThat(inShort(read)).containsExactly("pods/a/y=1 0");
            }
        }
    }

    @Test
    void eventsKeepTheirRemainingTtl() throws StorageException {
        InstantSource written = InstantSource.fixed(Instant.ofEpochSecond(10_000));
        new EmbeddedDestination(directory, false, written).write(MIXED, 5);
        for (long[] row : new long[][] {{0, 3600}, {600, 3000}, {3599, 1}}) {
            var ages = new EmbeddedContents.Expiry(EVENTS, InstantSource.fixed(Instant.ofEpochSecond(10_000 + row[0])));
            try (Contents read = EmbeddedContents.open(directory, ages)) {
                assertThat(inShort(read))
                        .containsExactly(
                                "events/a/passing=1 " + row[1], "events/a/staying=2 " + row[1], "pods/a/x=3 0");
            }
        }
        var later = new EmbeddedContents.Expiry(EVENTS, InstantSource.fixed(Instant.ofEpochSecond(13_600)));
        try (Contents read = EmbeddedContents.open(directory, later)) {
            assertThat(inShort(read)).containsExactly("pods/a/x=3 0");
        }
    }

    @Test
    void remoteDestinationAssignsLaterRevisions() throws StorageException {
        assertThat(remote(false).write(MIXED, 700)).isEqualTo(ContentsDigest.of(MIXED));
        assertThat(keys.leases()).containsExactly(55L, 3600L);
        assertThat(there()).containsExactly("events/a/passing=1 55", "events/a/staying=2 3600", "pods/a/x=3 0");
        // The record was revision 2.
        assertThat(origin()).isEqualTo("whole 698");
        ObjectStore store = RemoteStore.open(keys, StoreOptions.keeping(new HistoryPolicy.Changes(10)), EVENTS);
        try (store) {
            assertThat(store.latest().get(new Key("pods", "a", "x")))
                    .get()
                    .satisfies(entry -> assertThat(entry.revision()).isGreaterThan(700));
            assertThat(store.at(700)).isInstanceOf(Lookup.Gone.class);
        }
    }

    @Test
    void laterRemoteRevisionsAreKept() throws StorageException {
        for (int i = 0; i < 1000; i++) {
            keys.elsewhere();
        }
        remote(false).write(MIXED, 700);
        assertThat(origin()).isEqualTo("whole 0");
        remote(true).write(MIXED, 9_000_000_000L);
        assertThat(origin()).matches("whole 89999[0-9]{5}");
        String far = origin();
        remote(true).write(MIXED, 700);
        assertThat(origin()).isEqualTo(far);
    }

    @Test
    void manyObjectsUseManyTransactions() throws StorageException {
        ListedContents many = ListedContents.of(5, 1000);
        long before = keys.revision().join();
        assertThat(remote(false).write(many, 5)).isEqualTo(ContentsDigest.of(many));
        // Two records, and 128 per transaction.
        assertThat(keys.revision().join() - before).isEqualTo(2 + 8);
        assertThat(there()).hasSize(1000);
    }

    @Test
    void existingObjectsAreReplacedOnlyWithForce() throws StorageException {
        keys.put("pods/a/old", new byte[] {1});
        keys.put("~/kept", "1".getBytes(UTF_8));
        assertThatThrownBy(() -> remote(false).write(MIXED, 700))
                .hasMessage("it already contains objects; use --force to replace them");
        assertThat(keys.get(Origin.KEY).join()).isNull();
        remote(true).write(MIXED, 700);
        assertThat(there()).hasSize(3);
        assertThat(keys.get("~/kept").join()).isNull();
    }

    @Test
    void storeWithRunningServersIsRefused() throws StorageException {
        keys.put(RemoteElection.LEADER, "somebody".getBytes(UTF_8));
        assertThatThrownBy(() -> remote(true).write(MIXED, 700)).hasMessageStartingWith("a server uses it");
        assertThatThrownBy(() -> RemoteContents.open(keys)).hasMessageStartingWith("a server uses it");
        assertThat(there()).isEmpty();
    }

    /** A wrong prefix would delete its contents. */
    @Test
    void prefixWithoutAServerIsRefused() throws StorageException {
        for (ThrowingCallable taken :
                List.<ThrowingCallable>of(() -> RemoteContents.open(keys), () -> RemoteContents.openOnline(keys))) {
            assertThatThrownBy(taken).hasMessage("no server has stored anything under this prefix");
        }
        remote(false).write(new ListedContents(7, List.of()), 7);
        assertThat(there()).isEmpty();
    }

    @Test
    void interruptedMoveIsIncompleteUntilRepeated() throws StorageException {
        ListedContents many = ListedContents.of(5, 2000);
        keys.failAfter(7);
        assertThatThrownBy(() -> remote(false).write(many, 5)).hasMessage("nobody answers");
        keys.failing(false);
        assertThat(origin()).isEqualTo("unfinished 0");
        assertThatThrownBy(() -> RemoteContents.openOnline(keys)).hasMessageContaining("not finished");
        assertThatThrownBy(() -> remote(false).write(many, 5)).hasMessageContaining("not finished");
        assertThat(remote(true).write(MIXED, 5)).isEqualTo(ContentsDigest.of(MIXED));
        assertThat(there()).hasSize(3);
    }

    @Test
    void concurrentMovesDoNotMix() {
        keys.onList(() -> keys.put(Origin.KEY, "unfinished 0".getBytes(UTF_8)));
        assertThatThrownBy(() -> remote(true).write(MIXED, 5))
                .hasMessage("another process writes to it at the same time");
    }

    @Test
    void concurrentWritesAreDetected() throws StorageException {
        remote(false).write(MIXED, 700);
        try (Contents from = RemoteContents.open(keys)) {
            assertThat(inShort(from)).hasSize(3);
            from.ensureUnchanged();
            keys.elsewhere();
            keys.put("events/a/passing", null);
            from.ensureUnchanged();
            keys.put("pods/a/x", new byte[] {9});
            assertThatThrownBy(from::ensureUnchanged).hasMessageContaining("written to in the meantime");
            assertThat(inShort(from)).contains("pods/a/x=3 0");
        }
    }

    @Test
    void compactionDuringReadIsReported() throws StorageException {
        remote(false).write(MIXED, 700);
        try (Contents from = RemoteContents.openOnline(keys)) {
            keys.forget(keys.elsewhere());
            assertThatThrownBy(() -> ContentsDigest.of(from))
                    .hasMessageContaining("revision that was being read was compacted: try again");
        }
    }

    @Test
    void roundTripPreservesEverything() throws StorageException {
        ListedContents many = ListedContents.of(12_345, 600);
        embedded(false).write(many, many.revision());
        long first;
        try (Contents from = EmbeddedContents.open(directory, EmbeddedContents.Expiry.NONE)) {
            first = from.revision();
            remote(false).write(from, first);
        }
        try (Contents from = RemoteContents.open(keys)) {
            assertThat(from.revision()).isGreaterThan(first);
            assertThat(embedded(true).write(from, from.revision())).isEqualTo(ContentsDigest.of(many));
        }
        try (Contents from = EmbeddedContents.openOnline(directory)) {
            assertThat(from.revision()).isGreaterThan(first + 600);
        }
    }
}
