package io.plat.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.with;

import io.plat.process.BackgroundLoop.FaultPoint;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class BackgroundLoopTest {
    /** Applies as many changes as it was notified of. */
    private static final class Applied implements BackgroundLoop.Work {
        private final AtomicInteger changes = new AtomicInteger();
        private final AtomicInteger begun = new AtomicInteger();
        private volatile int applied;

        @Override
        public void begin() {
            begun.incrementAndGet();
            applied = 0;
        }

        @Override
        public Duration round() {
            applied = changes.get();
            return BackgroundLoop.UNTIL_SIGNAL;
        }
    }

    static Stream<Arguments> faults() {
        return Stream.of(FaultPoint.values())
                .flatMap(moment -> Stream.<Throwable>of(
                                new OutOfMemoryError("planted"),
                                new StackOverflowError("planted"),
                                new LinkageError("planted"),
                                new IllegalStateException("planted"),
                                new InterruptedException("planted"),
                                new IOException("planted"))
                        .map(thrown -> Arguments.of(moment, thrown)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void anyThrowableRestartsTheWorkFromACleanState(FaultPoint moment, Throwable thrown) {
        Applied work = new Applied();
        try (BackgroundLoop loop = BackgroundLoop.platform("test-faults", work).start()) {
            work.changes.set(1);
            loop.signal();
            with().pollInterval(Duration.ofMillis(2))
                    .await()
                    .until(() -> work.applied == 1 && loop.freshness().isCurrent());
            long before = BackgroundLoop.restarts("test-faults");

            loop.injectFault(moment, thrown);
            work.changes.set(2);
            loop.signal();

            with().pollInterval(Duration.ofMillis(2))
                    .await()
                    .until(() -> BackgroundLoop.restarts("test-faults") > before);
            with().pollInterval(Duration.ofMillis(2)).await().until(() -> work.applied == 2 && work.begun.get() >= 2);
            assertThat(loop.freshness().isCurrent()).isTrue();
        }
    }

    @Test
    void aComponentIsNotCurrentUntilItsWorkCompletesARound() {
        Freshness freshness = new Freshness("test", Duration.ofMillis(20));
        AtomicInteger failures = new AtomicInteger(5);
        Supplier<Boolean> fails = () -> failures.get() > 0;
        try (BackgroundLoop loop = BackgroundLoop.platform("test-freshness", freshness, () -> {
                    if (fails.get()) {
                        throw new IllegalStateException("planted");
                    }
                    return BackgroundLoop.UNTIL_SIGNAL;
                })
                .start()) {
            with().pollInterval(Duration.ofMillis(2)).await().until(() -> !freshness.isCurrent());
            failures.set(0);
            with().pollInterval(Duration.ofMillis(2)).await().until(freshness::isCurrent);
            assertThat(BackgroundLoop.restarts("test-freshness")).isPositive();
            assertThat(loop.name()).isEqualTo("test-freshness");
        }
    }

    @Test
    void aHangingRoundMakesTheComponentStale() throws InterruptedException {
        Freshness freshness = new Freshness("test", Duration.ofMillis(20));
        Object never = new Object();
        AtomicInteger rounds = new AtomicInteger();
        BackgroundLoop loop = BackgroundLoop.platform("test-hang", freshness, () -> {
                    synchronized (never) {
                        while (rounds.getAndIncrement() > 0) {
                            never.wait();
                        }
                    }
                    return BackgroundLoop.UNTIL_SIGNAL;
                })
                .start();
        // A signal before the first round would be part of it.
        with().pollInterval(Duration.ofMillis(2)).await().until(() -> rounds.get() > 0);
        loop.signal();
        with().pollInterval(Duration.ofMillis(2)).await().until(() -> !freshness.isCurrent());
        loop.close();
        assertThat(loop.join(Duration.ofSeconds(5))).isTrue();
    }

    @Test
    void aSignalDuringARoundCausesAnotherRound() {
        Applied work = new Applied();
        try (BackgroundLoop loop = BackgroundLoop.virtual("test-signals", work).start()) {
            for (int i = 1; i <= 10_000; i++) {
                work.changes.set(i);
                loop.signal();
            }
            with().pollInterval(Duration.ofMillis(2)).await().until(() -> work.applied == 10_000);
            assertThat(loop.freshness().isCurrent()).isTrue();
        }
    }
}
