package io.plat.apiserver.roles;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.operations.Api;
import io.plat.apiserver.roles.RoleFollower.RoleListener;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Progress;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.process.Freshness;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** An authorizer that follows the store knows what is written to it. */
final class RoleFollowerTest {
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    private static final String BINDINGS = "/apis/rbac.authorization.plat.io/v1alpha1/namespaces/default/rolebindings";

    /** Keeps what it is told, as an authorizer would. */
    private static final class Listener implements RoleListener {
        final Map<ObjectKey, RbacObject> objects = new ConcurrentHashMap<>();
        final List<Integer> loads = new ArrayList<>();
        volatile CountDownLatch gate = new CountDownLatch(0);

        @Override
        public synchronized void replaced(RbacPolicy all) {
            objects.clear();
            all.roles().forEach(role -> objects.put(role.key(), role));
            all.bindings().forEach(binding -> objects.put(binding.key(), binding));
            loads.add(objects.size());
        }

        @Override
        public void changed(Collection<RbacObject> puts, Collection<ObjectKey> removals) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            puts.forEach(object -> objects.put(object.key(), object));
            removals.forEach(objects::remove);
        }

        synchronized int loads() {
            return loads.size();
        }
    }

    private static String role(String name, String verb) {
        return "{\"metadata\":{\"name\":\"" + name
                + "\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"" + verb + "\"]}]}";
    }

    @Test
    void knowsWhatIsThereAndWhatChanges() throws StorageException {
        try (Api api = new Api()) {
            api.given(ROLES, role("before", "get"));
            var listener = new Listener();
            try (RoleFollower follower =
                    RoleFollower.start(api.store, listener, new Progress(), new Freshness("roles", Freshness.BOUND))) {
                assertThat(follower).isNotNull();
                var before = new ObjectKey(RbacKind.CLUSTER_ROLE, "", "before");
                assertThat(listener.objects).containsOnlyKeys(before);
                api.put(ROLES + "/before", role("before", "list"));
                Awaitility.await()
                        .until(() -> listener.objects.get(before) instanceof RbacRole role
                                && role.rules().getFirst().verbs().equals(List.of("list")));
                api.given(
                        BINDINGS,
                        "{\"metadata\":{\"name\":\"b\"},\"subjects\":[{\"kind\":\"User\",\"name\":\"alice\"}],"
                                + "\"roleRef\":{\"kind\":\"ClusterRole\",\"name\":\"before\"}}");
                var binding = new ObjectKey(RbacKind.ROLE_BINDING, "default", "b");
                Awaitility.await().until(() -> listener.objects.containsKey(binding));
                api.delete(ROLES + "/before");
                Awaitility.await().until(() -> !listener.objects.containsKey(before));
                assertThat(listener.loads()).isEqualTo(1);
            }
        }
    }

    /** The index takes several times what roles take in the store: it is part of what the objects may take. */
    @Test
    void theMemoryOfTheIndexCounts() throws StorageException {
        String subjects = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"kind\":\"User\",\"name\":\"u" + i + "\"}")
                .collect(Collectors.joining(","));
        String binding = "{\"metadata\":{\"name\":\"b\"},\"subjects\":[" + subjects
                + "],\"roleRef\":{\"kind\":\"ClusterRole\",\"name\":\"r\"}}";
        double derived = 250_000.0 / StoreOptions.keeping(HistoryPolicy.DEFAULT).maxObjectBytes();
        try (Api api = new Api()) {
            api.given(BINDINGS, binding);
            double stored = api.store.fullness();
            try (RoleFollower follower = RoleFollower.start(
                    api.store, new Listener(), new Progress(), new Freshness("roles", Freshness.BOUND))) {
                assertThat(follower).isNotNull();
                assertThat(api.store.fullness()).isGreaterThan(stored + derived);
                api.put(BINDINGS + "/b", binding.replace("u999", "u998"));
                Awaitility.await().until(() -> Math.abs(api.store.fullness() - stored - derived) < derived);
                api.delete(BINDINGS + "/b");
                Awaitility.await().until(() -> api.store.fullness() < stored);
                api.given(BINDINGS, binding);
                Awaitility.await().until(() -> api.store.fullness() > stored + derived);
            }
        }
    }

    /** A listener that is held up while more changes than are kept go by is given everything anew. */
    @Test
    void beginsAgainWhenItMissedChanges() throws StorageException {
        var store = EmbeddedStore.inMemory(StoreOptions.keeping(new HistoryPolicy.Changes(3)));
        try (Api api = new Api(store)) {
            var listener = new Listener();
            try (RoleFollower follower =
                    RoleFollower.start(api.store, listener, new Progress(), new Freshness("roles", Freshness.BOUND))) {
                assertThat(follower).isNotNull();
                var gate = new CountDownLatch(1);
                listener.gate = gate;
                for (int i = 0; i < 50; i++) {
                    api.given(ROLES, role("r" + i, "get"));
                }
                gate.countDown();
                Awaitility.await().until(() -> listener.objects.size() == 50);
                assertThat(listener.loads()).isGreaterThan(1);
            }
        }
    }
}
