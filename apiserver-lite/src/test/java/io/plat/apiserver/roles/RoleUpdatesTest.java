package io.plat.apiserver.roles;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.RbacIndex;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** The compiled roles follow the store. */
final class RoleUpdatesTest {
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    private static final String BINDINGS = "/apis/rbac.authorization.plat.io/v1alpha1/namespaces/default/rolebindings";

    /** Long enough for a machine that is busy with other tests. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(1));
    }

    private static Set<ObjectKey> keys(StoredRoles roles) {
        RbacPolicy policy = index(roles).policy();
        return Stream.<RbacObject>concat(policy.roles().stream(), policy.bindings().stream())
                .map(RbacObject::key)
                .collect(Collectors.toSet());
    }

    private static RbacIndex index(StoredRoles roles) {
        return Objects.requireNonNull(roles.current().latest());
    }

    private static String role(String name, String verb) {
        return "{\"metadata\":{\"name\":\"" + name
                + "\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"" + verb + "\"]}]}";
    }

    @Test
    void reportsExistingAndChangedObjects() throws StorageException {
        try (Api api = new Api()) {
            api.given(ROLES, role("before", "get"));
            try (StoredRoles roles = StoredRoles.follow(api.store)) {
                assertThat(roles.problem()).isEmpty();
                var before = new ObjectKey(RbacKind.CLUSTER_ROLE, "", "before");
                assertThat(keys(roles)).containsExactly(before);
                api.put(ROLES + "/before", role("before", "list"));
                Awaitility.await()
                        .until(() -> index(roles)
                                .policy()
                                .roles()
                                .getFirst()
                                .rules()
                                .getFirst()
                                .verbs()
                                .equals(List.of("list")));
                api.given(
                        BINDINGS,
                        "{\"metadata\":{\"name\":\"b\"},\"subjects\":[{\"kind\":\"User\",\"name\":\"alice\"}],"
                                + "\"roleRef\":{\"kind\":\"ClusterRole\",\"name\":\"before\"}}");
                var binding = new ObjectKey(RbacKind.ROLE_BINDING, "default", "b");
                await().until(() -> keys(roles).contains(binding));
                api.delete(ROLES + "/before");
                await().until(() -> !keys(roles).contains(before));
            }
        }
    }

    /** The index uses several times the memory of roles in the store, and counts towards the objects' limit. */
    @Test
    void indexMemoryIsCharged() throws StorageException {
        String subjects = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"kind\":\"User\",\"name\":\"u" + i + "\"}")
                .collect(Collectors.joining(","));
        String binding = "{\"metadata\":{\"name\":\"b\"},\"subjects\":[" + subjects
                + "],\"roleRef\":{\"kind\":\"ClusterRole\",\"name\":\"r\"}}";
        double derived = 250_000.0 / StoreOptions.keeping(HistoryPolicy.DEFAULT).maxObjectBytes();
        try (Api api = new Api()) {
            api.given(BINDINGS, binding);
            double stored = api.store.fullness();
            try (StoredRoles roles = StoredRoles.follow(api.store)) {
                assertThat(roles.problem()).isEmpty();
                assertThat(api.store.fullness()).isGreaterThan(stored + derived);
                api.put(BINDINGS + "/b", binding.replace("u999", "u998"));
                await().until(() -> Math.abs(api.store.fullness() - stored - derived) < derived);
                api.delete(BINDINGS + "/b");
                await().until(() -> api.store.fullness() < stored);
                api.given(BINDINGS, binding);
                await().until(() -> api.store.fullness() > stored + derived);
            }
        }
    }

    /** Labels take many times their text in memory, and a writer of a role may choose any number. */
    @Test
    void labelsAndSelectorsAreCharged() throws StorageException {
        String labels =
                IntStream.range(0, 2_000).mapToObj(i -> "\"l" + i + "\":\"\"").collect(Collectors.joining(","));
        String selectors = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"matchExpressions\":[{\"key\":\"l\",\"operator\":\"Exists\"}]}")
                .collect(Collectors.joining(","));
        double derived = 200_000.0 / StoreOptions.keeping(HistoryPolicy.DEFAULT).maxObjectBytes();
        try (Api api = new Api()) {
            api.given(ROLES, "{\"metadata\":{\"name\":\"r\"},\"rules\":[]}");
            try (StoredRoles roles = StoredRoles.follow(api.store)) {
                assertThat(roles.problem()).isEmpty();
                double before = api.store.fullness();
                api.given(ROLES, "{\"metadata\":{\"name\":\"a\",\"labels\":{" + labels + "}}}");
                await().until(() -> api.store.fullness() > before + derived);
                api.delete(ROLES + "/a");
                await().until(() -> api.store.fullness() <= before);
                api.given(
                        ROLES,
                        "{\"metadata\":{\"name\":\"a\"},\"aggregationRule\":{\"clusterRoleSelectors\":[" + selectors
                                + "]}}");
                await().until(() -> api.store.fullness() > before + derived);
            }
        }
    }

    /** Roles are compiled again if more changes were missed than are retained. */
    @Test
    void relistsAfterMissedChanges() throws StorageException {
        var store = EmbeddedStore.inMemory(StoreOptions.keeping(new HistoryPolicy.Changes(3)));
        try (Api api = new Api(store)) {
            try (StoredRoles roles = StoredRoles.follow(api.store)) {
                assertThat(roles.problem()).isEmpty();
                var gate = new CountDownLatch(1);
                roles.listen(() -> Uninterruptibles.awaitUninterruptibly(gate));
                for (int i = 0; i < 50; i++) {
                    api.given(ROLES, role("r" + i, "get"));
                }
                assertThat(index(roles).roles()).isLessThan(50);
                gate.countDown();
                await().until(() -> index(roles).roles() == 50);
            }
        }
    }
}
