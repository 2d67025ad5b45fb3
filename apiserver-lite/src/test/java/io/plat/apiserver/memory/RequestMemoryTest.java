package io.plat.apiserver.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.plat.apiserver.stored.StoredForm;
import io.plat.process.Waiting;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long computations take turns, and none is on a thread that is shared with other requests. */
class RequestMemoryTest {
    private static final int LARGE = 1 << 20;

    private static byte[] stored(int length) {
        return ("{\"metadata\":{\"name\":\"n\"},\"data\":{\"a\":\"" + "x".repeat(length) + "\"}}").getBytes(UTF_8);
    }

    /** I/O threads never run large computations, be it one or many small ones. */
    @ParameterizedTest
    @ValueSource(ints = {100, 2_000, LARGE})
    void sharedThreadHandsLargeRequestsOver(int size) throws StatusException {
        byte[] object = stored(size);
        int objects = size < LARGE ? 100 : 1;
        assertThat(RequestMemory.tryOnSharedThread(() -> {
                            for (int i = 0; i < objects; i++) {
                                StoredForm.decode(object, 0);
                            }
                            return "done";
                        })
                        == null)
                .isEqualTo((long) objects * size >= RequestMemory.LARGE);
    }

    /** Each of them computes for milliseconds, in small parts. All have begun, and have released a turn, when the other one begins. */
    @Test
    void manySmallComputationsOfAClientTakeTurnsWithOthers() throws InterruptedException {
        int requests = 50;
        var together = new CountDownLatch(requests);
        var toBegin = new AtomicInteger(requests);
        var completed = new AtomicInteger();
        var before = new AtomicInteger(requests);
        var all = new CountDownLatch(requests + 1);
        Runnable other = () -> computing(new CountDownLatch(0), "other", 5, () -> {}, () -> {
            before.set(completed.get());
            all.countDown();
        });
        for (int i = 0; i < requests; i++) {
            computing(
                    together,
                    "many",
                    300,
                    () -> {
                        if (toBegin.decrementAndGet() == 0) {
                            other.run();
                        }
                    },
                    () -> {
                        completed.incrementAndGet();
                        all.countDown();
                    });
        }
        all.await();
        assertThat(before.get()).isLessThan(requests / 2);
    }

    private static void computing(CountDownLatch start, String client, int parts, Runnable begun, Runnable completed) {
        byte[] stored = stored(40_000);
        Thread.ofPlatform()
                .start(() -> RequestMemory.serving(() -> client, () -> {
                    start.countDown();
                    try {
                        start.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    StoredForm.decode(stored, 0);
                    StoredForm.decode(stored, 0);
                    begun.run();
                    for (int i = 0; i < parts; i++) {
                        StoredForm.decode(stored, 0);
                    }
                    completed.run();
                }));
    }

    /** A client has as many slots as there are processors: all are free again, or the last requests would wait for ten seconds and fail. */
    @Test
    void slotsAreReleasedWithTheirRequests() {
        int requests = 10 * Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < requests; i++) {
            RequestMemory.serving(() -> "client", () -> RequestMemory.current().computes());
        }
        for (int i = 0; i < requests; i++) {
            RequestMemory.serving(() -> "client", () -> {
                RequestMemory.current().computes();
                RequestMemory.current().endTurn();
                StoredForm.decode(stored(100), 0);
            });
        }
    }

    /** An interrupted request does not wait for the slot that there is not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestsWithoutASlotAreRefusedUnlessTheyHaveHadAnEffect(boolean effect) {
        var taken = new RequestMemory.ComputeSlots(1);
        assertThat(taken.acquire("other", Duration.ofSeconds(10))).isTrue();
        RequestMemory.serving(() -> "client", taken, () -> {
            RequestMemory.current().pause();
            if (effect) {
                RequestMemory.current().endTurn();
            }
            Thread.currentThread().interrupt();
            Throwable refused = catchThrowable(() -> RequestMemory.current().compute(RequestMemory.LARGE));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(refused instanceof RequestLimitException).isNotEqualTo(effect);
            assertThat(refused == null).isEqualTo(effect);
            // An expression must not fail for lack of a slot: a policy may ignore its failure.
            Thread.currentThread().interrupt();
            assertThatCode(() -> RequestMemory.current().computes()).doesNotThrowAnyException();
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    /** Otherwise a slow decider would stop the writes of all users. */
    @Test
    void aRequestThatWaitsLeavesItsSlotAndTakesItAgain() {
        var slots = new RequestMemory.ComputeSlots(1);
        RequestMemory.serving(() -> "client", slots, () -> {
            RequestMemory.current().computes();
            try (Waiting _ = Waiting.begin();
                    Waiting _ = Waiting.begin()) {
                assertThat(slots.acquire("other", Duration.ZERO)).isTrue();
                slots.release("other");
            }
            assertThat(slots.acquire("other", Duration.ZERO)).isFalse();
        });
        RequestMemory.serving(() -> "client", slots, () -> {
            try (Waiting _ = Waiting.begin()) {
                assertThat(slots.acquire("other", Duration.ZERO)).isTrue();
            }
        });
    }

    @Test
    void largeWorkOutsideOfRequestsTakesNoSlot() {
        RequestMemory.current().compute(LARGE);
    }
}
