package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.storage.Key;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentionTest {
    private static final Key KEY = new Key("rolebindings.rbac.authorization.k8s.io", "a", "AaAa");

    private final Contention contention = new Contention();

    @ParameterizedTest
    @ValueSource(strings = {"AaAa", "BBBB"})
    void slowWriterOfTheSameQueueDelaysNobody(String name) throws Exception {
        Key other = new Key(KEY.resource(), KEY.namespace(), name);
        assertThat(other.hashCode()).isEqualTo(KEY.hashCode());
        CountDownLatch computing = new CountDownLatch(2);
        CompletableFuture<String> released =
                new CompletableFuture<String>().completeOnTimeout("late", 1, TimeUnit.MINUTES);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<String>> slow = threads.submit(() -> contention.resolve(other, () -> {
                computing.countDown();
                return computing.getCount() > 0 ? Optional.empty() : Optional.of(released.join());
            }));
            computing.await();
            try {
                Iterator<Optional<String>> attempts = List.of(
                                Optional.<String>empty(), Optional.<String>empty(), Optional.of("revoked"))
                        .iterator();
                Future<Optional<String>> quick = threads.submit(() -> contention.resolve(KEY, attempts::next));
                assertThat(quick.get(30, TimeUnit.SECONDS)).hasValue("revoked");
                assertThat(slow).isNotDone();
            } finally {
                released.complete("released");
            }
            assertThat(slow.get()).hasValue("released");
        }
    }

    @Test
    void attemptsAreLimited() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        assertThat(contention.resolve(KEY, () -> {
                    attempts.incrementAndGet();
                    return Optional.empty();
                }))
                .isEmpty();
        assertThat(attempts).hasValue(Contention.MAX_ATTEMPTS);
    }
}
