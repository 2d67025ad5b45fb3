package io.plat.apiserver.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A watch's cursor, step by step: notifications before, after and between polls. */
final class RangeWatchTest {
    private final StoreOptions options = new StoreOptions(
            new HistoryPolicy.Age(Duration.ofMillis(1)), Long.MAX_VALUE, () -> Instant.ofEpochMilli(this.now));
    private final History history = new History(options, 0, Tree.EMPTY);
    private final AtomicInteger signals = new AtomicInteger();
    private StoreState state = new StoreState(0, Tree.EMPTY, history);
    private long notifiedRevision;
    private long now;
    private int names;

    private RangeWatch watch(long after) {
        return new RangeWatch(
                KeyRange.of("pods"),
                after,
                new RangeWatch.Source() {
                    @Override
                    public long notifiedRevision() {
                        return notifiedRevision;
                    }

                    @Override
                    public StoreState state() {
                        return state;
                    }

                    @Override
                    public void closed(KeyRange range, RangeWatch watch) {}
                },
                signals::incrementAndGet);
    }

    /** Makes a change visible without notifying anybody. */
    private Event publish(String resource) {
        return publish(resource, state.revision() + 1, 1);
    }

    private Event publish(String resource, long revision, int events) {
        var created = new ArrayList<Event>();
        for (int i = 0; i < events; i++) {
            created.add(Event.of(null, new Entry(new Key(resource, "a", "x" + names++), new byte[1], revision)));
        }
        history.append(new Change(revision, created, revision, Tree.EMPTY));
        state = new StoreState(revision, Tree.EMPTY, history);
        return created.getFirst();
    }

    /** Drops the changes up to a revision, which were made at the time of their revision. */
    private void forgetUpTo(long revision) {
        now = revision + 2;
        history.trim(dropped -> {});
    }

    private static List<Long> revisions(Watch.Batch batch) {
        assertThat(batch).isInstanceOf(Watch.Batch.Events.class);
        var revisions = new ArrayList<Long>();
        ((Watch.Batch.Events) batch).events().forEach(event -> revisions.add(event.revision()));
        return revisions;
    }

    private static long position(Watch.Batch batch) {
        return ((Watch.Batch.Events) batch).position();
    }

    @Test
    void changePolledBeforeItsNotificationIsDeliveredOnce() {
        RangeWatch watch = watch(0);
        Event event = publish("pods");
        assertThat(revisions(watch.poll(10))).containsExactly(1L);
        watch.notifyOf(event);
        assertThat(signals).hasValue(0);
        assertThat(revisions(watch.poll(10))).isEmpty();
    }

    @Test
    void caughtUpWatchIsSignalledOncePerPoll() {
        RangeWatch watch = watch(0);
        assertThat(revisions(watch.poll(10))).isEmpty();
        watch.notifyOf(publish("pods"));
        watch.notifyOf(publish("pods"));
        assertThat(signals).hasValue(1);
        assertThat(revisions(watch.poll(10))).containsExactly(1L, 2L);
        watch.notifyOf(publish("pods"));
        assertThat(signals).hasValue(2);
        assertThat(revisions(watch.poll(10))).containsExactly(3L);
    }

    @Test
    void otherKeysCauseNoSignal() {
        RangeWatch watch = watch(0);
        watch.poll(10);
        watch.notifyOf(publish("secrets"));
        assertThat(signals).hasValue(0);
        assertThat(revisions(watch.poll(10))).isEmpty();
    }

    /** The position must not pass a change that is visible but not notified. */
    @Test
    void positionNeverExceedsDeliveredEvents() {
        RangeWatch watch = watch(0);
        assertThat(position(watch.poll(10))).isZero();
        Event pending = publish("pods");
        assertThat(position(watch.poll(10))).isZero();
        watch.notifyOf(pending);
        notifiedRevision = 1;
        Watch.Batch batch = watch.poll(10);
        assertThat(revisions(batch)).containsExactly(1L);
        assertThat(position(batch)).isEqualTo(1);
        publish("secrets");
        notifiedRevision = 2;
        assertThat(position(watch.poll(10))).isEqualTo(2);
    }

