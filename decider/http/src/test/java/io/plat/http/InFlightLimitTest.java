package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InFlightLimitTest {
    @Test
    void whoCannotEnterLeavesRoomForOthers() {
        InFlightLimit limit = new InFlightLimit(2);
        assertThat(limit.tryEnter()).isTrue();
        assertThat(limit.tryEnter()).isTrue();
        assertThat(limit.tryEnter()).isFalse();
        assertThat(limit.tryEnter()).isFalse();
        limit.leave();
        assertThat(limit.tryEnter()).isTrue();
        assertThat(limit.inside()).isEqualTo(2);
    }

    @Test
    void zeroIsNoLimit() {
        InFlightLimit limit = new InFlightLimit(0);
        for (int i = 0; i < 1000; i++) {
            assertThat(limit.tryEnter()).isTrue();
        }
    }

    @Test
    void neverMoreThanTheLimitAreInside() {
        InFlightLimit limit = new InFlightLimit(3);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 20_000; i++) {
                threads.execute(() -> {
                    if (limit.tryEnter()) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        inside.decrementAndGet();
                        limit.leave();
                    }
                });
            }
        }
        assertThat(most.get()).isBetween(1, 3);
        assertThat(limit.inside()).isZero();
    }
}
