package io.plat.apiserver.storage.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leader election: one process works, and another takes over if it stops, fails, or loses its lease. */
final class RemoteElectionTest {
    private static final RemoteElection.Intervals FAST =
            new RemoteElection.Intervals(Duration.ofSeconds(1), Duration.ofMillis(10));

    private final KeysInMemory keys = new KeysInMemory();
    private final Set<String> doing = ConcurrentHashMap.newKeySet();
    private final List<RemoteElection> elections = new ArrayList<>();

    private RemoteElection stand(String name) {
        var election = new RemoteElection(
                keys,
                () -> {
                    doing.add(name);
                    return List.of(() -> doing.remove(name));
                },
                FAST);
        elections.add(election);
        election.start();
        return election;
    }

    @AfterEach
    void close() {
        elections.forEach(RemoteElection::close);
    }

    private static ConditionFactory soon() {
        return Awaitility.await().atMost(Duration.ofSeconds(15)).pollInterval(Duration.ofMillis(5));
    }

    @Test
    void nextCandidateLeadsWhenTheLeaderStops() {
        RemoteElection first = stand("one");
        soon().until(() -> doing.contains("one"));
        stand("two");
        soon().during(Duration.ofMillis(200)).until(() -> doing.equals(Set.of("one")));
        first.close();
        soon().until(() -> doing.equals(Set.of("two")));
    }

    @Test
    void leaderThatCannotRenewStops() {
        stand("one");
        soon().until(() -> doing.contains("one"));
        keys.failing(true);
        soon().until(doing::isEmpty);
        keys.failing(false);
        keys.put(RemoteElection.LEADER, null);
        soon().until(() -> doing.contains("one"));
    }

    @Test
    void leaderWithoutALeaseStopsAtOnce() {
        stand("one");
        soon().until(() -> doing.contains("one"));
        keys.leasesEnd(true);
        soon().until(doing::isEmpty);
        keys.leasesEnd(false);
        soon().until(() -> doing.contains("one"));
    }

    @Test
    void singleServerNeedsNoElection() throws Exception {
        try (ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT))) {
            AutoCloseable elected = store.elect(() -> {
                doing.add("alone");
                return List.of(() -> doing.remove("alone"));
            });
            assertThat(doing).containsExactly("alone");
            elected.close();
            assertThat(doing).isEmpty();
        }
    }
}
