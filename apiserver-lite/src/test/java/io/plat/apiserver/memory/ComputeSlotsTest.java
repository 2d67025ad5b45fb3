package io.plat.apiserver.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.apiserver.memory.RequestMemory.ComputeSlots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One client does not block computations of others, regardless of the number and duration of its requests. */
class ComputeSlotsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ComputeSlots slots = new ComputeSlots(3);
    private final ConcurrentLinkedQueue<String> admitted = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();

    private CountDownLatch waits(String client) {
        var entered = new CountDownLatch(1);
        Thread thread = Thread.ofVirtual().start(() -> {
            if (slots.acquire(client, LONG)) {
                admitted.add(client);
                entered.countDown();
            }
        });
        threads.add(thread);
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> thread.getState() != Thread.State.RUNNABLE);
        return entered;
    }

    private boolean enters(String client) {
        return slots.acquire(client, Duration.ofMillis(1));
    }

    private void fill() {
        for (String client : List.of("a", "a", "b")) {
            assertThat(enters(client)).isTrue();
        }
    }

    @Test
    void singleClientLeavesASlotToOthers() {
        assertThat(enters("a")).isTrue();
        assertThat(enters("a")).isTrue();
        assertThat(enters("a")).isFalse();
        assertThat(enters("b")).isTrue();
        assertThat(enters("c")).isFalse();
        slots.release("a");
        assertThat(enters("c")).isTrue();
    }

    @Test
    void clientsTakeTurns() throws InterruptedException {
        fill();
        for (int i = 0; i < 20; i++) {
            waits(i % 2 == 0 ? "a" : "b");
        }
        CountDownLatch other = waits("c");
        for (int i = 0; i < 2; i++) {
            slots.release(i % 2 == 0 ? "a" : "b");
        }
        slots.release("a");
        assertThat(other.await(5, TimeUnit.SECONDS)).isTrue();
        threads.forEach(Thread::interrupt);
    }

    @Test
    void cancelledWaiterTakesNoSlot() throws InterruptedException {
        fill();
        waits("c");
        threads.getFirst().interrupt();
        threads.getFirst().join();
        slots.release("a");
        slots.release("a");
        assertThat(enters("d") && enters("e")).isTrue();
        assertThat(admitted).isEmpty();
    }
}
