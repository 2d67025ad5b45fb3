package io.plat.apiserver.storage.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Durable state: restarts, retention, and commits. */
final class EmbeddedStoreTest extends StoreOnDisk {
    EmbeddedStoreTest(@TempDir Path directory) {
        super(directory);
    }

    @Test
    void stateHistoryAndRevisionSurviveARestart() throws StorageException {
        long first;
        long last;
        try (ObjectStore store = open()) {
            first = put(store, 1, "one").revision();
            put(store, 2, "two");
            put(store, 1, "one again");
            last = delete(store, 2).revision();
        }
        try (ObjectStore store = open()) {
            assertThat(store.latest().revision()).isEqualTo(last);
            assertThat(store.latest().get(key(2))).isEmpty();
            Watch watch = store.watch(KeyRange.of("pods"), first, () -> {});
            var events = ((Watch.Batch.Events) watch.poll(10)).events();
            assertThat(events)
                    .extracting(Event::type)
                    .containsExactly(Event.Type.CREATED, Event.Type.UPDATED, Event.Type.DELETED);
            assertThat(new String(events.getLast().entry().value(), UTF_8)).isEqualTo("two");
            assertThat(((Lookup.Found) store.at(first)).snapshot().get(key(1)))
                    .hasValueSatisfying(
                            entry -> assertThat(entry.value()).asString(UTF_8).isEqualTo("one"));
            assertThat(put(store, 3, "three").revision()).isEqualTo(last + 1);
        }
    }

    @Test
    void revisionsStayMonotonicAfterCompaction() throws Exception {
        var options = StoreOptions.keeping(new HistoryPolicy.Age(Duration.ofMillis(50)));
        long last;
        try (ObjectStore store = EmbeddedStore.open(directory, options)) {
            put(store, 1, "one");
            last = delete(store, 1).revision();
            Awaitility.await().until(() -> rows() == 0);
        }
        try (ObjectStore store = EmbeddedStore.open(directory, options)) {
            assertThat(store.latest().revision()).isEqualTo(last);
            assertThat(store.at(last - 1)).isInstanceOf(Lookup.Gone.class);
            assertThat(put(store, 1, "again").revision()).isEqualTo(last + 1);
        }
    }

    @Test
    void compactionLeavesOneRowPerObject() throws Exception {
        try (ObjectStore store = EmbeddedStore.open(directory, StoreOptions.keeping(new HistoryPolicy.Changes(10)))) {
            for (int i = 0; i < 300; i++) {
                put(store, i % 7, "value " + i);
            }
            Awaitility.await().until(() -> rows() <= 7 + 10 + 1);
        }
        try (ObjectStore store = EmbeddedStore.open(directory, StoreOptions.keeping(new HistoryPolicy.Changes(10)))) {
            assertThat(store.latest().count(KeyRange.of("pods"))).isEqualTo(7);
            assertThat(store.latest().revision()).isEqualTo(300);
            assertThat(store.at(289)).isEqualTo(new Lookup.Gone(290));
            assertThat(store.at(290)).isInstanceOf(Lookup.Found.class);
        }
    }

    @Test
    void burstShortensTheHistory() throws StorageException {
        var options = new StoreOptions(HistoryPolicy.DEFAULT, 100_000, OPTIONS.clock());
        try (ObjectStore store = EmbeddedStore.inMemory(options)) {
            for (int i = 0; i < 500; i++) {
                put(store, 1, "value " + i);
            }
            assertThat(store.at(1)).isInstanceOf(Lookup.Gone.class);
            assertThat(store.at(480)).isInstanceOf(Lookup.Found.class);
        }
    }

    @Test
    void groupCommitSharesOneSync() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = EmbeddedStore.start(log, OPTIONS);
                CountingLog.Hold hold = log.hold()) {
            var started = new ArrayList<CompletableFuture<Outcome>>();
            for (int i = 0; i < 200; i++) {
                started.add(store.submit(Transaction.create(key(i), new byte[] {1})));
            }
            hold.release();
            for (CompletableFuture<Outcome> one : started) {
                assertThat(ObjectStore.await(one)).isInstanceOf(Outcome.Committed.class);
            }
            assertThat(log.writes()).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void nothingIsVisibleBeforeItIsDurable() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = EmbeddedStore.start(log, OPTIONS);
                CountingLog.Hold hold = log.hold()) {
            CompletableFuture<Outcome> started = store.submit(Transaction.create(key(1), new byte[] {1}));
            log.awaitWrite();
            assertThat(store.latest().get(key(1))).isEmpty();
            assertThat(store.latest().revision()).isZero();
            assertThat(started).isNotDone();
            hold.release();
            ObjectStore.await(started);
            assertThat(store.latest().get(key(1))).isPresent();
        }
    }

    @Test
    void closeFinishesWritesInProgress() throws StorageException {
        List<CompletableFuture<Outcome>> started = new ArrayList<>();
        try (ObjectStore store = open()) {
            for (int i = 0; i < 1000; i++) {
                started.add(store.submit(Transaction.create(key(i), new byte[] {1})));
            }
        }
        for (CompletableFuture<Outcome> one : started) {
            assertThat(one).isCompleted();
        }
        try (ObjectStore store = open()) {
            assertThat(store.latest().count(KeyRange.of("pods"))).isEqualTo(1000);
        }
    }

    /** After the lock was removed, another process may write. The first one is not current any more, and never touches the file again. */
    @Test
    void replacedLockEndsTheStore() throws Exception {
        try (ObjectStore first = open()) {
            put(first, 1, "one");
            Files.delete(directory.resolve("lock"));
            try (ObjectStore second = open()) {
                put(second, 2, "two");
                delete(second, 1);
                Awaitility.await().until(() -> !first.isCurrent());
                StorageException refused = catchThrowableOfType(StorageException.class, () -> put(first, 3, "three"));
                assertThat(refused.kind()).isEqualTo(StorageException.Kind.LOST);
                assertThat(first.problem())
                        .hasValueSatisfying(problem -> assertThat(problem).contains("lock\" was removed or replaced"));
                put(second, 4, "four");
            }
        }
        try (ObjectStore store = open()) {
            assertThat(store.latest().get(key(1))).isEmpty();
            assertThat(store.latest().get(key(2))).isPresent();
            assertThat(store.latest().get(key(4))).isPresent();
        }
    }
}
