package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LargeBodiesTest {
    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        LargeBodies bodies = new LargeBodies(100);
        assertThat(bodies.take(60)).isTrue();
        assertThat(bodies.take(41)).isFalse();
        assertThat(bodies.take(40)).isTrue();
        bodies.giveBack(60);
        assertThat(bodies.take(60)).isTrue();
        assertThat(bodies.take(1)).isFalse();
    }

    @Test
    void neverMoreThanThereIsIsTaken() {
        LargeBodies bodies = new LargeBodies(10);
        AtomicLong taken = new AtomicLong();
        AtomicLong most = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 20_000; i++) {
                threads.execute(() -> {
                    if (bodies.take(3)) {
                        most.accumulateAndGet(taken.addAndGet(3), Math::max);
                        taken.addAndGet(-3);
                        bodies.giveBack(3);
                    }
                });
            }
        }
        assertThat(most.get()).isBetween(3L, 9L);
        assertThat(bodies.take(10)).isTrue();
    }
}
