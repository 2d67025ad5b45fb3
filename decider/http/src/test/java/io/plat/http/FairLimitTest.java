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
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FairLimitTest {
    @ParameterizedTest(name = "{1} greedy users of {0} places get {2} each")
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
    void theGreedyShareWhatIsThereAndLeaveRoom(int places, int users, int most, boolean room) {
        FairLimit limit = new FairLimit(places);
        Map<String, Integer> got = new HashMap<>();
        for (int turn = 0; turn < places; turn++) {
            for (int user = 0; user < users; user++) {
                if (limit.tryEnter("greedy-" + user)) {
                    got.merge("greedy-" + user, 1, Integer::sum);
                }
            }
        }

        assertThat(got.values()).allSatisfy(count -> assertThat(count).isBetween(most - 1, most + 1));
        assertThat(limit.tryEnter("quiet")).isEqualTo(room);
    }

    @Test
    void whoIsRefusedComesInOnceSomebodyLeft() {
        FairLimit limit = new FairLimit(10);
        while (limit.tryEnter("greedy")) {
            assertThat(limit.inside()).isLessThanOrEqualTo(8);
        }
        assertThat(limit.tryEnter("quiet")).isTrue();
        limit.leave("greedy");
        limit.leave("greedy");

        assertThat(limit.tryEnter("greedy")).isTrue();
        assertThat(limit.inside()).isEqualTo(8);
    }

    @Test
    void withoutALimitEverybodyComesIn() {
        FairLimit limit = new FairLimit(0);
        for (int i = 0; i < 1000; i++) {
            assertThat(limit.tryEnter("greedy")).isTrue();
        }
        assertThat(limit.inside()).isEqualTo(1000);
        for (int i = 0; i < 1000; i++) {
            limit.leave("greedy");
        }
        assertThat(limit.inside()).isZero();
    }

    @Test
    void aNegativeLimitIsNone() {
        assertThatThrownBy(() -> new FairLimit(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Whatever came before, somebody who has nothing inside is let in as long as a place is free, and nobody is forgotten or kept. */
    @Property(tries = 300)
    void whoHasNothingInsideIsLetInWhileAPlaceIsFree(
            @ForAll @IntRange(min = 1, max = 40) int places,
            @ForAll @Size(max = 200) List<@IntRange(min = -5, max = 5) Integer> steps) {
        FairLimit limit = new FairLimit(places);
        Map<String, Deque<String>> inside = new HashMap<>();
        int count = 0;
        for (int step : steps) {
            String user = "u" + Math.abs(step);
            Deque<String> own = inside.computeIfAbsent(user, name -> new ArrayDeque<>());
            if (step < 0 && !own.isEmpty()) {
                limit.leave(own.pop());
                count--;
            } else if (limit.tryEnter(user)) {
                assertThat(count).isLessThan(places);
                own.push(user);
                count++;
            } else {
                assertThat(count == places || !own.isEmpty()).isTrue();
            }
            assertThat(limit.inside()).isEqualTo(count);
        }
        inside.values().forEach(own -> own.forEach(limit::leave));
        assertThat(limit.inside()).isZero();
        assertThat(limit.users()).isZero();
    }

    @Test
    void manyThreadsLoseNoPlace() throws Exception {
        FairLimit limit = new FairLimit(8);
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                running.add(threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < 20_000; i++) {
                        String user = "u" + ThreadLocalRandom.current().nextInt(3);
                        if (limit.tryEnter(user)) {
                            limit.leave(user);
                        }
                    }
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> one : running) {
                one.get();
            }
        }

        assertThat(limit.inside()).isZero();
        assertThat(limit.users()).isZero();
    }
}
