package io.plat.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class DeadlinesTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private final AtomicInteger ends = new AtomicInteger();

    @Test
    void overdueCallsAreAbortedOnce() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        try (Deadlines deadlines = new Deadlines(HostProgram.DEFAULT)) {
            long begin = System.nanoTime();
            try (Deadlines.Deadline deadline = deadlines.in(Duration.ofMillis(60), () -> {
                ends.incrementAndGet();
                ended.countDown();
            })) {
                assertThat(deadline.passed()).isFalse();
                assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
                assertThat(System.nanoTime() - begin)
                        .isGreaterThanOrEqualTo(Duration.ofMillis(60).toNanos());
                assertThat(deadline.passed()).isTrue();
            }
            passSomeTime(deadlines);
        }
        assertThat(ends).hasValue(1);
    }

    @Test
    void completedCallsAreNotAborted() throws InterruptedException {
        try (Deadlines deadlines = new Deadlines(HostProgram.DEFAULT)) {
            Deadlines.Deadline over = deadlines.in(Duration.ofMillis(30), ends::incrementAndGet);
            over.close();
            passSomeTime(deadlines);
            assertThat(over.passed()).isFalse();
        }
        assertThat(ends).hasValue(0);
    }

    @Test
    void eachCallHasItsOwnDeadline() {
        try (Deadlines deadlines = new Deadlines(HostProgram.DEFAULT)) {
            List<Deadlines.Deadline> all = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                all.add(deadlines.in(i % 2 == 0 ? Duration.ofMillis(i / 10) : LONG, ends::incrementAndGet));
            }
            await().untilAsserted(() -> assertThat(ends).hasValue(500));
            assertThat(all.stream().filter(Deadlines.Deadline::passed)).hasSize(500);
            all.forEach(Deadlines.Deadline::close);
        }
        assertThat(ends).hasValue(500);
    }

    /** Reports when a loop waits for a signal. */
    private static final class Sleeping implements HostProgram {
        private final CountDownLatch asleep = new CountDownLatch(1);

        @Override
        public Loop loop(String name, boolean mostlyWaits, Round round) {
            return DEFAULT.loop(name, mostlyWaits, () -> {
                Duration wait = round.perform();
                if (wait.equals(UNTIL_SIGNAL)) {
                    asleep.countDown();
                }
                return wait;
            });
        }

        @Override
        public Executor executor() {
            return DEFAULT.executor();
        }

        @Override
        public void log(System.Logger.Level level, String line) {
            DEFAULT.log(level, line);
        }
    }

    @Test
    void aSleepingThreadIsWoken() throws InterruptedException {
        Sleeping program = new Sleeping();
        try (Deadlines deadlines = new Deadlines(program)) {
            assertThat(program.asleep.await(20, TimeUnit.SECONDS)).isTrue();
            CountDownLatch ended = new CountDownLatch(1);
            long begin = System.nanoTime();
            try (Deadlines.Deadline deadline = deadlines.in(Duration.ofMillis(20), ended::countDown)) {
                assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
                assertThat(deadline.passed()).isTrue();
            }
            assertThat(System.nanoTime() - begin).isLessThan(LONG.toNanos());
        }
    }

    @Test
    void aFailedAbortDoesNotPreventOthers() throws InterruptedException {
        try (Deadlines deadlines = new Deadlines(HostProgram.DEFAULT);
                Deadlines.Deadline failing = deadlines.in(Duration.ZERO, () -> {
                    throw new IllegalStateException("its connection was closed");
                })) {
            passSomeTime(deadlines);
            assertThat(failing.passed()).isTrue();
        }
    }

    /** Waits until a later deadline has passed. */
    private static void passSomeTime(Deadlines deadlines) throws InterruptedException {
        CountDownLatch later = new CountDownLatch(1);
        try (Deadlines.Deadline deadline = deadlines.in(Duration.ofMillis(90), later::countDown)) {
            assertThat(later.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(deadline.passed()).isTrue();
        }
    }
}
