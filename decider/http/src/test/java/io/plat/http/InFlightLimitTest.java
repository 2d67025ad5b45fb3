package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.InFlightLimit.Permit;
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

class InFlightLimitTest {
    private static final Duration LONG = InFlightLimit.IDLE_TIMEOUT.plusMillis(1);

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10);
    private final FairLimit limit = new FairLimit(2);
    private final InFlightLimit places = new InFlightLimit(limit, clock::get);

    private Permit enter() {
        return Objects.requireNonNull(places.acquire("jane"));
    }

    private Permit waiting() {
        Permit permit = enter();
        permit.awaitBody();
        return permit;
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Test
    void shortWaitsKeepThePermit() {
        Permit slow = waiting();
        enter();
        pass(InFlightLimit.IDLE_TIMEOUT);
        assertThat(places.acquire("jane")).isNull();
        assertThat(slow.bodyArrived()).isTrue();
    }

    @Test
    void longWaitsKeepThePermitIfNobodyNeedsIt() {
        Permit slow = waiting();
        pass(LONG);
        Permit other = enter();
        assertThat(limit.inUse()).isEqualTo(2);
        assertThat(slow.bodyArrived()).isTrue();
        other.release();
        slow.release();
        assertThat(limit.inUse()).isZero();
    }

    @Test
    void longWaitsLoseThePermitAndReacquireIt() {
        Permit slow = waiting();
        Permit busy = enter();
        pass(LONG);
        Permit third = enter();
        assertThat(places.acquire("jane")).isNull();
        assertThat(slow.bodyArrived()).isFalse();
        busy.release();
        assertThat(slow.bodyArrived()).isTrue();
        assertThat(limit.inUse()).isEqualTo(2);
        slow.release();
        slow.release();
        third.release();
        assertThat(limit.inUse()).isZero();
    }

    @Test
    void requestsWithABodyKeepThePermit() {
        Permit slow = waiting();
        enter();
        pass(LONG);
        assertThat(slow.bodyArrived()).isTrue();
        pass(LONG);
        assertThat(places.acquire("jane")).isNull();
    }

    @Test
    void aReleasedPermitIsNotReleasedAgain() {
        Permit gone = waiting();
        enter();
        gone.release();
        pass(LONG);
        enter();
        assertThat(places.acquire("jane")).isNull();
        assertThat(gone.bodyArrived()).isFalse();
        assertThat(limit.inUse()).isEqualTo(2);
    }

    @Test
    void aClientThatDoesNotReadIsAborted() {
        AtomicInteger ended = new AtomicInteger();
        Permit unread = enter();
        unread.awaitClient(ended::incrementAndGet);
        Permit read = enter();
        read.awaitClient(() -> {
            throw new AssertionError("it was read");
        });
        read.clientHasRead();
        assertThat(places.acquire("joe")).isNull();
        pass(LONG);
        assertThat(places.acquire("joe")).isNotNull();
        assertThat(places.acquire("joe")).isNull();
        assertThat(ended.get()).isEqualTo(1);
    }

    @Test
    void noClientGrowsBeyondAQuarterWhileOthersAreRefused() {
        InFlightLimit eight = new InFlightLimit(new FairLimit(8), clock::get);
        List<Permit> greedy = IntStream.range(0, 8)
                .mapToObj(i -> Objects.requireNonNull(eight.acquire("jane")))
                .toList();
        assertThat(eight.acquire("joe")).isNull();
        greedy.forEach(Permit::release);
        assertThat(eight.acquire("jane")).isNotNull();
        assertThat(eight.acquire("jane")).isNotNull();
        assertThat(eight.acquire("jane")).isNull();
        assertThat(eight.acquire("joe")).isNotNull();
    }

    @Test
    void theLimitIsNeverExceeded() {
        FairLimit three = new FairLimit(3);
        InFlightLimit contended = new InFlightLimit(three, () -> clock.addAndGet(LONG.toNanos() / 4));
        AtomicInteger deciding = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger decided = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 20_000; i++) {
                threads.execute(() -> {
                    Permit permit = contended.acquire("jane");
                    if (permit == null) {
                        return;
                    }
                    if (ThreadLocalRandom.current().nextBoolean()) {
                        permit.awaitBody();
                        Thread.onSpinWait();
                    }
                    if (permit.bodyArrived()) {
                        most.accumulateAndGet(deciding.incrementAndGet(), Math::max);
                        decided.incrementAndGet();
                        deciding.decrementAndGet();
                    }
                    permit.release();
                });
            }
        }
        assertThat(most.get()).isBetween(1, 3);
        assertThat(decided.get()).isGreaterThan(100);
        assertThat(three.inUse()).isZero();
    }
}
