package io.plat.apiserver.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.stored.StoredForm;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Long computations run on platform threads, as virtual threads are not time-sliced. */
class RequestMemoryTest {
    private static final int LARGE = 1 << 20;

    private final List<Boolean> onVirtualThread = new ArrayList<>();

    private void serving(int bytes, RequestMemory.Work<String> rest) throws InterruptedException {
        Thread.startVirtualThread(() -> RequestMemory.serving(() -> "client", () -> {
                    try {
                        RequestMemory.current().inSlot(false, () -> {
                            onVirtualThread.add(Thread.currentThread().isVirtual());
                            RequestMemory.current().compute(bytes);
                            return rest.run();
                        });
                    } catch (StatusException refused) {
                        throw new IllegalStateException(refused);
                    }
                }))
                .join();
    }

    private static byte[] stored(int length) {
        return ("{\"metadata\":{\"name\":\"n\"},\"data\":{\"a\":\"" + "x".repeat(length) + "\"}}").getBytes(UTF_8);
    }

    @Test
    void smallRequestsRunInPlace() throws InterruptedException {
        serving(100, () -> "done");
        assertThat(onVirtualThread).containsExactly(true);
    }

    @Test
    void largeRequestsRestartOnAPlatformThread() throws InterruptedException {
        serving(LARGE, () -> "done");
        assertThat(onVirtualThread).containsExactly(true, false);
    }

    @Test
    void failedRequestsReleaseTheirSlot() throws InterruptedException {
        int requests = 10 * Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < requests; i++) {
            serving(LARGE, () -> {
                throw new RequestLimitException(Status.of(StatusReason.CONFLICT, "no"));
            });
        }
        assertThat(onVirtualThread).hasSize(2 * requests);
    }

    /** A small request may read large objects. */
    @Test
    void readingALargeStoredObjectTakesASlot() throws InterruptedException {
        serving(100, () -> StoredForm.decode(stored(LARGE), 0).toString());
        assertThat(onVirtualThread).containsExactly(true, false);
    }

    /** I/O threads never run large computations. */
    @Test
    void sharedThreadHandsLargeRequestsOver() throws StatusException {
        assertThat(RequestMemory.tryOnSharedThread(
                        () -> StoredForm.decode(stored(100), 0).toString()))
                .isNotNull();
        assertThat(RequestMemory.tryOnSharedThread(
                        () -> StoredForm.decode(stored(LARGE), 0).toString()))
                .isNull();
    }

    @Test
    void sharedThreadHandsManySmallComputationsOver() throws StatusException {
        assertThat(RequestMemory.tryOnSharedThread(() -> {
                    for (int i = 0; i < 100; i++) {
                        StoredForm.decode(stored(2_000), 0);
                    }
                    return "done";
                }))
                .isNull();
    }

    @Test
    void manySmallComputationsOfAReadingRequestTakeASlot() throws InterruptedException {
        Thread.startVirtualThread(() -> RequestMemory.serving(() -> "client", () -> {
                    try {
                        RequestMemory.current().inSlot(true, () -> {
                            onVirtualThread.add(Thread.currentThread().isVirtual());
                            for (int i = 0; i < 100; i++) {
                                StoredForm.decode(stored(2_000), 0);
                            }
                            return "done";
                        });
                    } catch (StatusException refused) {
                        throw new IllegalStateException(refused);
                    }
                }))
                .join();
        assertThat(onVirtualThread).containsExactly(true, false);
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
        Thread.startVirtualThread(() -> RequestMemory.serving(() -> client, () -> {
            start.countDown();
            try {
                start.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            try {
                RequestMemory.current().inTurns(() -> {
                    StoredForm.decode(stored, 0);
                    StoredForm.decode(stored, 0);
                    begun.run();
                    for (int i = 0; i < parts; i++) {
                        StoredForm.decode(stored, 0);
                    }
                    completed.run();
                    return true;
                });
            } catch (StatusException e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    @Test
    void failuresPropagateToTheCaller() {
        RequestMemory.serving(
                () -> "client",
                () -> assertThatThrownBy(() -> RequestMemory.current().inSlot(false, () -> {
                            RequestMemory.current().compute(LARGE);
                            throw new StatusException(StatusReason.CONFLICT, "changed meanwhile");
                        }))
                        .isInstanceOf(StatusException.class)
                        .hasMessage("changed meanwhile"));
    }

    @Test
    void largeWorkOutsideOfRequestsTakesNoSlot() {
        RequestMemory.current().compute(LARGE);
    }
}
