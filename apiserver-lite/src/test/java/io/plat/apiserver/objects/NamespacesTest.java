package io.plat.apiserver.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** Life cycle of namespaces: initial ones, their contents, deletion. */
final class NamespacesTest {
    private static final String ALL = "/api/v1/namespaces";

    private static void create(Api api, String name) {
        api.given(ALL, "{\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    private static void awaitGone(Api api, String name) {
        await(name).until(() -> api.get(ALL + "/" + name).code() == 404);
    }

    @Test
    void initialNamespacesHaveTheirServiceAccount() {
        try (Api api = new Api()) {
            for (String name : new String[] {"default", "kube-system", "kube-public", "kube-node-lease"}) {
                ObjectNode namespace = api.get(ALL + "/" + name).body();
                assertThat(namespace.path("status").path("phase").asText()).isEqualTo("Active");
                assertThat(namespace.at("/spec/finalizers")).hasToString("[\"kubernetes\"]");
                assertThat(namespace
                                .path("metadata")
                                .path("labels")
                                .path("kubernetes.io/metadata.name")
                                .asText())
                        .isEqualTo(name);
                assertThat(api.get(ALL + "/" + name + "/serviceaccounts/default")
                                .code())
                        .isEqualTo(200);
                if (name.equals("kube-node-lease")) {
                    continue;
                }
                Api.Answer refused = api.delete(ALL + "/" + name);
                assertThat(refused.code()).isEqualTo(403);
                assertThat(refused.message())
                        .isEqualTo("namespaces \"" + name + "\" is forbidden: this namespace may not be deleted");
            }
        }
    }

    @Test
    void newNamespaceHasItsServiceAccount() {
        try (Api api = new Api()) {
            create(api, "demo");
            assertThat(api.get(ALL + "/demo/serviceaccounts/default").code()).isEqualTo(200);
        }
    }

    @Test
    void deletedServiceAccountIsRecreated() {
        try (Api api = new Api()) {
            String account = ALL + "/default/serviceaccounts/default";
            String uid = api.get(account).metadata().path("uid").asText();
            assertThat(api.delete(account).code()).isEqualTo(200);
            await("the account").until(() -> api.get(account).code() == 200);
            assertThat(api.get(account).metadata().path("uid").asText()).isNotEqualTo(uid);
        }
    }

    /** An object with a finalizer that is deleted again, with background propagation, does not block its namespace any more. */
    @Test
    void deletionOfTheLastObjectFinishesTheNamespace() {
        try (Api api = new Api()) {
            create(api, "demo");
            String held = ALL + "/demo/configmaps/held";
            api.given(ALL + "/demo/configmaps", "{\"metadata\":{\"name\":\"held\",\"finalizers\":[\"orphan\"]}}");
            api.delete(ALL + "/demo");
            await("the deletion").until(() -> api.get(held).metadata().has("deletionTimestamp"));
            api.delete(held, new DeleteOptions(false, null, null, DeleteOptions.Propagation.BACKGROUND));
            awaitGone(api, "demo");
        }
    }

    /** Text about deletion in a namespace has no effect. */
    @Test
    void annotationsMentioningTerminationHaveNoEffect() {
        try (Api api = new Api()) {
            api.given(
                    ALL,
                    "{\"metadata\":{\"name\":\"demo\",\"annotations\":{\"note\":\"Terminating deletionTimestamp\"}}}");
            api.given(ALL + "/demo/configmaps", "{\"metadata\":{\"name\":\"m\"}}");
        }
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await().alias(what).atMost(Duration.ofMinutes(1));
    }

    @Test
    void clientCannotSetPhaseFinalizersOrNameLabel() {
        try (Api api = new Api()) {
            ObjectNode created = api.given(
                    ALL,
                    "{\"metadata\":{\"name\":\"demo\",\"labels\":{\"kubernetes.io/metadata.name\":\"other\"}},"
                            + "\"spec\":{\"finalizers\":[]},\"status\":{\"phase\":\"Terminating\"}}");
            assertThat(created.path("spec")).isEqualTo(Api.tree("{\"finalizers\":[\"kubernetes\"]}"));
            assertThat(created.path("status").path("phase").asText()).isEqualTo("Active");
            assertThat(created.path("metadata")
                            .path("labels")
                            .path("kubernetes.io/metadata.name")
                            .asText())
                    .isEqualTo("demo");
            ((ObjectNode) created.path("spec")).putArray("finalizers");
            assertThat(api.put(ALL + "/demo", created.toString()).body().path("spec"))
                    .isEqualTo(Api.tree("{\"finalizers\":[\"kubernetes\"]}"));
        }
    }

    @Test
    void deletedNamespaceDeletesItsContent() {
        try (Api api = new Api()) {
            create(api, "demo");
            create(api, "demo-2");
            for (int i = 0; i < 1200; i++) {
                api.given(ALL + "/demo/configmaps", "{\"metadata\":{\"name\":\"m" + i + "\"}}");
            }
            api.given(ALL + "/demo-2/configmaps", "{\"metadata\":{\"name\":\"stays\"}}");
            api.given("/apis/rbac.authorization.k8s.io/v1/namespaces/demo/roles", "{\"metadata\":{\"name\":\"r\"}}");
            Api.Answer started = api.delete(ALL + "/demo");
            assertThat(started.code()).isEqualTo(200);
            assertThat(started.body().path("status").path("phase").asText()).isEqualTo("Terminating");
            awaitGone(api, "demo");
            assertThat(api.get("/api/v1/configmaps").body().path("items")).hasSize(1);
            assertThat(api.get("/apis/rbac.authorization.k8s.io/v1/roles")
                            .body()
                            .path("items"))
                    .isEmpty();
            create(api, "demo");
            assertThat(api.get(ALL + "/demo/configmaps").body().path("items")).isEmpty();
        }
    }

    @Test
    void finalizerOfAnObjectBlocksItsNamespace() {
        try (Api api = new Api()) {
            create(api, "demo");
            String held = ALL + "/demo/configmaps/held";
            api.given(
                    ALL + "/demo/configmaps", "{\"metadata\":{\"name\":\"held\",\"finalizers\":[\"example.com/x\"]}}");
            api.delete(ALL + "/demo");
            await("").until(() -> api.get(held).metadata().has("deletionTimestamp"));
            assertThat(api.get(ALL + "/demo")
                            .body()
                            .path("status")
                            .path("phase")
                            .asText())
                    .isEqualTo("Terminating");
            await("the conditions name the remaining finalizers")
                    .until(() -> api.get(ALL + "/demo").body().path("status").has("conditions"));
            JsonNode conditions = api.get(ALL + "/demo").body().path("status").path("conditions");
            assertThat(conditions)
                    .extracting(condition -> condition.path("type").asText()
                            + " " + condition.path("status").asText()
                            + " " + condition.path("message").asText())
                    .contains(
                            "NamespaceDeletionContentFailure False All content successfully deleted, may be waiting on"
                                    + " finalization",
                            "NamespaceContentRemaining True Some resources are remaining: configmaps. has 1 resource"
                                    + " instances",
                            "NamespaceFinalizersRemaining True Some content in the namespace has finalizers remaining:"
                                    + " example.com/x in 1 resource instances");
            assertThat(api.delete(ALL + "/demo").code()).isEqualTo(200);
            api.put(held, "{\"metadata\":{\"name\":\"held\"}}");
            awaitGone(api, "demo");
        }
    }

    /** Otherwise the permission to delete a namespace would bypass all policies for its contents. */
    @Test
    void deniedDeletionOfAnObjectBlocksItsNamespace() {
        var kept = new AtomicBoolean(true);
        ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));
        var identities = new ObjectIdentity(Clock.systemUTC(), new Random(1));
        try (Api api = new Api(store, identities, Api.keeping("kept", kept::get))) {
            create(api, "demo");
            api.given(ALL + "/demo/configmaps", "{\"metadata\":{\"name\":\"kept\"}}");
            api.given(ALL + "/demo/configmaps", "{\"metadata\":{\"name\":\"other\"}}");
            api.delete(ALL + "/demo");
            await("the failure")
                    .until(() -> api.get(ALL + "/demo")
                            .body()
                            .toString()
                            .contains("Failed to delete all resource types, 1 remaining: configmaps \\\"kept\\\" is"
                                    + " forbidden: kept from"
                                    + " system:serviceaccount:kube-system:namespace-controller"));
            assertThat(api.get(ALL + "/demo/configmaps/kept").code()).isEqualTo(200);
            assertThat(api.get(ALL + "/demo/configmaps/other").code()).isEqualTo(404);
            kept.set(false);
            awaitGone(api, "demo");
        }
    }

    /** A namespace is read and watched by many clients: its size must not depend on its contents. */
    @Test
    void conditionsNameAFewOfManyFinalizers() {
        try (Api api = new Api()) {
            create(api, "demo");
            for (int i = 0; i < 30; i++) {
                api.given(
                        ALL + "/demo/configmaps",
                        "{\"metadata\":{\"name\":\"m" + i + "\",\"finalizers\":[\"example.com/x" + i + "\"]}}");
            }
            api.delete(ALL + "/demo");
            await("the conditions name the remaining finalizers")
                    .until(() -> api.get(ALL + "/demo").body().path("status").has("conditions"));
            assertThat(api.get(ALL + "/demo").body().toString())
                    .contains("example.com/x26 in 1 resource instances, ...")
                    .contains("configmaps. has 30 resource instances");
        }
    }

    @Test
    void finalizersOfTheNamespaceAreAwaited() {
        try (Api api = new Api()) {
            api.given(ALL, "{\"metadata\":{\"name\":\"demo\",\"finalizers\":[\"example.com/x\"]}}");
            api.delete(ALL + "/demo");
            Awaitility.await()
                    .until(() -> !api.get(ALL + "/demo").body().path("spec").has("finalizers"));
            assertThat(api.put(ALL + "/demo", "{\"metadata\":{\"name\":\"demo\"}}")
                            .code())
                    .isEqualTo(200);
            awaitGone(api, "demo");
        }
    }

    /** A namespace is deleted during creations in it: once it is gone, no object of it remains. */
    @Test
    void terminatingNamespaceAcceptsNoObjects() throws InterruptedException, StorageException {
        try (Api api = new Api()) {
            create(api, "demo");
            var refusals = new AtomicInteger();
            var threads = new ArrayList<Thread>();
            for (int t = 0; t < 4; t++) {
                int thread = t;
                threads.add(Thread.ofVirtual().start(() -> {
                    for (int i = 0; refusals.get() < 50; i++) {
                        Api.Answer answer = api.post(
                                ALL + "/demo/configmaps", "{\"metadata\":{\"name\":\"m" + thread + "-" + i + "\"}}");
                        if (answer.code() != 201) {
                            assertThat(answer.code()).isIn(403, 404);
                            refusals.incrementAndGet();
                        }
                    }
                }));
            }
            await("").until(() -> api.store.latest().count(KeyRange.of("configmaps", "demo")) > 100);
            api.delete(ALL + "/demo");
            awaitGone(api, "demo");
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(api.store.latest().count(KeyRange.of("configmaps", "demo")))
                    .isZero();
            assertThat(api.store.latest().count(KeyRange.of("serviceaccounts", "demo")))
                    .isZero();
        }
    }

    @Test
    void namespaceUpdateDoesNotFailCreations() {
        try (Api api = new Api()) {
            create(api, "demo");
            var done = new AtomicInteger();
            Thread labels = Thread.ofVirtual().start(() -> {
                for (int i = 0; done.get() == 0; i++) {
                    api.put(ALL + "/demo", "{\"metadata\":{\"name\":\"demo\",\"labels\":{\"n\":\"" + i + "\"}}}");
                }
            });
            for (int i = 0; i < 300; i++) {
                api.given(ALL + "/demo/configmaps", "{\"metadata\":{\"name\":\"m" + i + "\"}}");
            }
            done.set(1);
            assertThat(labels).isNotNull();
        }
    }

    /** A server that stopped after acknowledging a deletion leaves it to the next one. */
    @Test
    void restartedServerFinishesTheDeletion() throws StorageException {
        ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));
        Key key = new Key("namespaces", "", "demo");
        byte[] terminating =
                ("{\"metadata\":{\"name\":\"demo\",\"uid\":\"1\",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"},"
                                + "\"spec\":{\"finalizers\":[\"kubernetes\"]},\"status\":{\"phase\":\"Terminating\"}}")
                        .getBytes(UTF_8);
        store.commit(Transaction.create(key, terminating));
        store.commit(Transaction.create(
                new Key("configmaps", "demo", "left"), "{\"metadata\":{\"name\":\"left\"}}".getBytes(UTF_8)));
        byte[] active = new String(terminating, UTF_8)
                .replace("demo", "bare")
                .replace(",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"", "")
                .replace("Terminating", "Active")
                .getBytes(UTF_8);
        store.commit(Transaction.create(new Key("namespaces", "", "bare"), active));
        try (Api api = new Api(store)) {
            awaitGone(api, "demo");
            assertThat(store.latest().count(KeyRange.of("configmaps"))).isZero();
            assertThat(store.latest().get(new Key("serviceaccounts", "bare", "default")))
                    .map(Entry::key)
                    .isPresent();
        }
    }
}
