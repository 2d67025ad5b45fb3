package io.plat.apiserver.storage.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A remote store that fails, falls silent, compacts, resets, and is written to by others. */
@Execution(ExecutionMode.CONCURRENT)
final class RemoteStoreTest {
    private static final HistoryPolicy LONG = new HistoryPolicy.Age(Duration.ofHours(1));
    private static final byte[] BYTES = {1};

    private final KeysInMemory keys = new KeysInMemory();
    private final List<ObjectStore> opened = new ArrayList<>();

    private ObjectStore open(HistoryPolicy history) throws StorageException {
        ObjectStore store =
                RemoteStore.open(keys, StoreOptions.keeping(history), Map.of("events", Duration.ofHours(1)));
        opened.add(store);
        return store;
    }

    private ObjectStore open() throws StorageException {
        return open(LONG);
    }

    @AfterEach
    void close() throws StorageException {
        for (ObjectStore store : opened) {
            store.close();
        }
    }

    private static ConditionFactory soon() {
        return Awaitility.await().atMost(Duration.ofSeconds(15)).pollInterval(Duration.ofMillis(5));
    }

    private static Key pod(String name) {
        return new Key("pods", "a", name);
    }

    private static long create(ObjectStore store, Key key) throws StorageException {
        return ((Outcome.Committed) store.commit(Transaction.create(key, new byte[] {1})))
                .event()
                .revision();
    }

    private static List<String> names(Snapshot snapshot) throws StorageException {
        return snapshot.page(KeyRange.of("pods"), "", 0).entries().stream()
                .map(entry -> entry.key().name())
                .toList();
    }

    private static List<String> names(Lookup lookup) throws StorageException {
        assertThat(lookup).isInstanceOf(Lookup.Found.class);
        return names(((Lookup.Found) lookup).snapshot());
    }

    private static List<Long> revisions(Watch watch, int count) {
        var revisions = new ArrayList<Long>();
        soon().untilAsserted(() -> {
            ((Watch.Batch.Events) watch.poll(10)).events().forEach(event -> revisions.add(event.revision()));
            assertThat(revisions).hasSize(count);
        });
        return revisions;
    }

    @Test
    void remoteWritesAreVisibleAtOnce() throws StorageException {
        ObjectStore store = open();
        long written = keys.put("pods/a/x", BYTES);
        assertThat(store.latest().get(pod("x")))
                .get()
                .satisfies(entry -> assertThat(entry.revision()).isEqualTo(written));
        long next = keys.put("pods/a/y", BYTES);
        assertThat(names(store.notBefore(next))).containsExactly("x", "y");
        long last = keys.put("pods/a/x", null);
        assertThat(store.at(last)).isInstanceOf(Lookup.Found.class);
        assertThat(store.at(last + 1)).isEqualTo(new Lookup.Future(last));
    }

    @Test
    void foreignEntriesAreSeparate() throws StorageException {
        keys.put("pods/a/x", BYTES);
        keys.put("no object", BYTES);
        keys.put("pods//", BYTES);
        keys.put("pods/a/empty", new byte[0]);
        keys.put("~/lock", BYTES);
        ObjectStore store = open();
        assertThat(names(store.latest())).containsExactly("x");
        keys.put("also none", BYTES);
        long emptied = keys.put("pods/a/x", new byte[0]);
        assertThat(names(store.latest())).isEmpty();
        assertThat(store.latest().revision()).isEqualTo(emptied);
    }

    @Test
    void revisionsOfOtherKeysAreAwaited() throws StorageException {
        ObjectStore store = open();
        Watch watch = store.watch(KeyRange.of("pods"), store.latest().revision(), () -> {});
        watch.poll(1);
        long elsewhere = keys.elsewhere();
        assertThat(store.latest().revision()).isEqualTo(elsewhere);
        soon().untilAsserted(() -> assertThat(watch.poll(1)).isEqualTo(new Watch.Batch.Events(List.of(), elsewhere)));
    }

