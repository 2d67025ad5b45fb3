package io.plat.tests.storage;

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
import io.plat.apiserver.storage.Page;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Contract of {@link ObjectStore}. A backend is certified by a subclass that opens it. Revisions need not be contiguous. Third-party
 * backends can be certified too: the class requires only {@code io.plat.apiserver.storage}.
 */
public abstract class ObjectStoreConformance {
    private static final HistoryPolicy LONG = new HistoryPolicy.Age(Duration.ofHours(1));

    private ObjectStore store;

    /** Opens an empty store. */
    protected abstract ObjectStore open(HistoryPolicy history) throws StorageException;

    @BeforeEach
    public final void openStore() throws StorageException {
        store = open(LONG);
    }

    @AfterEach
    public final void closeStore() throws StorageException {
        store.close();
    }

    /** Replaces the default store of each test. */
    private void reopenWith(HistoryPolicy history) throws StorageException {
        store.close();
        store = open(history);
    }

    static Key pod(String namespace, String name) {
        return new Key("pods", namespace, name);
    }

    static Event committed(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Committed.class);
        return ((Outcome.Committed) outcome).event();
    }

    private Entry create(Key key, String value) throws StorageException {
        return committed(store.commit(Transaction.create(key, value.getBytes(UTF_8))))
                .entry();
    }

    private Entry replace(Entry present, String value) throws StorageException {
        return committed(store.commit(Transaction.replace(present, value.getBytes(UTF_8))))
                .entry();
    }

    private Event delete(Entry present) throws StorageException {
        return committed(store.commit(Transaction.delete(present)));
    }

    private Snapshot at(long revision) throws StorageException {
        assertThat(store.at(revision)).isInstanceOf(Lookup.Found.class);
        return ((Lookup.Found) store.at(revision)).snapshot();
    }

    private static String text(Entry entry) {
        return new String(entry.value(), UTF_8);
    }

    private static List<String> names(Page page) {
        return page.entries().stream().map(entry -> entry.key().path()).toList();
    }

    @Test
    void acknowledgedWriteIsSeenByTheNextRead() throws StorageException {
        Entry created = create(pod("a", "x"), "1");
        assertThat(store.latest().revision()).isGreaterThanOrEqualTo(created.revision());
        assertThat(store.latest().get(created.key())).get().satisfies(entry -> {
            assertThat(text(entry)).isEqualTo("1");
            assertThat(entry.revision()).isEqualTo(created.revision());
        });
    }

    @Test
    void missingKeyIsNotFound() throws StorageException {
        assertThat(store.latest().get(pod("a", "x"))).isEmpty();
        assertThat(store.latest().page(KeyRange.of("pods"), "", 0)).isEqualTo(new Page(List.of(), 0));
        assertThat(store.latest().count(KeyRange.of("pods"))).isZero();
    }

    @Test
    void everyChangeIncrementsTheRevision() throws StorageException {
        Entry first = create(pod("a", "x"), "1");
        Entry second = create(new Key("namespaces", "", "a"), "1");
        Entry third = replace(first, "2");
        Event fourth = delete(third);
        assertThat(List.of(first.revision(), second.revision(), third.revision(), fourth.revision()))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void createOfAnExistingKeyReturnsTheCurrentState() throws StorageException {
        Entry created = create(pod("a", "x"), "1");
        Outcome outcome = store.commit(Transaction.create(created.key(), "2".getBytes(UTF_8)));
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Refused.class, rejected -> {
            assertThat(rejected.expectation())
                    .isEqualTo(new Transaction.Expectation(created.key(), Transaction.Expectation.ABSENT));
            assertThat(rejected.actual())
                    .isNotNull()
                    .satisfies(actual -> assertThat(text(actual)).isEqualTo("1"));
        });
        assertThat(text(store.latest().get(created.key()).orElseThrow())).isEqualTo("1");
    }

    @Test
    void replaceOfAnOldRevisionIsRefused() throws StorageException {
        Entry created = create(pod("a", "x"), "1");
        Entry newer = replace(created, "2");
        Outcome outcome = store.commit(Transaction.replace(created, "3".getBytes(UTF_8)));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        rejected -> assertThat(rejected.actual())
                                .isNotNull()
                                .satisfies(
                                        actual -> assertThat(actual.revision()).isEqualTo(newer.revision())));
    }

    @Test
    void replaceOfADeletedKeyReturnsNothing() throws StorageException {
        Entry created = create(pod("a", "x"), "1");
        delete(created);
        Outcome outcome = store.commit(Transaction.replace(created, "3".getBytes(UTF_8)));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        rejected -> assertThat(rejected.actual()).isNull());
    }

    @Test
    void deleteOfAnOldRevisionIsRefused() throws StorageException {
        Entry created = create(pod("a", "x"), "1");
        replace(created, "2");
        assertThat(store.commit(Transaction.delete(created))).isInstanceOf(Outcome.Refused.class);
        assertThat(store.latest().get(created.key())).isPresent();
    }

    @Test
    void keyCanBeRecreated() throws StorageException {
        Entry created = create(pod("a", "x"), "1");
        delete(created);
        Entry again = create(pod("a", "x"), "2");
        assertThat(again.revision()).isGreaterThan(created.revision());
        assertThat(store.commit(Transaction.replace(created, "3".getBytes(UTF_8))))
                .isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void writeMayDependOnAnotherKey() throws StorageException {
        Entry guard = create(new Key("namespaces", "", "a"), "active");
        committed(store.commit(
                Transaction.create(pod("a", "x"), "1".getBytes(UTF_8)).expecting(guard)));
        replace(guard, "terminating");
        Outcome outcome = store.commit(
                Transaction.create(pod("a", "y"), "1".getBytes(UTF_8)).expecting(guard));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        rejected -> assertThat(rejected.expectation().key()).isEqualTo(guard.key()));
        assertThat(store.latest().get(pod("a", "y"))).isEmpty();
    }

    @Test
    void deleteRequiresTheCurrentRevision() {
        assertThatThrownBy(() -> new Transaction(pod("a", "x"), null, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void snapshotNeverChanges() throws StorageException {
        Entry created = create(pod("a", "x"), "1");
        Snapshot before = store.latest();
        replace(created, "2");
        create(pod("a", "y"), "1");
        assertThat(text(before.get(created.key()).orElseThrow())).isEqualTo("1");
        assertThat(names(before.page(KeyRange.of("pods"), "", 0))).containsExactly("pods/a/x");
    }

    @Test
    void everyRetainedRevisionCanBeRead() throws StorageException {
        Entry first = create(pod("a", "x"), "1");
        Entry second = replace(first, "2");
        Event deletion = delete(second);
        Entry third = create(pod("a", "x"), "3");
        assertThat(text(at(first.revision()).get(first.key()).orElseThrow())).isEqualTo("1");
        assertThat(text(at(second.revision()).get(first.key()).orElseThrow())).isEqualTo("2");
        assertThat(at(deletion.revision()).get(first.key())).isEmpty();
        assertThat(text(at(third.revision()).get(first.key()).orElseThrow())).isEqualTo("3");
        assertThat(at(second.revision()).revision()).isEqualTo(second.revision());
    }

    @Test
    void futureRevisionIsReported() throws StorageException {
        long current = create(pod("a", "x"), "1").revision();
        assertThat(store.at(current + 1000)).isInstanceOf(Lookup.Future.class);
        assertThat(store.notBefore(current + 1000)).isInstanceOf(Lookup.Future.class);
        assertThat(store.notBefore(current))
                .isInstanceOfSatisfying(
                        Lookup.Found.class,
                        found -> assertThat(found.snapshot().revision()).isGreaterThanOrEqualTo(current));
        assertThat(store.notBefore(0)).isInstanceOf(Lookup.Found.class);
    }

    @Test
    void pagesAreOrderedAndCountRemainingObjects() throws StorageException {
        for (String name : List.of("a/b", "a/a", "a-x/a", "b/a", "a/c")) {
            String[] parts = name.split("/", -1);
            create(pod(parts[0], parts[1]), name);
        }
        create(new Key("podsx", "a", "a"), "another resource");
        create(new Key("pod", "a", "a"), "another resource");
        Snapshot snapshot = store.latest();
        Page first = snapshot.page(KeyRange.of("pods"), "", 2);
        assertThat(names(first)).containsExactly("pods/a-x/a", "pods/a/a");
        assertThat(first.remaining()).isEqualTo(3);
        Page second = snapshot.page(KeyRange.of("pods"), "pods/a/a", 2);
        assertThat(names(second)).containsExactly("pods/a/b", "pods/a/c");
        assertThat(second.remaining()).isEqualTo(1);
        assertThat(names(snapshot.page(KeyRange.of("pods", "a"), "", 0)))
                .containsExactly("pods/a/a", "pods/a/b", "pods/a/c");
        assertThat(names(snapshot.page(KeyRange.of("pods"), "pods/a/aa", 1))).containsExactly("pods/a/b");
        assertThat(snapshot.page(KeyRange.of("pods"), "pods/b/a", 5)).isEqualTo(new Page(List.of(), 0));
        assertThat(snapshot.count(KeyRange.of("pods"))).isEqualTo(5);
        assertThat(snapshot.count(KeyRange.of("pods", "a"))).isEqualTo(3);
    }

    @Test
    void nonAsciiNamesAreOrderedByBytes() throws StorageException {
        List<String> names = List.of("z", "\u00e9", "\u4e2d", "\uffee", "\ud83d\ude00");
        for (String name : names.reversed()) {
            create(new Key("roles", "a", name), name);
        }
        assertThat(store.latest().page(KeyRange.of("roles"), "", 0).entries())
                .extracting(ObjectStoreConformance::text)
                .containsExactlyElementsOf(names);
    }

    @Test
    void watchDeliversEveryChangeInOrder() throws StorageException {
        long start = create(pod("a", "before"), "1").revision();
        var watch = new Follower(store, KeyRange.of("pods", "a"), start);
        Entry created = create(pod("a", "x"), "1");
        create(pod("b", "x"), "other namespace");
        create(new Key("secrets", "a", "x"), "other resource");
        Entry newer = replace(created, "2");
        Event deleteEvent = delete(newer);
        watch.await(3);
        assertThat(watch.events)
                .extracting(Event::type)
                .containsExactly(Event.Type.CREATED, Event.Type.UPDATED, Event.Type.DELETED);
        assertThat(watch.events)
                .extracting(Event::revision)
                .containsExactly(created.revision(), newer.revision(), deleteEvent.revision());
        Event deletion = watch.events.get(2);
        assertThat(text(deletion.entry())).isEqualTo("2");
        assertThat(deletion.previous()).isNotNull();
        assertThat(deletion.previous().revision()).isEqualTo(newer.revision());
        Event update = watch.events.get(1);
        assertThat(update.previous()).isNotNull();
        assertThat(text(update.previous())).isEqualTo("1");
    }

    @Test
    void watchStartsInThePast() throws StorageException {
        Entry created = create(pod("a", "x"), "1");
        Entry second = replace(created, "2");
        Entry third = replace(second, "3");
        var watch = new Follower(store, KeyRange.of("pods"), created.revision());
        watch.await(2);
        assertThat(watch.events).extracting(Event::revision).containsExactly(second.revision(), third.revision());
    }

    @Test
    void watchOfOneKeySeesOnlyThatKey() throws StorageException {
        long start = store.latest().revision();
        var watch = new Follower(store, KeyRange.of(pod("a", "x")), start);
        create(pod("a", "xx"), "1");
        create(pod("aa", "x"), "1");
        Entry created = create(pod("a", "x"), "1");
        watch.await(1);
        assertThat(watch.events).extracting(Event::revision).containsExactly(created.revision());
    }

    @Test
    void watchIsResumableFromItsPosition() throws StorageException {
        long start = store.latest().revision();
        List<Entry> created = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            created.add(create(pod("a", "x" + i), "1"));
        }
        Watch watch = store.watch(KeyRange.of("pods"), start, () -> {});
        var present = new ArrayList<Long>();
        long position = start;
        for (int i = 0; i < 2; i++) {
            var batch = (Watch.Batch.Events) watch.poll(3);
            assertThat(batch.events()).hasSize(3);
            batch.events().forEach(event -> present.add(event.revision()));
            position = batch.position();
        }
        watch.close();
        var resumed = new Follower(store, KeyRange.of("pods"), position);
        resumed.await(4);
        resumed.events.forEach(event -> present.add(event.revision()));
        assertThat(present).isEqualTo(created.stream().map(Entry::revision).toList());
    }

    @Test
    void idleWatchAdvancesItsPosition() throws StorageException {
        Watch watch = store.watch(KeyRange.of("secrets"), store.latest().revision(), () -> {});
        long written = create(pod("a", "x"), "1").revision();
        Awaitility.await()
                .untilAsserted(() -> assertThat(((Watch.Batch.Events) watch.poll(1)).position())
                        .isGreaterThanOrEqualTo(written));
        watch.close();
    }

    @Test
    void watchOfCompactedHistoryIsExpired() throws StorageException {
        reopenWith(new HistoryPolicy.Changes(5));
        Entry first = create(pod("a", "x"), "0");
        Watch slow = store.watch(KeyRange.of("pods"), first.revision(), () -> {});
        Entry last = first;
        for (int i = 0; i < 50; i++) {
            last = replace(last, "v" + i);
        }
        long newest = last.revision();
        Awaitility.await()
                .untilAsserted(() -> assertThat(store.at(first.revision())).isInstanceOf(Lookup.Gone.class));
        assertThat(slow.poll(10))
                .isInstanceOfSatisfying(
                        Watch.Batch.Gone.class,
                        deleteEvent -> assertThat(deleteEvent.oldest()).isBetween(first.revision() + 1, newest));
        assertThat(store.watch(KeyRange.of("pods"), first.revision(), () -> {}).poll(1))
                .isInstanceOf(Watch.Batch.Gone.class);
        assertThat(store.watch(KeyRange.of("pods"), newest, () -> {}).poll(1)).isInstanceOf(Watch.Batch.Events.class);
        assertThat(store.at(newest)).isInstanceOf(Lookup.Found.class);
        long oldest = ((Lookup.Gone) store.at(first.revision())).oldest();
        assertThat(store.at(oldest)).isInstanceOf(Lookup.Found.class);
    }

    @Test
    void watchOfAQuietRangeSurvivesCompaction() throws StorageException {
        reopenWith(new HistoryPolicy.Changes(5));
        var quiet = new Follower(store, KeyRange.of("secrets"), store.latest().revision());
        quiet.drain();
        Entry last = create(pod("a", "x"), "0");
        for (int i = 0; i < 50; i++) {
            last = replace(last, "v" + i);
        }
        long created = create(new Key("secrets", "a", "x"), "1").revision();
        quiet.await(1);
        assertThat(quiet.events).extracting(Event::revision).containsExactly(created);
    }

    @Test
    void historyExpiresWithoutWrites() throws StorageException {
        reopenWith(new HistoryPolicy.Age(Duration.ofMillis(200)));
        Entry first = create(pod("a", "x"), "1");
        replace(first, "2");
        Awaitility.await()
                .untilAsserted(() -> assertThat(store.at(first.revision())).isInstanceOf(Lookup.Gone.class));
        assertThat(text(store.latest().get(first.key()).orElseThrow())).isEqualTo("2");
    }

    @Test
    void oneOfManyConcurrentReplacesSucceeds() throws Exception {
        Entry created = create(pod("a", "x"), "0");
        List<CompletableFuture<Outcome>> outcomes = IntStream.range(0, 50)
                .mapToObj(i -> store.submit(Transaction.replace(created, ("v" + i).getBytes(UTF_8))))
                .toList();
        int won = 0;
        for (CompletableFuture<Outcome> outcome : outcomes) {
            won += outcome.get(30, TimeUnit.SECONDS) instanceof Outcome.Committed ? 1 : 0;
        }
        assertThat(won).isEqualTo(1);
    }

    @Test
    void concurrentWritesAreNeitherLostNorMissed() throws Exception {
        int writers = 8;
        int each = 100;
        int all = writers * each;
        long start = store.latest().revision();
        var watch = new Follower(store, KeyRange.of("pods"), start);
        var threads = new ArrayList<Thread>();
        var failures = new AtomicInteger();
        for (int w = 0; w < writers; w++) {
            String namespace = "n" + w;
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < each; i++) {
                        create(pod(namespace, "x" + i), "1");
                    }
                } catch (StorageException e) {
                    failures.incrementAndGet();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).hasValue(0);
        watch.await(all);
        assertThat(watch.events).extracting(Event::revision).isSorted().doesNotHaveDuplicates();
        assertThat(store.latest().count(KeyRange.of("pods"))).isEqualTo(all);
        assertThat(watch.events.stream().map(Event::key).distinct().count()).isEqualTo(all);
    }

    @Test
    void closedStoreRefusesWrites() throws StorageException {
        store.close();
        assertThatThrownBy(() -> create(pod("a", "x"), "1"))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.CLOSED));
    }

    @Test
    void healthyStoreHasNoProblem() {
        assertThat(store.problem()).isEmpty();
    }

    /** Reads a watch whenever it signals. */
    private static final class Follower {
        final List<Event> events = new ArrayList<>();
        private final Semaphore signals = new Semaphore(1);
        private final Watch watch;

        Follower(ObjectStore store, KeyRange range, long after) {
            this.watch = store.watch(range, after, signals::release);
        }

        void drain() {
            while (watch.poll(7) instanceof Watch.Batch.Events batch
                    && !batch.events().isEmpty()) {
                events.addAll(batch.events());
            }
        }

        /** Waits for this many events, with a timeout. */
        void await(int count) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            try {
                while (events.size() < count
                        && signals.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    drain();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            assertThat(events).hasSize(count);
        }
    }
}
