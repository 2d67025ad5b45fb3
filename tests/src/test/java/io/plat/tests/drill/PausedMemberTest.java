package io.plat.tests.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.etcd.RemoteProtocol;
import io.plat.apiserver.storage.etcd.RemoteSettings;
import io.plat.apiserver.storage.etcd.RemoteStore;
import io.plat.apiserver.storage.etcd.RequestObserver;
import io.plat.tests.process.Checkout;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A member of an etcd that hangs, while the others work. */
final class PausedMemberTest {
    private static final Key POD = new Key("pods", "a", "x");

    private static ObjectStore open(EtcdCluster cluster, int... members) throws IOException, StorageException {
        List<URI> servers = IntStream.of(members)
                .mapToObj(member -> URI.create("http://127.0.0.1:" + cluster.clientPort(member)))
                .toList();
        return RemoteStore.open(
                RemoteProtocol.find(Checkout.path("apiserver-lite/etcd/target"), "etcd3")
                        .open(new RemoteSettings(servers, "/registry", null), RequestObserver.NONE),
                StoreOptions.keeping(HistoryPolicy.DEFAULT),
                Map.of());
    }

    /** Another member answers within 1.5 s, and knows what the hanging one does not report: a revocation may be among it. */
    @Test
    void changesArriveThroughAnotherMember() throws IOException, StorageException {
        try (EtcdCluster cluster = EtcdCluster.start(3)) {
            int paused = cluster.follower();
            int next = (paused + 1) % 3;
            int last = (paused + 2) % 3;
            try (ObjectStore here = open(cluster, paused, next, last);
                    ObjectStore elsewhere = open(cluster, next, last, paused)) {
                here.latest();
                Signals.pause(cluster.pid(paused));
                long began = System.nanoTime();
                Outcome written = elsewhere.commit(Transaction.create(POD, "{}".getBytes(StandardCharsets.UTF_8)));
                assertThat(written).isInstanceOf(Outcome.Committed.class);
                assertThat(here.latest().get(POD)).isPresent();
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(4500));
                Signals.resume(cluster.pid(paused));
            }
        }
    }
}