    @Test
    void brokenFeedIsResumedWithoutLoss() throws StorageException {
        ObjectStore store = open();
        Watch watch = store.watch(KeyRange.of("pods"), store.latest().revision(), () -> {});
        long first = create(store, pod("x"));
        keys.failing(true);
        soon().untilAsserted(() -> assertThat(store.problem()).isPresent());
        assertThatThrownBy(store::latest)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE));
        assertThat(store.notBefore(first)).isInstanceOf(Lookup.Found.class);
        long missed = keys.put("pods/a/y", BYTES);
        keys.failing(false);
        soon().untilAsserted(() -> assertThat(store.problem()).isEmpty());
        long last = create(store, pod("z"));
        assertThat(revisions(watch, 3)).containsExactly(first, missed, last);
    }

    @Test
    void compactedFeedReloadsAndEndsWatches() throws StorageException {
        ObjectStore store = open();
        long first = create(store, pod("x"));
        Watch watch = store.watch(KeyRange.of("secrets"), first, () -> {});
        watch.poll(1);
        keys.failing(true);
        keys.put("pods/a/y", BYTES);
        long last = keys.put("pods/a/x", null);
        keys.forget(last);
        keys.failing(false);
        soon().untilAsserted(() -> assertThat(watch.poll(1)).isInstanceOf(Watch.Batch.Gone.class));
        assertThat(names(store.latest())).containsExactly("y");
        assertThat(store.at(first)).isInstanceOf(Lookup.Gone.class);
        // Until it follows again, everything may be read once more, which ends other watches.
        soon().untilAsserted(() -> assertThat(store.problem()).isEmpty());
        long next = create(store, pod("z"));
        assertThat(revisions(store.watch(KeyRange.of("pods"), last, () -> {}), 1))
                .containsExactly(next);
    }

    @Test
    void lowerRemoteRevisionCausesAReload() throws StorageException {
        ObjectStore store = open();
        long kept = create(store, pod("x"));
        create(store, pod("y"));
        Watch watch = store.watch(KeyRange.of("pods"), kept, () -> {});
        watch.poll(5);
        keys.goBackTo(kept);
        soon().untilAsserted(() -> assertThat(watch.poll(1)).isInstanceOf(Watch.Batch.Gone.class));
        assertThat(names(store.latest())).containsExactly("x");
    }

    /** Later changes would be skipped as known ones. */
    @Test
    void aFeedAheadOfTheStoreCausesAReload() throws StorageException {
        ObjectStore store = open();
        create(store, pod("x"));
        keys.reportProgress(1L << 50);
        keys.put("pods/a/y", BYTES);
        soon().untilAsserted(() -> assertThat(names(store.latest())).containsExactly("x", "y"));
    }

    @Test
    void replacedHistoryCausesAReloadEvenIfItIsLonger() throws StorageException {
        ObjectStore store = open();
        long kept = create(store, pod("x"));
        create(store, pod("y"));
        Watch watch = store.watch(KeyRange.of("pods"), kept, () -> {});
        watch.poll(5);
        keys.failing(true);
        keys.goBackTo(kept);
        for (int i = 0; i < 5; i++) {
            keys.put("pods/a/z", BYTES);
        }
        keys.failing(false);
        soon().untilAsserted(() -> assertThat(names(store.latest())).containsExactly("x", "z"));
        soon().untilAsserted(() -> assertThat(watch.poll(1)).isInstanceOf(Watch.Batch.Gone.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999999999999", "9", "", "x", "-1"})
    void malformedHistoryStartMeansTheNewestState(String stored) throws StorageException {
        keys.put("pods/a/x", BYTES);
        keys.put("~/kept", stored.getBytes(UTF_8));
        assertThat(names(open().latest())).containsExactly("x");
    }

    @Test
    void watchesContinueAfterAnInterruption() throws StorageException {
        ObjectStore store = open();
        long kept = create(store, pod("x"));
        Watch watch = store.watch(KeyRange.of("pods"), kept, () -> {});
        keys.failing(true);
        keys.put("pods/a/y", BYTES);
        keys.failing(false);
        assertThat(revisions(watch, 1)).containsExactly(kept + 1);
    }

    @Test
    void silentFeedIsReplaced() throws StorageException {
        ObjectStore store = open();
        create(store, pod("x"));
        int started = keys.feedsBegun();
        keys.mute(true);
        keys.put("pods/a/y", BYTES);
        soon().untilAsserted(() -> assertThat(keys.feedsBegun()).isGreaterThan(started));
        assertThat(store.problem()).isPresent();
        keys.mute(false);
        soon().untilAsserted(() -> assertThat(names(store.latest())).containsExactly("x", "y"));
    }

    /** Long before the next regular comparison. */
    @ParameterizedTest
    @ValueSource(strings = {"changed", "deleted", "created"})
    void refusedWriteRevealsAChangeThatTheFeedOmitted(String change) throws StorageException {
        ObjectStore store = open();
        boolean creates = change.equals("created");
        if (!creates) {
            create(store, pod("x"));
        }
        keys.putUnreported("pods/a/x", change.equals("deleted") ? null : new byte[] {2});
        create(store, pod("y"));
        Optional<Entry> outdated = store.latest().get(pod("x"));
        assertThat(store.commit(
                        creates
                                ? Transaction.create(pod("x"), BYTES)
                                : Transaction.replace(outdated.orElseThrow(), new byte[] {3})))
                .isInstanceOf(Outcome.Refused.class);
        soon().untilAsserted(() -> assertThat(store.latest().get(pod("x")).map(entry -> entry.value()[0]))
                .isEqualTo(change.equals("deleted") ? Optional.empty() : Optional.of((byte) 2)));
    }

    /** Long before the next regular comparison. */
    @ParameterizedTest
    @ValueSource(strings = {"changed", "deleted", "created"})
    void ownWriteThatTheFeedOmitsIsFound(String change) throws StorageException {
        ObjectStore store = open();
        if (!change.equals("created")) {
            create(store, pod("x"));
        }
        Optional<Entry> before = store.latest().get(pod("x"));
        byte[] two = {2};
        keys.omitting(true);
        store.commit(
                switch (change) {
                    case "changed" -> Transaction.replace(before.orElseThrow(), two);
                    case "deleted" -> Transaction.delete(before.orElseThrow());
                    default -> Transaction.create(pod("x"), two);
                });
        keys.omitting(false);
        soon().untilAsserted(() -> assertThat(store.latest().get(pod("x")).map(entry -> entry.value()[0]))
                .isEqualTo(change.equals("deleted") ? Optional.empty() : Optional.of((byte) 2)));
    }

    /** The write is durable: a missing feed event must not make it fail. */
    @ParameterizedTest
    @ValueSource(strings = {"changed", "deleted", "created"})
    void changesThatTheFeedOmitsAreFound(String change) throws StorageException {
        keys.put("pods/a/x", BYTES);
        for (int i = 0; i < 1000; i++) {
            keys.put("pods/a/more" + i, BYTES);
        }
        ObjectStore store = RemoteStore.open(keys, StoreOptions.keeping(LONG), Map.of(), Duration.ofMillis(20));
        opened.add(store);
        int feeds = keys.feedsBegun();
        store.latest();
        byte[] two = {2};
        switch (change) {
            case "changed" -> keys.putUnreported("pods/a/x", two);
            case "deleted" -> keys.putUnreported("pods/a/x", null);
            default -> keys.putUnreported("pods/a/y", BYTES);
        }
        soon().untilAsserted(() -> {
            Snapshot latest = store.latest();
            switch (change) {
                case "changed" ->
                    assertThat(latest.get(pod("x")).map(Entry::value)).contains(two);
                case "deleted" -> assertThat(latest.get(pod("x"))).isEmpty();
                default -> assertThat(latest.get(pod("y"))).isPresent();
            }
        });
        soon().untilAsserted(() -> assertThat(keys.feedsBegun()).isEqualTo(feeds + 1));
    }

    @Test
    void equalContentsAreNotReloaded() throws StorageException {
        keys.put("pods/a/x", BYTES);
        keys.put("pods/a/empty", new byte[0]);
        keys.put("no object", BYTES);
        ObjectStore store = RemoteStore.open(keys, StoreOptions.keeping(LONG), Map.of(), Duration.ofMillis(10));
        opened.add(store);
        int feeds = keys.feedsBegun();
        int lists = keys.lists();
        soon().until(() -> keys.lists() >= lists + 3);
        assertThat(keys.feedsBegun()).isEqualTo(feeds);
        keys.forget(keys.elsewhere());
        soon().until(() -> keys.lists() >= lists + 6);
        assertThat(keys.feedsBegun()).as("compacted meanwhile").isEqualTo(feeds);
    }

    @Test
    void impossibleResponsesAreFailures() throws StorageException {
        ObjectStore store = open();
        keys.impossible(true);
        assertThatThrownBy(() -> create(store, pod("x")))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNCERTAIN));
        assertThatThrownBy(store::latest)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE));
        keys.impossible(false);
        soon().untilAsserted(() -> assertThat(store.problem()).isEmpty());
        assertThat(names(store.latest())).containsExactly("x");
    }

    @Test
    void writeIsAnsweredWithoutItsFeedEvent() throws StorageException {
        ObjectStore store = open();
        long first = create(store, pod("x"));
        Entry seen = store.latest().get(pod("x")).orElseThrow();
        keys.mute(true);
        Outcome outcome = store.commit(Transaction.delete(seen));
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Committed.class, committed -> {
            assertThat(committed.event().type()).isEqualTo(Event.Type.DELETED);
            assertThat(committed.event().revision()).isEqualTo(first + 1);
        });
        keys.mute(false);
    }

    @Test
    void writeEventEqualsTheWatchEvent() throws StorageException {
        ObjectStore store = open();
        Watch watch = store.watch(KeyRange.of("pods"), store.latest().revision(), () -> {});
        Event created = ((Outcome.Committed) store.commit(Transaction.create(pod("x"), "1".getBytes(UTF_8)))).event();
        assertThat(((Watch.Batch.Events) watch.poll(1)).events()).first().isSameAs(created);
    }

    @Test
    void transactionIsDeliveredTogether() throws StorageException {
        ObjectStore store = open();
        create(store, pod("x"));
        long second = create(store, pod("y"));
        Watch watch = store.watch(KeyRange.of("pods"), second, () -> {});
        watch.poll(1);
        long gone = keys.removeTogether("pods/a/x", "pods/a/y");
        assertThat(revisions(watch, 2)).containsExactly(gone, gone);
        assertThat(names(store.latest())).isEmpty();
    }

    @Test
    void retainedHistoryIsLoadedAtStart() throws StorageException {
        ObjectStore store = open();
        long first = create(store, pod("x"));
        long second = create(store, pod("y"));
        ObjectStore later = open();
        assertThat(names(later.at(first))).containsExactly("x");
        assertThat(revisions(later.watch(KeyRange.of("pods"), first, () -> {}), 1))
                .containsExactly(second);
    }

    @Test
    void historyIsCompactedRemotely() throws StorageException {
        ObjectStore store = open(new HistoryPolicy.Age(Duration.ofMillis(300)));
        create(store, pod("x"));
        long last = create(store, pod("y"));
        soon().untilAsserted(() -> assertThat(keys.compacted()).isEqualTo(last));
        ObjectStore later = open();
        assertThat(names(later.latest())).containsExactly("x", "y");
        assertThat(later.at(last - 1)).isInstanceOf(Lookup.Gone.class);
    }

    @Test
    void onlyEventsHaveALease() throws StorageException {
        ObjectStore store = open();
        create(store, pod("x"));
        create(store, new Key("events", "a", "x"));
        assertThat(keys.leases()).containsExactly(3660L);
    }

    /** Etcd holds a lease until it expires: their number must not be that of the writes. */
    @Test
    void writesOfEventsShareLeases() throws StorageException {
        ObjectStore store = open();
        var event = new Key("events", "a", "x");
        long revision = create(store, event);
        for (int i = 0; i < SharedLeases.MAX_WRITES; i++) {
            Outcome written =
                    store.commit(Transaction.replace(store.latest().get(event).orElseThrow(), new byte[] {(byte) i}));
            assertThat(written).isInstanceOf(Outcome.Committed.class);
        }
        assertThat(store.latest().revision()).isEqualTo(revision + SharedLeases.MAX_WRITES);
        store.commit(Transaction.create(event, new byte[] {1}));
        assertThat(keys.leases()).containsExactly(3660L, 3660L);
    }

    /** A client can make writes fail. */
    @ParameterizedTest
    @CsvSource({"TOO_LARGE, 1", "UNAVAILABLE, 2"})
    void onlyLostLeasesAreReplaced(StorageException.Kind failure, int leases) {
        var shared = new SharedLeases(keys);
        shared.lease(Duration.ofHours(1));
        shared.failed(new CompletionException(new StorageException(failure, "refused")));
        shared.lease(Duration.ofHours(1));
        assertThat(keys.leases()).hasSize(leases);
    }

    @Test
    void leaseThatEtcdLostIsNotUsedAgain() throws StorageException {
        ObjectStore store = open();
        create(store, new Key("events", "a", "x"));
        keys.failing(true);
        assertThatThrownBy(() -> create(store, new Key("events", "a", "y"))).hasMessageContaining("nobody answers");
        keys.failing(false);
        create(store, new Key("events", "a", "z"));
        assertThat(keys.leases()).containsExactly(3660L, 3660L);
    }

    @Test
    void concurrentReadsShareOneRequest() throws InterruptedException, StorageException {
        ObjectStore store = open();
        int before = keys.revisionRequests();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 50; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    store.latest();
                } catch (StorageException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(keys.revisionRequests() - before).isBetween(1, 60);
    }

    @Test
    void unresponsiveStoreCannotBeOpened() {
        keys.failing(true);
        assertThatThrownBy(this::open).isInstanceOf(StorageException.class).hasMessage("nobody answers");
    }
}
