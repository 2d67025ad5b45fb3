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
    private final Set<String> leading = ConcurrentHashMap.newKeySet();
    private final List<RemoteElection> elections = new ArrayList<>();

    private RemoteElection start(String name) {
        var election = new RemoteElection(
                keys,
                () -> {
                    leading.add(name);
                    return List.of(() -> leading.remove(name));
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
        RemoteElection first = start("one");
        soon().until(() -> leading.contains("one"));
        start("two");
        soon().during(Duration.ofMillis(200)).until(() -> leading.equals(Set.of("one")));
        first.close();
        soon().until(() -> leading.equals(Set.of("two")));
    }

    @Test
    void leaderThatCannotRenewStops() {
        start("one");
        soon().until(() -> leading.contains("one"));
        keys.failing(true);
        soon().until(leading::isEmpty);
        keys.failing(false);
        keys.put(RemoteElection.LEADER, null);
        soon().until(() -> leading.contains("one"));
    }

    @Test
    void leaderWithoutALeaseStopsAtOnce() {
        start("one");
        soon().until(() -> leading.contains("one"));
        keys.leasesEnd(true);
        soon().until(leading::isEmpty);
        keys.leasesEnd(false);
        soon().until(() -> leading.contains("one"));
    }

    @Test
    void singleServerNeedsNoElection() throws Exception {
        try (ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT))) {
            AutoCloseable elected = store.elect(() -> {
                leading.add("alone");
                return List.of(() -> leading.remove("alone"));
            });
            assertThat(leading).containsExactly("alone");
            elected.close();
            assertThat(leading).isEmpty();
        }
    }
}
