package io.plat.apiserver.storage.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Presence;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each process is present until its lease ends. */
final class RemotePresenceTest {
    private static final RemoteElection.Intervals FAST =
            new RemoteElection.Intervals(Duration.ofSeconds(1), Duration.ofMillis(10));

    private final KeysInMemory keys = new KeysInMemory();
    private final List<RemotePresence> all = new ArrayList<>();

    private RemotePresence one() {
        var presence = new RemotePresence(keys, FAST);
        all.add(presence);
        return presence;
    }

    private RemotePresence announced(String name) {
        RemotePresence presence = one();
        presence.announce(name);
        return presence;
    }

    @AfterEach
    void close() {
        all.forEach(RemotePresence::close);
    }

    private static ConditionFactory soon() {
        return Awaitility.await().atMost(Duration.ofSeconds(15)).pollInterval(Duration.ofMillis(5));
    }

    @Test
    void serversArePresentUntilTheyLeave() {
        RemotePresence watching = one();
        RemotePresence first = announced("10.0.0.1");
        announced("10.0.0.2");
        soon().until(() -> watching.present().equals(Set.of("10.0.0.1", "10.0.0.2")));
        first.close();
        first.close();
        soon().until(() -> watching.present().equals(Set.of("10.0.0.2")));
    }

    @Test
    void replacementWithTheSameNameStaysPresent() throws StorageException {
        RemotePresence first = announced("10.0.0.1");
        RemotePresence second = announced("10.0.0.1");
        RemotePresence watching = one();
        soon().until(() -> keyCount() == 2);
        first.close();
        soon().until(() -> keyCount() == 1);
        assertThat(watching.present()).containsExactly("10.0.0.1");
        second.close();
        soon().until(() -> watching.present().isEmpty());
    }

    private int keyCount() throws StorageException {
        return RemoteLoader.await(keys.list("", 500, 0)) instanceof RemoteKeys.ListResult.Found(RemoteKeys.Page page)
                ? page.values().size()
                : 0;
    }

    @Test
    void allPagesAreListed() {
        for (int i = 0; i < 120; i++) {
            announced("name-" + i);
        }
        RemotePresence watching = one();
        soon().until(() -> watching.present().size() == 120);
    }

    @Test
    void otherKeysAreIgnored() throws StorageException {
        keys.put("~/server", "before".getBytes(UTF_8));
        keys.put("~/servers0", "behind".getBytes(UTF_8));
        assertThat(one().present()).isEmpty();
    }

    @Test
    void lostLeaseIsReacquired() {
        RemotePresence watching = one();
        announced("10.0.0.1");
        soon().until(() -> !watching.present().isEmpty());
        keys.leasesEnd(true);
        soon().until(() -> !watching.present().isEmpty());
        keys.leasesEnd(false);
        soon().during(Duration.ofMillis(100)).until(() -> watching.present().equals(Set.of("10.0.0.1")));
    }

    @Test
    void nobodyIsReportedGoneDuringAnOutage() {
        RemotePresence watching = one();
        announced("10.0.0.1");
        soon().until(() -> !watching.present().isEmpty());
        keys.failing(true);
        assertThatThrownBy(watching::present).isInstanceOf(StorageException.class);
        keys.failing(false);
        soon().until(() -> watching.present().equals(Set.of("10.0.0.1")));
    }

    @Test
    void singleServerIsPresentOnceAnnounced() throws Exception {
        try (ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));
                Presence presence = store.presence()) {
            assertThat(presence.present()).isEmpty();
            presence.announce("10.0.0.1");
            assertThat(presence.present()).containsExactly("10.0.0.1");
        }
    }
}
