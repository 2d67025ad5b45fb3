package io.plat.apiserver.storage.etcd;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.storage.Event;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Revisions with an offset, and stores that are replaced while servers use them. */
final class OriginKeysTest {
    private static final byte[] BYTES = {1};
    private static final Key POD = new Key("pods", "a", "x");

    private final KeysInMemory keys = new KeysInMemory();
    private final List<ObjectStore> opened = new ArrayList<>();

    private ObjectStore open() throws StorageException {
        ObjectStore store =
                RemoteStore.open(keys, StoreOptions.keeping(new HistoryPolicy.Age(Duration.ofMillis(300))), Map.of());
        opened.add(store);
        return store;
    }

    private void putOrigin(String text) {
        keys.put(Origin.KEY, text.getBytes(US_ASCII));
    }

    private static Event commit(ObjectStore store, Transaction transaction) throws StorageException {
        return ((Outcome.Committed) store.commit(transaction)).event();
    }

    @AfterEach
    void close() throws StorageException {
        for (ObjectStore store : opened) {
            store.close();
        }
    }

    @Test
    void revisionsHaveTheRecordedOffset() throws StorageException {
        putOrigin("whole 5000");
        ObjectStore store = open();
        ObjectStore other = open();
        long before = store.latest().revision();
        assertThat(before).isGreaterThan(5000);
        Event created = commit(store, Transaction.create(POD, BYTES));
        assertThat(created.revision()).isEqualTo(before + 1);
        assertThat(other.latest().get(POD))
                .get()
                .satisfies(entry -> assertThat(entry.revision()).isEqualTo(created.revision()));
        Watch watch = other.watch(KeyRange.of("pods"), before, () -> {});
        Event replaced = commit(other, Transaction.replace(created.entry(), new byte[] {2}));
        assertThat(((Watch.Batch.Events) watch.poll(10)).events())
                .extracting(Event::revision)
                .containsExactly(created.revision(), replaced.revision());
        assertThat(commit(store, Transaction.delete(replaced.entry())).revision())
                .isEqualTo(replaced.revision() + 1);
        assertThat(store.at(created.revision())).isInstanceOf(Lookup.Found.class);
        assertThat(store.at(before + 9)).isInstanceOf(Lookup.Future.class);
    }

    @Test
    void olderRevisionsAreCompacted() throws StorageException {
        putOrigin("whole 5000");
        ObjectStore store = open();
        for (long old : new long[] {1, 2, 4999, 5000, 5001}) {
            assertThat(store.at(old)).isInstanceOf(Lookup.Gone.class);
            assertThat(store.watch(KeyRange.of("pods"), old, () -> {}).poll(1)).isInstanceOf(Watch.Batch.Gone.class);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4999, 5000})
    void conditionOnAnOlderRevisionFails(long old) throws StorageException {
        putOrigin("whole 5000");
        ObjectStore store = open();
        var update = new Transaction(POD, BYTES, List.of(new Transaction.Expectation(POD, old)));
        assertThat(store.commit(update)).isInstanceOf(Outcome.Refused.class);
        Event created = commit(store, Transaction.create(POD, BYTES));
        assertThat(store.commit(update))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.actual())
                                .isNotNull()
                                .satisfies(entry -> assertThat(entry.revision()).isEqualTo(created.revision())));
    }

    @Test
    void compactionUsesTheRemoteRevision() throws StorageException {
        putOrigin("whole 5000");
        ObjectStore store = open();
        long last = commit(store, Transaction.create(POD, BYTES)).revision();
        Awaitility.await()
                .atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(keys.compacted()).isEqualTo(last - 5000));
        assertThat(open().latest().get(POD)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"unfinished 0", "unfinished 5000"})
    void incompleteStoreIsNotOpened(String text) {
        putOrigin(text);
        assertThatThrownBy(this::open)
                .isInstanceOf(StorageException.class)
                .hasMessage("a migration or restore into it was not finished: start it again with --force");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "whole", "whole -1", "whole 1 2", "whole 1234567890123456789", "later 1"})
    void recordOfALaterVersionIsRefused(String text) {
        putOrigin(text);
        assertThatThrownBy(this::open)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNKNOWN_FORMAT));
    }

    @Test
    void serverOfTheReplacedStoreIsFenced() throws StorageException {
        ObjectStore store = open();
        Event created = commit(store, Transaction.create(POD, BYTES));
        putOrigin("unfinished 0");
        putOrigin("whole 9000");
        assertThatThrownBy(() -> store.commit(Transaction.replace(created.entry(), new byte[] {2})))
                .hasMessage("its contents were replaced: restart the server");
        assertThatThrownBy(store::latest).hasMessage("its contents were replaced: restart the server");
        assertThatThrownBy(() -> store.commit(Transaction.create(new Key("pods", "a", "y"), BYTES)))
                .isInstanceOf(StorageException.class);
        assertThat(open().latest().get(POD))
                .get()
                .satisfies(entry -> assertThat(entry.value()).isEqualTo(BYTES));
    }

    @Test
    void startDuringAReplacementIsRefused() throws StorageException {
        keys.onList(() -> putOrigin("unfinished 0"));
        assertThatThrownBy(this::open).hasMessage("its contents were replaced: restart the server");
    }
}
