package io.plat.apiserver.garbage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.metadata.OwnerReference;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.AllTypes;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import java.lang.management.ManagementFactory;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OwnerLookupTest {
    private static final int REFERENCES = 1_000;

    private static long cpuNanos(Runnable work) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        work.run();
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    }

    /** A patch of one reference has all of them evaluated, which may name an owner with large metadata. */
    @Test
    void ownerIsReadOnceRegardlessOfTheNumberOfReferences() throws Exception {
        var lookup = new OwnerLookup(new AllTypes(ResourceCatalog.builtIn(), DynamicTypes.NONE));
        var owner = new Key("configmaps", "default", "owner");
        String annotations = IntStream.range(0, 40_000)
                .mapToObj(i -> "\"a" + i + "\":\"\"")
                .collect(Collectors.joining(",", "{", "}"));
        byte[] stored = ("{\"metadata\":{\"annotations\":" + annotations + ",\"name\":\"owner\",\"uid\":\"u\"}}")
                .getBytes(UTF_8);
        OwnerReference reference = OwnerReference.read(Json.object()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put("name", "owner")
                .put("uid", "other"));
        try (ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT))) {
            store.commit(Transaction.create(owner, stored));
            Snapshot snapshot = store.latest();
            var dependent = new Key("configmaps", "default", "dependent");
            Runnable states = () -> IntStream.range(0, REFERENCES)
                    .forEach(i -> assertThat(lookup.state(dependent, reference, snapshot))
                            .isEqualTo(OwnerLookup.State.ABSENT));
            states.run();
            long reads = cpuNanos(() -> IntStream.range(0, REFERENCES / 10)
                    .forEach(i -> GraphNode.read(snapshot.get(owner).orElseThrow())));
            assertThat(cpuNanos(states)).isLessThan(reads);
        }
    }
}
