package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FairLimitTest {
    @ParameterizedTest(name = "{1} greedy users of {0} permits get {2} each")
    @CsvSource({
        "400, 1, 320, true",
        "400, 2, 178, true",
        "400, 4, 94, true",
        "10, 1, 8, true",
        "10, 3, 3, true",
        "1, 1, 1, false",
        "2, 1, 1, true",
        "3, 5, 1, false"
    })
    void greedyClientsLeaveRoom(int places, int users, int most, boolean room) {
        FairLimit limit = new FairLimit(places);
        Map<String, Integer> got = new HashMap<>();
        for (int turn = 0; turn < places; turn++) {
            for (int user = 0; user < users; user++) {
                if (limit.tryAcquire("greedy-" + user)) {
                    got.merge("greedy-" + user, 1, Integer::sum);
                }
            }
        }

        assertThat(got.values()).allSatisfy(count -> assertThat(count).isBetween(most - 1, most + 1));
        assertThat(limit.tryAcquire("quiet")).isEqualTo(room);
    }

    @Test
    void aRefusedClientIsAdmittedAfterARelease() {
        FairLimit limit = new FairLimit(10);
        while (limit.tryAcquire("greedy")) {
            assertThat(limit.inUse()).isLessThanOrEqualTo(8);
        }
        assertThat(limit.tryAcquire("quiet")).isTrue();
        limit.release("greedy");
        limit.release("greedy");

        assertThat(limit.tryAcquire("greedy")).isTrue();
        assertThat(limit.inUse()).isEqualTo(8);
    }

    @Test
    void withoutALimitEveryClientIsAdmitted() {
        FairLimit limit = new FairLimit(0);
        for (int i = 0; i < 1000; i++) {
            assertThat(limit.tryAcquire("greedy")).isTrue();
        }
        assertThat(limit.inUse()).isEqualTo(1000);
        for (int i = 0; i < 1000; i++) {
            limit.release("greedy");
        }
        assertThat(limit.inUse()).isZero();
    }

    @Test
    void aNegativeLimitIsRefused() {
        assertThatThrownBy(() -> new FairLimit(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    /** After any sequence of requests, a client without a permit is admitted while one is free, and no client is forgotten or retained. */
    @Property(tries = 300)
    void aClientWithoutPermitsIsAdmittedWhileOneIsFree(
            @ForAll @IntRange(min = 1, max = 40) int places,
            @ForAll @Size(max = 200) List<@IntRange(min = -5, max = 5) Integer> steps) {
        FairLimit limit = new FairLimit(places);
        Map<String, Deque<String>> inside = new HashMap<>();
        int count = 0;
        for (int step : steps) {
            String user = "u" + Math.abs(step);
            Deque<String> own = inside.computeIfAbsent(user, name -> new ArrayDeque<>());
            if (step < 0 && !own.isEmpty()) {
                limit.release(own.pop());
                count--;
            } else if (limit.tryAcquire(user)) {
                assertThat(count).isLessThan(places);
                own.push(user);
                count++;
            } else {
                assertThat(count == places || !own.isEmpty()).isTrue();
            }
            assertThat(limit.inUse()).isEqualTo(count);
        }
        inside.values().forEach(own -> own.forEach(limit::release));
        assertThat(limit.inUse()).isZero();
        assertThat(limit.users()).isZero();
    }

    private static FairLimit.Share held(FairLimit limit, String client, long amount, List<String> withdrawn) {
        FairLimit.Share share = limit.share(client, () -> withdrawn.add(client));
        assertThat(share.grow(amount)).isTrue();
        return share;
    }

    @Test
    void aSingleClientMayHoldAllAndLosesTheOldestToOthers() {
        FairLimit limit = new FairLimit(8);
        List<String> withdrawn = new ArrayList<>();
        List<FairLimit.Share> alone = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            alone.add(held(limit, "alone", 1, withdrawn));
        }
        assertThat(limit.share("alone", () -> withdrawn.add("alone")).grow(1)).isFalse();
        assertThat(withdrawn).isEmpty();

        for (int i = 0; i < 4; i++) {
            held(limit, "other", 1, withdrawn);
        }
        assertThat(withdrawn).containsExactly("alone", "alone", "alone", "alone");
        assertThat(limit.share("other", () -> {}).grow(1)).isFalse();
        // What was withdrawn is over.
        assertThat(alone.get(3).grow(1)).isFalse();
        alone.get(3).release();
        assertThat(limit.inUse()).isEqualTo(8);
        alone.get(4).release();
        assertThat(limit.inUse()).isEqualTo(7);
    }

    @Test
    void idleSharesAreWithdrawnBeforeOlderOnes() {
        FairLimit limit = new FairLimit(4);
        List<Integer> withdrawn = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int share = i;
            assertThat(limit.share("alone", () -> withdrawn.add(share), () -> share == 2)
                            .grow(1))
                    .isTrue();
        }
        held(limit, "other", 1, new ArrayList<>());
        held(limit, "other", 1, new ArrayList<>());
        assertThat(withdrawn).containsExactly(2, 0);
    }

    @ParameterizedTest
    @CsvSource({"2", "3", "4", "7"})
    void noClientIsRefusedWhileAnotherHoldsMore(int clients) {
        FairLimit limit = new FairLimit(100);
        Map<FairLimit.Share, String> holders = new HashMap<>();
        for (int client = 0; client < clients; client++) {
            String name = "client-" + client;
            while (true) {
                Deque<FairLimit.Share> made = new ArrayDeque<>();
                made.add(limit.share(name, () -> holders.remove(made.element())));
                if (!made.element().grow(1)) {
                    break;
                }
                holders.put(made.element(), name);
            }
        }

        Map<String, Integer> counts = new HashMap<>();
        holders.values().forEach(name -> counts.merge(name, 1, Integer::sum));
        assertThat(counts).hasSize(clients);
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(100 / clients - 1, 100));
        assertThat(counts.get("client-" + (clients - 1))).isBetween(100 / clients - 1, 100 / clients + 1);
        assertThat(limit.inUse()).isEqualTo(100);
    }

    @Test
    void settledSharesAreReservedForARefusedClient() {
        AtomicLong clock = new AtomicLong();
        FairLimit limit = new FairLimit(8, clock::get);
        List<String> withdrawn = new ArrayList<>();
        FairLimit.Share first = held(limit, "greedy", 4, withdrawn);
        FairLimit.Share second = held(limit, "greedy", 4, withdrawn);
        first.settle();
        second.settle();
        FairLimit.Share waits = limit.share("waits", null);
        assertThat(waits.grow(2)).isFalse();

        first.release();
        FairLimit.Share more = limit.share("greedy", null);
        assertThat(more.grow(1)).isFalse();
        assertThat(waits.grow(2)).isTrue();
        clock.set(FairLimit.RESERVED_NANOS);
        assertThat(more.grow(1)).isTrue();
        assertThat(withdrawn).isEmpty();
        List.of(second, waits, more).forEach(FairLimit.Share::release);
        assertThat(limit.inUse()).isZero();
        assertThat(limit.users()).isZero();
    }

    @Test
    void concurrentUseLosesNoPermit() throws Exception {
        FairLimit limit = new FairLimit(8);
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                running.add(threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < 20_000; i++) {
                        String user = "u" + ThreadLocalRandom.current().nextInt(3);
                        if (limit.tryAcquire(user)) {
                            limit.release(user);
                        }
                        FairLimit.Share share = limit.share(user, () -> {});
                        share.grow(1 + i % 3);
                        if (i % 2 == 0) {
                            share.settle();
                        }
                        share.release();
                    }
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> one : running) {
                one.get();
            }
        }

        assertThat(limit.inUse()).isZero();
        assertThat(limit.users()).isZero();
    }

    @Test
    void sharesThatCannotBeWithdrawnLeaveRoomForAnotherClient() {
        FairLimit limit = FairLimit.leavingRoom(100);
        while (limit.share("greedy", null).grow(1)) {
            assertThat(limit.inUse()).isLessThanOrEqualTo(80);
        }
        assertThat(limit.inUse()).isEqualTo(80);
        assertThat(limit.share("other", null).grow(15)).isTrue();
        assertThat(limit.share("third", null).grow(5)).isTrue();
    }
}
