package io.plat.apiserver.roles;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.operations.ParsedObject;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.Subscription;
import io.plat.apiserver.type.Target;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoredRolesTest {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final ResourceCatalog catalog = ResourceCatalog.builtIn();
    private final Unfollowed store =
            new Unfollowed(EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT)));
    private final StoredRoles roles;
    private final ResourceOperations operations;
    private final Authorizer authorizer;

    /** A store that cannot be followed while {@code failing}. */
    private static final class Unfollowed extends DelegatingStore {
        private volatile boolean failing;

        Unfollowed(ObjectStore store) {
            super(store);
        }

        @Override
        public Watch watch(KeyRange range, long after, Runnable ready) {
            requireFollowed();
            Watch watch = super.watch(range, after, ready);
            return new Watch() {
                @Override
                public Batch poll(int limit) {
                    requireFollowed();
                    return watch.poll(limit);
                }

                @Override
                public void close() {
                    watch.close();
                }
            };
        }

        private void requireFollowed() {
            if (failing) {
                throw new IllegalStateException("failing");
            }
        }
    }

    StoredRolesTest() throws StorageException {
        roles = StoredRoles.follow(store);
        operations = ResourceOperations.start(
                roles.store(),
                catalog,
                DynamicTypes.NONE,
                new ObjectIdentity(InstantSource.system(), new Random(7)),
                ResourceOperations.Settings.DEFAULT);
        authorizer = new RbacAuthorizer(roles.current(), "");
    }

    @AfterEach
    void close() throws StorageException {
        operations.close();
        roles.close();
        store.close();
    }

    private Target target(String resource, String name) {
        return new Target(catalog.find(RBAC, "v1", resource).orElseThrow(), "", name);
    }

    private void create(String resource, String json) throws StatusException, IOException {
        operations.create(
                target(resource, ""),
                ParsedObject.of((ObjectNode) new JsonMapper().readTree(json)),
                WriteOptions.DEFAULT);
    }

    private void createReader() throws StatusException, IOException {
        create(
                "clusterroles",
                "{\"metadata\":{\"name\":\"reader\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],"
                        + "\"verbs\":[\"list\"]}]}");
    }

    private void bind(String user) throws StatusException, IOException {
        create(
                "clusterrolebindings",
                "{\"metadata\":{\"name\":\"" + user + "\"},\"subjects\":[{\"kind\":\"User\",\"name\":\"" + user
                        + "\"}],\"roleRef\":{\"apiGroup\":\"" + RBAC + "\",\"kind\":\"ClusterRole\","
                        + "\"name\":\"reader\"}}");
    }

    private Decision list(String user) {
        return authorizer.authorize(new Attributes(
                new UserInfo(user, List.of()), new ResourceAttributes("", "list", "", "v1", "pods", "", "")));
    }

    private boolean mayList(String user) {
        return list(user) instanceof Decision.Allow;
    }

    @Test
    void acknowledgedWriteTakesEffect() throws StatusException, IOException {
        createReader();
        for (int i = 0; i < 200; i++) {
            String user = "user-" + i;
            assertThat(mayList(user)).isFalse();
            bind(user);
            assertThat(mayList(user)).as("after the grant to %s", user).isTrue();
            operations.delete(target("clusterrolebindings", user), DeleteOptions.DEFAULT);
            assertThat(mayList(user))
                    .as("after the end of the grant to %s", user)
                    .isFalse();
        }
    }

    @Test
    void listenersAreNotifiedUntilUnsubscribed() throws StatusException, IOException {
        var former = new AtomicInteger();
        var present = new AtomicInteger();
        Subscription first = roles.listen(former::incrementAndGet);
        createReader();
        await().until(() -> former.get() > 0);
        first.close();
        Subscription second = roles.listen(present::incrementAndGet);
        bind("alice");
        await().until(() -> present.get() > 0);
        int notified = former.get();
        int before = present.get();
        bind("bob");
        await().until(() -> present.get() > before);
        assertThat(former).hasValue(notified);
        second.close();
    }

    @Test
    void writeWithoutEffectIsNotAcknowledgedAndDecisionsFail() throws StatusException, IOException {
        createReader();
        store.failing = true;
        assertThatThrownBy(() -> bind("alice")).hasMessageContaining("the change is stored, but not in effect yet");
        assertThat(list("alice"))
                .isEqualTo(new Decision.Undecided(
                        Decision.Cause.NOT_LOADED, "authorization data is not current (component=roles)"));
        assertThat(roles.problem()).contains("component=roles");
        store.failing = false;
        await().until(() -> mayList("alice"));
        assertThat(roles.problem()).isEmpty();
    }

    /** Nothing follows the objects of a custom type in such a group. */
    @Test
    void aTypeInAGroupBelowThatOfRolesIsNotWaitedFor() throws StorageException {
        assertThat(roles.store()
                        .commit(Transaction.create(new Key("things.x." + RBAC, "a", "b"), "{}".getBytes(UTF_8))))
                .isInstanceOf(Outcome.Committed.class);
    }

    @Test
    void refusedWriteIsNotAwaited() throws StatusException, IOException {
        createReader();
        assertThatThrownBy(this::createReader)
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(409));
    }

    @Test
    void existingStoreDecidesFromTheStart() throws StatusException, IOException, StorageException {
        createReader();
        bind("alice");
        try (StoredRoles later = StoredRoles.follow(store)) {
            Authorizer again = new RbacAuthorizer(later.current(), "");
            assertThat(again.authorize(new Attributes(
                            new UserInfo("alice", List.of()),
                            new ResourceAttributes("", "list", "", "v1", "pods", "", ""))))
                    .isInstanceOf(Decision.Allow.class);
        }
    }
}
