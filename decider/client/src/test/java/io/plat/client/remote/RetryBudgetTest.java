package io.plat.client.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class RetryBudgetTest {
    private final AtomicLong now = new AtomicLong();
    private final RetryBudget budget = new RetryBudget(now::get);

    private int spendAll() {
        int retries = 0;
        while (budget.tryAcquire()) {
            retries++;
        }
        return retries;
    }

    @Test
    void aFullBudgetCoversAllRequestsInFlight() {
        assertThat(spendAll()).isEqualTo((int) RetryBudget.MAX);
    }

    @Test
    void aShareOfTheRequestsMayBeRetried() {
        spendAll();
        for (int i = 0; i < 1000; i++) {
            budget.recordRequest();
        }
        assertThat(spendAll()).isBetween(199, 200);
    }

    @Test
    void fewRequestsHaveSomeRetriesPerSecond() {
        spendAll();
        now.addAndGet(Duration.ofSeconds(3).toNanos());
        assertThat(spendAll()).isEqualTo(30);
    }

    @Test
    void theSavedBudgetIsBounded() {
        now.addAndGet(Duration.ofDays(3).toNanos());
        budget.recordRequest();
        assertThat(spendAll()).isEqualTo((int) RetryBudget.MAX);
    }

    @Property
    void retriesNeverExceedTheBudget(@ForAll @Size(max = 2000) List<@IntRange(max = 3) Integer> steps) {
        AtomicLong clock = new AtomicLong();
        RetryBudget tested = new RetryBudget(clock::get);
        int requests = 0;
        int retried = 0;
        for (int step : steps) {
            switch (step) {
                case 0 -> {
                    tested.recordRequest();
                    requests++;
                }
                case 1 -> clock.addAndGet(Duration.ofMillis(7).toNanos());
                default -> retried += tested.tryAcquire() ? 1 : 0;
            }
            double earned = RetryBudget.MAX + RetryBudget.SHARE * requests + RetryBudget.PER_SECOND * clock.get() / 1e9;
            assertThat((double) retried).isLessThanOrEqualTo(earned + 1e-6);
        }
    }
}
