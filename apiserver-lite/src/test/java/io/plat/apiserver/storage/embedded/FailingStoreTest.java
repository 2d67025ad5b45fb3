package io.plat.apiserver.storage.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongFunction;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disk failures: no partial writes, and recovery. */
final class FailingStoreTest extends StoreOnDisk {
    FailingStoreTest(@TempDir Path directory) {
        super(directory);
    }

    @Test
    void failedBatchIsRolledBackAndWritesResume() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = EmbeddedStore.start(log, OPTIONS)) {
            put(store, 1, "one");
            log.failWith(new StorageException(StorageException.Kind.FULL, "no space left"));
            assertThatThrownBy(() -> put(store, 2, "two")).hasMessage("no space left");
            assertThat(store.latest().revision()).isEqualTo(1);
            assertThat(store.latest().get(key(2))).isEmpty();
            assertThat(store.problem()).contains("no space left");
            log.failWith(null);
            assertThat(put(store, 2, "two").revision()).isEqualTo(2);
            assertThat(store.problem()).isEmpty();
        }
    }

    @Test
    void storeRecoversWhenSpaceIsAvailable() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = EmbeddedStore.start(log, OPTIONS)) {
            log.failWith(new StorageException(StorageException.Kind.FULL, "no space left"));
            assertThatThrownBy(() -> put(store, 1, "one")).hasMessage("no space left");
            log.failWith(null);
            Awaitility.await().until(() -> store.problem().isEmpty());
        }
    }

    @Test
    void uncertainFailureStopsWrites() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = EmbeddedStore.start(log, OPTIONS)) {
            put(store, 1, "one");
            log.failWith(new StorageException(StorageException.Kind.UNCERTAIN, "the disk failed"));
            assertThatThrownBy(() -> put(store, 2, "two")).hasMessage("the disk failed");
            log.failWith(null);
            assertThatThrownBy(() -> put(store, 3, "three")).hasMessage("the disk failed");
            assertThat(store.latest().get(key(1))).isPresent();
            assertThat(store.problem()).contains("the disk failed");
        }
    }

    /** Reports a device failure after or before the data was written. */
    private static final class DoubtfulLog implements ChangeLog {
        private final SqliteLog log;
        private volatile boolean fails;
        private volatile boolean writes;

        private DoubtfulLog(SqliteLog log) {
            this.log = log;
        }

        @Override
        public void read(LongFunction<Reader> begin) throws StorageException {
            log.read(begin);
        }

        @Override
        public void write(List<Change> changes, long floor, List<Long> obsolete) throws StorageException {
            if (!fails || writes) {
                log.write(changes, floor, obsolete);
            }
            if (fails) {
                throw new StorageException(StorageException.Kind.IO_ERROR, "the disk failed");
            }
        }

        @Override
        public void recover(long revision) throws StorageException {
            if (fails) {
                throw new StorageException(StorageException.Kind.IO_ERROR, "the disk fails");
            }
            log.recover(revision);
        }

        @Override
        public void close() throws StorageException {
            log.close();
        }
    }

    /** Unacknowledged writes are absent afterwards, whether or not they were written; acknowledged ones are present. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptedCommitReloadsTheFile(boolean written) throws StorageException {
        var log = new DoubtfulLog(SqliteLog.open(directory));
        try (ObjectStore store = EmbeddedStore.start(log, OPTIONS)) {
            put(store, 1, "one");
            log.writes = written;
            log.fails = true;
            assertThatThrownBy(() -> put(store, 2, "two")).hasMessage("the disk failed");
            assertThat(store.problem()).isPresent();
            assertThat(store.latest().get(key(1))).isPresent();
            log.fails = false;
            Awaitility.await().until(() -> store.problem().isEmpty());
            assertThat(store.latest().get(key(2))).isEmpty();
            assertThat(put(store, 3, "three").revision()).isEqualTo(2);
        }
        try (ObjectStore store = open()) {
            assertThat(store.latest().get(key(1))).isPresent();
            assertThat(store.latest().get(key(2))).isEmpty();
            assertThat(store.latest().get(key(3))).isPresent();
        }
    }

    @Test
    void fullDatabaseRefusesWritesAndKeepsData() throws Exception {
        SqliteLog log = SqliteLog.open(directory);
        try (ObjectStore store = EmbeddedStore.start(log, OPTIONS)) {
            put(store, 1, "one");
            log.pragma("max_page_count = 5");
            assertThatThrownBy(() -> put(store, 2, "x".repeat(100_000)))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.FULL));
            log.pragma("max_page_count = 100000");
            assertThat(put(store, 2, "x".repeat(100_000)).revision()).isEqualTo(2);
        }
        try (ObjectStore store = open()) {
            assertThat(store.latest().revision()).isEqualTo(2);
        }
    }

    @Test
    void readOnlyDatabaseRefusesWrites() throws Exception {
        SqliteLog log = SqliteLog.open(directory);
        try (ObjectStore store = EmbeddedStore.start(log, OPTIONS)) {
            put(store, 1, "one");
            log.pragma("query_only = 1");
            assertThatThrownBy(() -> put(store, 2, "two"))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.READ_ONLY));
            assertThat(store.latest().get(key(1))).isPresent();
            assertThat(store.latest().get(key(2))).isEmpty();
            log.pragma("query_only = 0");
            assertThat(put(store, 2, "two").revision()).isEqualTo(2);
        }
    }

    @Test
    void objectMemoryIsLimitedAndDeletionsWork() throws StorageException {
        var options = new StoreOptions(HistoryPolicy.DEFAULT, 1 << 20, 10_000, OPTIONS.clock());
        try (ObjectStore store = EmbeddedStore.open(directory, options)) {
            int kept = 0;
            StorageException full = null;
            while (full == null) {
                try {
                    put(store, kept, "x".repeat(1000));
                    kept++;
                } catch (StorageException e) {
                    full = e;
                }
            }
            assertThat(kept).isBetween(5, 9);
            assertThat(full.kind()).isEqualTo(StorageException.Kind.FULL);
            assertThat(full).hasMessageContaining("delete some first");
            // A problem that the writer can correct, not a disk failure.
            assertThat(store.problem()).isEmpty();
            // As large, smaller, or larger by a date.
            put(store, 0, "y".repeat(1020));
            assertThatThrownBy(() -> put(store, 0, "z".repeat(3000))).hasMessageContaining("delete some first");
            delete(store, 1);
            put(store, 1, "x".repeat(1000));
        }
        // A store can be opened with any amount of data, even beyond the current limit.
        var less = new StoreOptions(HistoryPolicy.DEFAULT, 1 << 20, 100, OPTIONS.clock());
        try (ObjectStore store = EmbeddedStore.open(directory, less)) {
            assertThat(store.latest().get(key(0))).isPresent();
            assertThatThrownBy(() -> put(store, 99, "x")).hasMessageContaining("delete some first");
            delete(store, 0);
        }
    }

    @Test
    void derivedMemoryCountsForObjectsAndNamespaces() throws StorageException {
        var options = new StoreOptions(HistoryPolicy.DEFAULT, 1 << 20, 100_000, OPTIONS.clock());
        try (ObjectStore store = EmbeddedStore.open(directory, options)) {
            store.countDerived("greedy", 85_000);
            assertThat(store.fullness()).isEqualTo(0.85);
            Transaction greedy = Transaction.create(new Key("configmaps", "greedy", "m"), "x".getBytes(UTF_8));
            assertThatThrownBy(() -> store.commit(greedy)).hasMessageContaining("delete some first");
            put(store, 0, "x".repeat(1000));
            assertThatThrownBy(() -> put(store, 1, "x".repeat(15_000))).hasMessageContaining("delete some first");
            store.countDerived("greedy", -85_000);
            store.commit(greedy);
        }
    }

    @Test
    void clusterScopedTypesShareTheMemoryFairly() throws StorageException {
        var options = new StoreOptions(HistoryPolicy.DEFAULT, 1 << 20, 100_000, OPTIONS.clock());
        try (ObjectStore store = EmbeddedStore.open(directory, options)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; ; i++) {
                            store.commit(Transaction.create(
                                    new Key("certificatesigningrequests.certificates.k8s.io", "", "r" + i),
                                    "x".repeat(500).getBytes(UTF_8)));
                        }
                    })
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("four fifths of it for one namespace or cluster-scoped type");
            for (Key other : List.of(
                    new Key("clusterrolebindings.rbac.authorization.k8s.io", "", "b"),
                    new Key("configmaps", "a", "m"))) {
                store.commit(Transaction.create(other, "x".repeat(3_000).getBytes(UTF_8)));
            }
        }
    }

    /** Neither by new nor by larger objects; also after a restart, and after a deletion. */
    @Test
    void namespacesShareTheMemoryFairly() throws StorageException {
        var options = new StoreOptions(HistoryPolicy.DEFAULT, 1 << 20, 100_000, OPTIONS.clock());
        for (int start = 0; start < 2; start++) {
            try (ObjectStore store = EmbeddedStore.open(directory, options)) {
                int kept = start == 0 ? 0 : 1_000;
                for (int size : new int[] {5_000, 500, 1}) {
                    try {
                        for (; ; kept++) {
                            store.commit(Transaction.create(
                                    new Key("configmaps", "greedy", "m" + kept),
                                    "x".repeat(size).getBytes(UTF_8)));
                        }
                    } catch (StorageException full) {
                        assertThat(full)
                                .hasMessageContaining("four fifths of it for one namespace or cluster-scoped type");
                    }
                }
                assertThat(store.fullness()).isBetween(0.78, 0.82);
                Entry small = store.latest()
                        .get(new Key("configmaps", "greedy", "m9"))
                        .orElseThrow();
                assertThatThrownBy(() -> store.commit(
                                Transaction.replace(small, "x".repeat(20_000).getBytes(UTF_8))))
                        .hasMessageContaining("delete some first");
                store.commit(Transaction.replace(small, "x".repeat(5_100).getBytes(UTF_8)));
                store.commit(Transaction.create(
                        new Key("configmaps", "other", "m" + start),
                        "x".repeat(3_000).getBytes(UTF_8)));
                store.commit(Transaction.create(
                        new Key("namespaces", "", "n" + start),
                        "x".repeat(3_000).getBytes(UTF_8)));
                for (int deleted : new int[] {0, 2 * start + 1, 2 * start + 2}) {
                    store.commit(Transaction.delete(store.latest()
                            .get(new Key("configmaps", "greedy", "m" + deleted))
                            .orElseThrow()));
                }
                store.commit(Transaction.create(
                        new Key("configmaps", "greedy", "m0"), "x".repeat(500).getBytes(UTF_8)));
            }
        }
    }

    /** The tracked size equals that of the present objects. */
    @Test
    void usedMemoryIsThatOfTheObjects() throws StorageException {
        var options = new StoreOptions(HistoryPolicy.DEFAULT, 1 << 20, 5_000, OPTIONS.clock());
        try (ObjectStore store = EmbeddedStore.start(new CountingLog(), options)) {
            for (int round = 0; round < 200; round++) {
                put(store, round % 3, "x".repeat(1 + round * 7 % 500));
                if (round % 5 == 0) {
                    delete(store, round % 3);
                }
            }
            assertThat(put(store, 7, "x".repeat(500)).revision()).isPositive();
        }
    }
}