    @Test
    void portionEndsAtItsPosition() {
        RangeWatch watch = watch(0);
        publish("pods");
        publish("secrets");
        publish("pods");
        publish("pods");
        Watch.Batch first = watch.poll(2);
        assertThat(revisions(first)).containsExactly(1L, 3L);
        assertThat(position(first)).isEqualTo(3);
        Watch.Batch second = watch.poll(2);
        assertThat(revisions(second)).containsExactly(4L);
        assertThat(position(second)).isEqualTo(4);
    }

    @Test
    void watchEndsOnceItsNextRevisionIsEvicted() {
        RangeWatch watch = watch(0);
        publish("pods");
        publish("pods");
        assertThat(revisions(watch.poll(1))).containsExactly(1L);
        publish("pods");
        forgetUpTo(2);
        assertThat(watch.poll(10)).isEqualTo(new Watch.Batch.Gone(2));
        assertThat(watch.poll(10)).isEqualTo(new Watch.Batch.Gone(2));
    }

    @Test
    void caughtUpWatchNeedsNoHistory() {
        RangeWatch watch = watch(0);
        publish("secrets");
        watch.poll(10);
        publish("secrets");
        publish("secrets");
        forgetUpTo(3);
        assertThat(revisions(watch.poll(10))).isEmpty();
        watch.notifyOf(publish("pods"));
        assertThat(revisions(watch.poll(10))).containsExactly(4L);
    }

    @Test
    void watchOfAFutureRevisionWaits() {
        RangeWatch watch = watch(2);
        watch.notifyOf(publish("pods"));
        watch.notifyOf(publish("pods"));
        assertThat(revisions(watch.poll(10))).isEmpty();
        watch.notifyOf(publish("pods"));
        assertThat(revisions(watch.poll(10))).containsExactly(3L);
    }

    /** Resuming from the position must not miss the rest of a partially delivered revision. */
    @Test
    void positionPrecedesAPartiallyDeliveredRevision() {
        RangeWatch watch = watch(0);
        publish("pods", 4, 1);
        publish("pods", 7, 2);
        publish("pods", 9, 1);
        Watch.Batch first = watch.poll(2);
        assertThat(revisions(first)).containsExactly(4L, 7L);
        assertThat(position(first)).isEqualTo(6);
        Watch.Batch second = watch.poll(1);
        assertThat(revisions(second)).containsExactly(7L);
        assertThat(position(second)).isEqualTo(8);
        assertThat(revisions(watch(6).poll(10))).containsExactly(7L, 7L, 9L);
        assertThat(revisions(watch(8).poll(10))).containsExactly(9L);
    }

    @Test
    void revisionIsEvictedAsAWhole() {
        publish("pods", 4, 2);
        publish("pods", 5, 1);
        forgetUpTo(4);
        assertThat(watch(3).poll(10)).isInstanceOf(Watch.Batch.Gone.class);
        assertThat(revisions(watch(4).poll(10))).containsExactly(5L);
    }

    @Test
    void watchThatLostChangesEnds() {
        RangeWatch waiting = watch(0);
        waiting.poll(10);
        RangeWatch pending = watch(0);
        waiting.lose();
        pending.lose();
        assertThat(signals).hasValue(2);
        assertThat(waiting.poll(10)).isInstanceOf(Watch.Batch.Gone.class);
        assertThat(pending.poll(10)).isInstanceOf(Watch.Batch.Gone.class);
    }

    @Test
    void emptyPortionIsRejected() {
        assertThatThrownBy(() -> watch(0).poll(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void historyEvictsInRevisionOrder() {
        for (int i = 0; i < 1000; i++) {
            publish("pods");
        }
        forgetUpTo(900);
        for (int i = 0; i < 200; i++) {
            publish("pods");
        }
        assertThat(history.floor()).isEqualTo(900);
        assertThat(history.between(0, 900)).allMatch(change -> change.events().isEmpty());
        assertThat(history.between(900, 1200))
                .extracting(Change::revision)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(901, 1200).boxed().toList());
        for (long revision = 1; revision <= 1200; revision++) {
            assertThat(history.at(revision) == null).isEqualTo(revision < 900);
        }
        assertThatThrownBy(() -> publish("pods", 1, 1)).isInstanceOf(IllegalStateException.class);
    }
}
