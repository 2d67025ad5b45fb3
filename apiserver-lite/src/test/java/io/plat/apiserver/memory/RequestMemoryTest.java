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
                        RequestMemory.current().inSlot(() -> {
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

    /** Each of them computes for milliseconds, in small parts. All have begun, and have released their turn, before the other one begins. */
    @Test
    void manySmallComputationsOfAClientTakeTurnsWithOthers() throws InterruptedException {
        int requests = 50;
        var completed = new AtomicInteger();
        var before = new AtomicInteger(requests);
        var begun = new CountDownLatch(requests);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            threads.add(computing("many", 100, begun::countDown, completed::incrementAndGet));
        }
        begun.await();
        threads.add(computing("other", 5, () -> {}, () -> before.set(completed.get())));
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(before.get()).isLessThan(requests / 2);
    }

    private static Thread computing(String client, int parts, Runnable begun, Runnable completed) {
        byte[] stored = stored(40_000);
        return Thread.startVirtualThread(() -> RequestMemory.serving(() -> client, () -> {
            StoredForm.decode(stored, 0);
            StoredForm.decode(stored, 0);
            begun.run();
            for (int i = 0; i < parts; i++) {
                StoredForm.decode(stored, 0);
            }
            completed.run();
        }));
    }

    @Test
    void failuresPropagateToTheCaller() {
        RequestMemory.serving(
                () -> "client",
                () -> assertThatThrownBy(() -> RequestMemory.current().inSlot(() -> {
                            RequestMemory.current().compute(LARGE);
                            throw new StatusException(StatusReason.CONFLICT, "changed in between");
                        }))
                        .isInstanceOf(StatusException.class)
                        .hasMessage("changed in between"));
    }

    @Test
    void largeWorkOutsideOfRequestsTakesNoSlot() {
        RequestMemory.current().compute(LARGE);
    }
}
