package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

final class WaitingThreadsTest {
    private final Collection<Thread> ran = new ConcurrentLinkedQueue<>();

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void noTaskWaitsForAThread() {
        int many = WaitingThreads.MAX_PLATFORM + 100;
        CountDownLatch all = new CountDownLatch(many);
        try (WaitingThreads threads = new WaitingThreads("asking")) {
            for (int i = 0; i < many; i++) {
                threads.execute(() -> {
                    ran.add(Thread.currentThread());
                    all.countDown();
                    waitFor(all);
                });
            }
            await().untilAsserted(() -> assertThat(all.getCount()).isZero());
        }
        assertThat(ran).hasSize(many);
        assertThat(ran.stream().filter(Thread::isVirtual)).hasSize(100);
        assertThat(ran)
                .filteredOn(thread -> !thread.isVirtual())
                .allMatch(Thread::isDaemon, "ends with the program")
                .extracting(Thread::getName)
                .contains("asking-0");
    }

    @Test
    void sequentialTasksReuseTheThread() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        try (WaitingThreads waiting = new WaitingThreads("asking")) {
            for (int i = 0; i < 20; i++) {
                CountDownLatch over = new CountDownLatch(1);
                waiting.execute(() -> {
                    threads.add(Thread.currentThread());
                    over.countDown();
                });
                waitFor(over);
                await().until(() -> threads.stream().allMatch(thread -> thread.getState() != Thread.State.RUNNABLE));
            }
        }
        assertThat(threads).hasSize(1);
    }

    @Test
    void theCallingThreadIsUsedUnlessManyAre() {
        int many = WaitingThreads.MAX_CALLING + 1;
        CountDownLatch all = new CountDownLatch(many + 1);
        Collection<Thread> callers = new ConcurrentLinkedQueue<>();
        try (WaitingThreads threads = new WaitingThreads("asking")) {
            Runnable task = () -> {
                ran.add(Thread.currentThread());
                all.countDown();
                waitFor(all);
            };
            threads.execute(task, false);
            for (int i = 0; i < many; i++) {
                callers.add(Thread.ofVirtual().start(() -> threads.execute(task, true)));
            }
            await().untilAsserted(() -> assertThat(all.getCount()).isZero());
            assertThat(ran).hasSize(many + 1);
            assertThat(ran.stream().filter(callers::contains)).hasSize(WaitingThreads.MAX_CALLING);
            await().untilAsserted(() -> assertThat(callers).noneMatch(Thread::isAlive));
            threads.execute(() -> ran.add(Thread.currentThread()), true);
            assertThat(ran).as("slots are released").contains(Thread.currentThread());
        }
    }

    @Test
    void closingInterruptsBlockedTasksAndRejectsOthers() {
        WaitingThreads threads = new WaitingThreads("asking");
        int many = WaitingThreads.MAX_PLATFORM + 1;
        CountDownLatch begun = new CountDownLatch(many);
        CountDownLatch interrupted = new CountDownLatch(many);
        for (int i = 0; i < many; i++) {
            threads.execute(() -> {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException expected) {
                    interrupted.countDown();
                }
            });
        }
        await().untilAsserted(() -> assertThat(begun.getCount()).isZero());
        threads.close();
        await().untilAsserted(() -> assertThat(interrupted.getCount()).isZero());
        assertThatThrownBy(() -> threads.execute(() -> ran.add(Thread.currentThread())))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(ran).isEmpty();
    }
}
