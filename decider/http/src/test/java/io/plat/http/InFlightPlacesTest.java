package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.InFlightPlaces.Place;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InFlightPlacesTest {
    private static final Duration LONG = InFlightPlaces.PATIENCE.plusMillis(1);

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10);
    private final FairLimit limit = new FairLimit(2);
    private final InFlightPlaces places = new InFlightPlaces(limit, clock::get);

    private Place enter() {
        return Objects.requireNonNull(places.enter("jane"));
    }

    private Place waiting() {
        Place place = enter();
        place.bodyIsAwaited();
        return place;
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Test
    void whoWaitsForALittleWhileKeepsItsPlace() {
        Place slow = waiting();
        enter();
        pass(InFlightPlaces.PATIENCE);
        assertThat(places.enter("jane")).isNull();
        assertThat(slow.bodyIsHere()).isTrue();
    }

    @Test
    void whoWaitsForLongKeepsItsPlaceWhileNobodyNeedsIt() {
        Place slow = waiting();
        pass(LONG);
        Place other = enter();
        assertThat(limit.inside()).isEqualTo(2);
        assertThat(slow.bodyIsHere()).isTrue();
        other.leave();
        slow.leave();
        assertThat(limit.inside()).isZero();
    }

    @Test
    void whoWaitsForLongMakesRoomAndComesBackWhenThereIsSome() {
        Place slow = waiting();
        Place busy = enter();
        pass(LONG);
        Place third = enter();
        assertThat(places.enter("jane")).isNull();
        assertThat(slow.bodyIsHere()).isFalse();
        busy.leave();
        assertThat(slow.bodyIsHere()).isTrue();
        assertThat(limit.inside()).isEqualTo(2);
        slow.leave();
        slow.leave();
        third.leave();
        assertThat(limit.inside()).isZero();
    }

    @Test
    void whoHasItsBodyIsNotPutOut() {
        Place slow = waiting();
        enter();
        pass(LONG);
        assertThat(slow.bodyIsHere()).isTrue();
        pass(LONG);
        assertThat(places.enter("jane")).isNull();
    }

    @Test
    void whoHasLeftMakesNoRoomASecondTime() {
        Place gone = waiting();
        enter();
        gone.leave();
        pass(LONG);
        enter();
        assertThat(places.enter("jane")).isNull();
        assertThat(gone.bodyIsHere()).isFalse();
        assertThat(limit.inside()).isEqualTo(2);
    }

    @Test
    void whoDoesNotReadForLongIsGivenUpForAnother() {
        AtomicInteger ended = new AtomicInteger();
        Place unread = enter();
        unread.answerIsAwaited(ended::incrementAndGet);
        Place read = enter();
        read.answerIsAwaited(() -> {
            throw new AssertionError("it was read");
        });
        read.answerIsRead();
        assertThat(places.enter("joe")).isNull();
        pass(LONG);
        assertThat(places.enter("joe")).isNotNull();
        assertThat(places.enter("joe")).isNull();
        assertThat(ended.get()).isEqualTo(1);
    }

    @Test
    void whileOthersAreRefusedNobodyTakesMoreThanAQuarter() {
        InFlightPlaces eight = new InFlightPlaces(new FairLimit(8), clock::get);
        List<Place> greedy = IntStream.range(0, 8)
                .mapToObj(i -> Objects.requireNonNull(eight.enter("jane")))
                .toList();
        assertThat(eight.enter("joe")).isNull();
        greedy.forEach(Place::leave);
        assertThat(eight.enter("jane")).isNotNull();
        assertThat(eight.enter("jane")).isNotNull();
        assertThat(eight.enter("jane")).isNull();
        assertThat(eight.enter("joe")).isNotNull();
    }

    @Test
    void neverMoreThanTheLimitAreInside() {
        FairLimit three = new FairLimit(3);
        InFlightPlaces contended = new InFlightPlaces(three, () -> clock.addAndGet(LONG.toNanos() / 4));
        AtomicInteger deciding = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger decided = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 20_000; i++) {
                threads.execute(() -> {
                    Place place = contended.enter("jane");
                    if (place == null) {
                        return;
                    }
                    if (ThreadLocalRandom.current().nextBoolean()) {
                        place.bodyIsAwaited();
                        Thread.onSpinWait();
                    }
                    if (place.bodyIsHere()) {
                        most.accumulateAndGet(deciding.incrementAndGet(), Math::max);
                        decided.incrementAndGet();
                        deciding.decrementAndGet();
                    }
                    place.leave();
                });
            }
        }
        assertThat(most.get()).isBetween(1, 3);
        assertThat(decided.get()).isGreaterThan(100);
        assertThat(three.inside()).isZero();
    }
}
