package io.plat.apiserver.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store does when its disk refuses: nothing is half done, and it goes on once it can. */
final class FailingStoreTest extends StoreOnDisk {
    FailingStoreTest(@TempDir Path directory) {
        super(directory);
    }

    @Test
    void aFailedBatchLeavesNoTraceAndLaterOnesGoOnOnceThereIsRoom() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = LoggedStore.start(log, OPTIONS)) {
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
    void aStoreFindsByItselfThatThereIsRoomAgain() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = LoggedStore.start(log, OPTIONS)) {
            log.failWith(new StorageException(StorageException.Kind.FULL, "no space left"));
            assertThatThrownBy(() -> put(store, 1, "one")).hasMessage("no space left");
            log.failWith(null);
            Awaitility.await().until(() -> store.problem().isEmpty());
        }
    }

    @Test
    void afterAFailureThatLeavesTheDiskUnknownNothingIsWrittenAnyMore() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = LoggedStore.start(log, OPTIONS)) {
            put(store, 1, "one");
            log.failWith(new StorageException(StorageException.Kind.UNCERTAIN, "the disk failed"));
            assertThatThrownBy(() -> put(store, 2, "two")).hasMessage("the disk failed");
            log.failWith(null);
            assertThatThrownBy(() -> put(store, 3, "three")).hasMessage("the disk failed");
            assertThat(store.latest().get(key(1))).isPresent();
            assertThat(store.problem()).contains("the disk failed");
        }
    }

    @Test
    void aFullDatabaseRefusesAndKeepsWhatItHas() throws Exception {
        SqliteLog log = SqliteLog.open(directory);
        try (ObjectStore store = LoggedStore.start(log, OPTIONS)) {
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
    void aDatabaseThatCannotBeWrittenRefuses() throws Exception {
        SqliteLog log = SqliteLog.open(directory);
        try (ObjectStore store = LoggedStore.start(log, OPTIONS)) {
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
}
