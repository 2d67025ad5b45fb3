package io.plat.apiserver.garbage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.metadata.OwnerReference;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.operations.ObjectBody;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.DeleteOptions.Propagation;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Subscription;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Owners and dependents on a real store: all kinds of deletions and references, and restarts. */
final class GarbageCollectorTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int OWNERS_IN_A_ROW = Boolean.getBoolean("plat.full") ? 20 : 6;

    private final ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));
    private final ResourceCatalog catalog = ResourceCatalog.builtIn();
    private final ResourceOperations operations = operations();
    private GarbageCollector collector = GarbageCollector.start(store, operations, catalog, DynamicTypes.NONE);

    /** Long enough for a machine that is busy with other tests. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(1));
    }

    private ResourceOperations operations() {
        try {
            return ResourceOperations.start(
                    store,
                    catalog,
                    DynamicTypes.NONE,
                    new ObjectIdentity(Clock.systemUTC(), new Random(1)),
                    ResourceOperations.Settings.DEFAULT);
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The work moves between servers: a former collector must not be notified of types forever. */
    @Test
    void stoppedCollectorIsNotNotifiedOfTypes() {
        var listening = new AtomicInteger();
        DynamicTypes additional = new DynamicTypes() {
            @Override
            public State now() {
                return State.NONE;
            }

            @Override
            public Subscription listen(Runnable listener) {
                listening.incrementAndGet();
                return listening::decrementAndGet;
            }
        };
        for (int i = 0; i < 3; i++) {
            GarbageCollector next = GarbageCollector.start(store, operations, catalog, additional);
            assertThat(listening).hasValue(1);
            next.close();
        }
        assertThat(listening).hasValue(0);
    }

    /** The graph uses several times the memory of references in the store, and counts towards the objects' limit. */
    @Test
    void referencesCountTheMemoryOfTheGraph() throws Exception {
        String references = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"apiVersion\":\"x/v1\",\"kind\":\"K\",\"name\":\"n\",\"uid\":\"" + i + "\"}")
                .collect(Collectors.joining(",", ",\"ownerReferences\":[", "]"));
        double before = store.fullness();
        map("owned", references);
        double byReferences =
                500_000.0 / StoreOptions.keeping(HistoryPolicy.DEFAULT).maxObjectBytes();
        await().until(() -> store.fullness() > before + byReferences);
        operations.delete(target("configmaps", "default", "owned"), DeleteOptions.DEFAULT);
        await().until(() -> store.fullness() < before + byReferences / 10);
        map("owned", references);
        await().until(() -> store.fullness() > before + byReferences);
        collector.close();
        assertThat(store.fullness()).isLessThan(before + byReferences);
    }

    @BeforeEach
    void makeAnotherNamespace() throws Exception {
        create("namespaces", "", "other", "");
    }

    @AfterEach
    void close() throws StorageException {
        collector.close();
        operations.close();
        store.close();
    }

    private Target target(String resource, String namespace, String name) {
        ResourceType type = catalog.types().stream()
                .filter(candidate -> candidate.storage().equals(resource))
                .findFirst()
                .orElseThrow();
        return new Target(type, namespace, name);
    }

    /** Creates an object and returns its uid. */
    private String create(String resource, String namespace, String name, String metadata) throws Exception {
        Target target = target(resource, namespace, "");
        String body = "{\"metadata\":{\"name\":\"" + name + "\"" + metadata + "}}";
        return JSON.readTree(operations
                        .create(target, ObjectBody.json(target.type(), body.getBytes(UTF_8)), WriteOptions.DEFAULT)
                        .object()
                        .json())
                .path("metadata")
                .path("uid")
                .asText();
    }

    private String map(String name, String metadata) throws Exception {
        return create("configmaps", "default", name, metadata);
    }

    private static String ownedBy(String... owners) {
        return ",\"ownerReferences\":[" + String.join(",", owners) + "]";
    }

    private static String owner(String apiVersion, String kind, String name, String uid) {
        return "{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"" + kind + "\",\"name\":\"" + name + "\",\"uid\":\""
                + uid + "\",\"blockOwnerDeletion\":true}";
    }

    private static String map(String name, String uid, boolean blocks) {
        return owner("v1", "ConfigMap", name, uid).replace("true}", blocks + "}");
    }

    private void delete(String name, Propagation propagation) throws StatusException {
        operations.delete(target("configmaps", "default", name), new DeleteOptions(false, null, null, propagation));
    }

    private JsonNode metadata(String resource, String namespace, String name) throws IOException {
        try {
            return JSON.readTree(operations
                            .get(target(resource, namespace, name), "")
                            .object()
                            .json())
                    .path("metadata");
        } catch (StatusException e) {
            assertThat(e.status().code()).isEqualTo(404);
            return JSON.createObjectNode();
        }
    }

    private JsonNode metadata(String name) throws IOException {
        return metadata("configmaps", "default", name);
    }

    private void awaitGone(String... names) {
        for (String name : names) {
            await().alias(name).until(() -> metadata(name).isEmpty());
        }
    }

    private void removeFinalizers(String name) throws StatusException {
        operations.patch(
                target("configmaps", "default", name),
                null,
                PatchFormat.MERGE,
                "{\"metadata\":{\"finalizers\":null}}".getBytes(UTF_8),
                WriteOptions.DEFAULT);
    }

    /** Returns once all previous writes were processed: objects are processed in the order of their changes. */
    private void awaitProcessed() throws Exception {
        create("secrets", "default", "marker", ownedBy(owner("v1", "ConfigMap", "nobody", "u")));
        await().until(() -> metadata("secrets", "default", "marker").isEmpty());
    }

    @Test
    void backgroundDeletionDeletesDependents() throws Exception {
        String root = map("root", "");
        String child = map("child", ownedBy(map("root", root, false)));
        map("grandchild", ownedBy(map("child", child, true)));
        map("stranger", "");
        delete("root", Propagation.BACKGROUND);
        assertThat(metadata("root").isEmpty()).isTrue();
        awaitGone("child", "grandchild");
        assertThat(metadata("stranger").isEmpty()).isFalse();
    }

    @Test
    void foregroundDeletionDeletesTheOwnerLast() throws Exception {
        String root = map("root", "");
        String child = map("child", ownedBy(map("root", root, true)));
        map("grandchild", ownedBy(map("child", child, true)) + ",\"finalizers\":[\"example.com/hold\"]");
        delete("root", Propagation.FOREGROUND);
        await().until(() -> metadata("grandchild").has("deletionTimestamp"));
        assertThat(metadata("child").path("finalizers").toString()).isEqualTo("[\"foregroundDeletion\"]");
        assertThat(metadata("root").path("finalizers").toString()).isEqualTo("[\"foregroundDeletion\"]");
        removeFinalizers("grandchild");
        awaitGone("grandchild", "child", "root");
    }

    @Test
    void nonBlockingDependentsDoNotDelayTheOwner() throws Exception {
        String root = map("root", "");
        map("child", ownedBy(map("root", root, false)) + ",\"finalizers\":[\"example.com/hold\"]");
        delete("root", Propagation.FOREGROUND);
        awaitGone("root");
        await().until(() -> metadata("child").has("deletionTimestamp"));
    }

    /** Authorization covers the owner named by a reference, not just its uid, which many clients can read. */
    @ParameterizedTest(name = "{0} {1} {2} in {3}, {4}")
    @CsvSource({
        "v1, ConfigMap, root, other, FOREGROUND",
        "v1, ConfigMap, root, other, ORPHAN",
        "v1, ConfigMap, another, default, FOREGROUND",
        "v1, Secret, root, default, FOREGROUND",
        "v1, Secret, root, default, ORPHAN",
        "example.com/v1, Widget, root, default, FOREGROUND",
        "example.com/v1, Widget, root, default, ORPHAN",
        "rbac.authorization.k8s.io/v1, ClusterRole, root, default, FOREGROUND"
    })
    void referenceInAnotherScopeDoesNotBlockTheOwner(
            String apiVersion, String kind, String name, String namespace, Propagation propagation) throws Exception {
        String uid = map("root", "");
        String reference = ownedBy(owner(apiVersion, kind, name, uid));
        create("configmaps", namespace, "child", reference + ",\"finalizers\":[\"example.com/hold\"]");
        awaitProcessed();
        delete("root", propagation);
        awaitGone("root");
    }

    /** Rules of custom types bind clients, not the collector. */
    @Test
    void invalidDependentDoesNotBlockItsOwner() throws Exception {
        String uid = map("root", "");
        String stored = "{\"metadata\":{\"name\":\"child\",\"namespace\":\"default\",\"uid\":\"1\""
                + ownedBy(map("root", uid, false)) + "},\"spec\":{\"ports\":[{\"port\":-1}],\"type\":\"No\"}}";
        store.commit(Transaction.create(new Key("services", "default", "child"), stored.getBytes(UTF_8)));
        delete("root", Propagation.ORPHAN);
        awaitGone("root");
        assertThat(metadata("services", "default", "child").has("ownerReferences"))
                .isFalse();
    }

    /** A policy may be deleted without any other change of the object. */
    @Test
    void refusedDeletionIsRetried() throws Exception {
        var kept = new AtomicBoolean(true);
        collector.close();
        try (Api api =
                new Api(store, new ObjectIdentity(Clock.systemUTC(), new Random(2)), Api.keeping("child", kept::get))) {
            collector =
                    GarbageCollector.start(store, api.operations, catalog, DynamicTypes.NONE, Duration.ofMillis(10));
            map("child", ownedBy(owner("v1", "ConfigMap", "nobody", "u")));
            awaitProcessed();
            assertThat(metadata("child").isEmpty()).isFalse();
            kept.set(false);
            awaitGone("child");
        }
    }

    @Test
    void orphansStayWithoutTheirOwnerReference() throws Exception {
        String root = map("root", "");
        String other = map("other", "");
        map("child", ownedBy(map("root", root, true)));
        map("shared", ownedBy(map("other", other, true), map("root", root, true)));
        delete("root", Propagation.ORPHAN);
        awaitGone("root");
        assertThat(metadata("child").has("ownerReferences")).isFalse();
        assertThat(metadata("shared").path("ownerReferences")).hasSize(1);
        assertThat(metadata("shared")
                        .path("ownerReferences")
                        .path(0)
                        .path("name")
                        .asText())
                .isEqualTo("other");
        awaitProcessed();
        assertThat(metadata("child").isEmpty()).isFalse();
    }

    @Test
    void dependentWithAnotherOwnerOnlyLosesTheReference() throws Exception {
        String one = map("one", "");
        String two = map("two", "");
        map("child", ownedBy(map("one", one, true), map("two", two, true)));
        delete("one", Propagation.BACKGROUND);
        await().until(() -> metadata("child").path("ownerReferences").size() == 1);
        delete("two", Propagation.BACKGROUND);
        awaitGone("child");
    }

    /** The owner exists as a config map {@code root} in {@code default}, and as a cluster role {@code root}. */
    @ParameterizedTest(name = "an owner {0} {1} {2}, of {4}/{5}: collected {6}")
    @CsvSource(delimiter = '|', textBlock = """
        v1                              | ConfigMap   | root    | its-uid | configmaps   | default | false
        v1                              | ConfigMap   | nobody  | its-uid | configmaps   | default | true
        v1                              | ConfigMap   | root    | another | configmaps   | default | true
        v1                              | ConfigMap   | root    | its-uid | configmaps   | other   | true
        v1                              | ConfigMap   | no/body | its-uid | configmaps   | default | true
        v1                              | Secret      | root    | its-uid | configmaps   | default | true
        rbac.authorization.k8s.io/v1    | ClusterRole | root    | role    | configmaps   | other   | false
        rbac.authorization.plat.io/v1alpha1 | ClusterRole | root | role   | configmaps   | other   | false
        rbac.authorization.k8s.io/v1    | ClusterRole | nobody  | role    | configmaps   | other   | true
        rbac.authorization.k8s.io/v1    | ClusterRole | nobody  | role    | clusterroles.rbac.authorization.k8s.io | `` | true
        rbac.authorization.k8s.io/v9    | ClusterRole | nobody  | role    | configmaps   | other   | false
        example.com/v1                  | Widget      | root    | its-uid | configmaps   | default | false
        authorization.k8s.io/v1         | SubjectAccessReview | root | x  | configmaps   | default | false
        v1                              | ConfigMap   | nobody  | its-uid | clusterroles.rbac.authorization.k8s.io | `` | false
        """, quoteCharacter = '`')
    void onlyAbsentOwnersCauseDeletion(
            String apiVersion,
            String kind,
            String name,
            String uid,
            String resource,
            String namespace,
            boolean collected)
            throws Exception {
        String its = map("root", "");
        String role = create("clusterroles.rbac.authorization.k8s.io", "", "root", "");
        String actual = uid.equals("its-uid") ? its : uid.equals("role") ? role : uid;
        create(resource, namespace, "child", ownedBy(owner(apiVersion, kind, name, actual)));
        if (collected) {
            await().until(() -> metadata(resource, namespace, "child").isEmpty());
        } else {
            awaitProcessed();
            assertThat(metadata(resource, namespace, "child").isEmpty()).isFalse();
        }
    }

    @Test
    void dependentsOfAClusterScopedOwnerAreCollected() throws Exception {
        String uid = create("clusterroles.rbac.authorization.k8s.io", "", "root", "");
        String reference = ownedBy(owner("rbac.authorization.k8s.io/v1", "ClusterRole", "root", uid));
        map("child", reference);
        create("secrets", "other", "child", reference);
        operations.delete(target("clusterroles.rbac.authorization.k8s.io", "", "root"), DeleteOptions.DEFAULT);
        awaitGone("child");
        await().until(() -> metadata("secrets", "other", "child").isEmpty());
    }

    @Test
    void referenceAddedLaterCounts() throws Exception {
        map("child", "");
        operations.patch(
                target("configmaps", "default", "child"),
                null,
                PatchFormat.MERGE,
                ("{\"metadata\":{"
                                + ownedBy(owner("v1", "ConfigMap", "nobody", "u"))
                                        .substring(1) + "}}")
                        .getBytes(UTF_8),
                WriteOptions.DEFAULT);
        awaitGone("child");
    }

    /** They would block each other forever. */
    @Test
    void cycleIsBroken() throws Exception {
        String one = map("one", "");
        closeCircle(one);
        delete("one", Propagation.FOREGROUND);
        awaitGone("one", "two");
    }

    private void closeCircle(String one) throws Exception {
        String two = map("two", ownedBy(map("one", one, true)));
        operations.patch(
                target("configmaps", "default", "one"),
                null,
                PatchFormat.MERGE,
                ("{\"metadata\":{" + ownedBy(map("two", two, true)).substring(1) + "}}").getBytes(UTF_8),
                WriteOptions.DEFAULT);
    }

    /** The store is ahead of the collector: the deletion of one has begun when two is processed. */
    @Test
    void cycleIsBrokenInAnyOrder() throws Exception {
        var held = new AtomicBoolean();
        var reads = new Semaphore(0);
        var resumed = new Semaphore(0);
        ObjectStore slow = (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, arguments) -> {
                    boolean collects = Thread.currentThread().getName().equals("garbage");
                    if (collects && method.getName().equals("latest") && held.get()) {
                        reads.release();
                        resumed.acquire();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        collector.close();
        collector = GarbageCollector.start(slow, operations, catalog, DynamicTypes.NONE);
        String other = map("other", "");
        map("its", ownedBy(map("other", other, true)));
        delete("other", Propagation.BACKGROUND);
        awaitGone("its");

        String owner = map("owner", "");
        held.set(true);
        map("owned", ownedBy(map("owner", owner, true)));
        assertThat(reads.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
        String one = map("one", "");
        closeCircle(one);
        resumed.release();
        assertThat(reads.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
        delete("one", Propagation.FOREGROUND);
        held.set(false);
        resumed.release();
        awaitGone("one", "two");
    }

    @Test
    void thousandDependentsAreDeleted() throws Exception {
        for (Propagation propagation : new Propagation[] {Propagation.BACKGROUND, Propagation.FOREGROUND}) {
            String root = map("root", "");
            for (int i = 0; i < 1000; i++) {
                create("secrets", "default", "s" + i, ownedBy(map("root", root, true)));
            }
            delete("root", propagation);
            awaitGone("root");
            await().until(() -> store.latest().count(KeyRange.of("secrets")) == 0);
        }
    }

    /** Started work, and changes during the interruption, are handled by the next collector. */
    @Test
    void nextCollectorResumesTheWork() throws Exception {
        collector.close();
        String back = map("back", "");
        String fore = map("fore", "");
        String let = map("let", "");
        map("of-back", ownedBy(map("back", back, true)));
        map("of-fore", ownedBy(map("fore", fore, true)));
        map("of-let", ownedBy(map("let", let, true)));
        delete("back", Propagation.BACKGROUND);
        delete("fore", Propagation.FOREGROUND);
        delete("let", Propagation.ORPHAN);
        assertThat(metadata("of-back").isEmpty()).isFalse();
        assertThat(metadata("let").isEmpty()).isFalse();
        collector = GarbageCollector.start(store, operations, catalog, DynamicTypes.NONE);
        awaitGone("of-back", "of-fore", "fore", "let");
        assertThat(metadata("of-let").has("ownerReferences")).isFalse();
    }

    @Test
    void namespaceWithMutuallyBlockingObjectsIsDeleted() throws Exception {
        String root = create("configmaps", "other", "root", "");
        create("configmaps", "other", "child", ownedBy(map("root", root, true)));
        operations.delete(
                target("configmaps", "other", "root"), new DeleteOptions(false, null, null, Propagation.FOREGROUND));
        operations.delete(target("namespaces", "", "other"), DeleteOptions.DEFAULT);
        await().until(() -> metadata("namespaces", "", "other").isEmpty());
    }

    /** Dependents created during repeated deletions of their owner never outlive it. */
    @Test
    void noDependentIsMissed() throws Exception {
        for (int i = 0; i < OWNERS_IN_A_ROW; i++) {
            int round = i;
            String root = map("root", "");
            Thread creator = Thread.ofVirtual().start(() -> {
                for (int n = 0; n < 50; n++) {
                    try {
                        create("secrets", "default", "s" + n, ownedBy(map("root", root, n % 2 == 0)));
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }
            });
            await().until(() -> store.latest().count(KeyRange.of("secrets")) > round);
            delete("root", round % 2 == 0 ? Propagation.BACKGROUND : Propagation.FOREGROUND);
            creator.join();
            awaitGone("root");
            await().until(() -> store.latest().count(KeyRange.of("secrets")) == 0);
        }
    }

    @Test
    void parsedMetadataMatchesTheObject() throws Exception {
        // With an existing owner: otherwise the collector would delete the object at any time.
        String owner = map("q", "");
        map(
                "x",
                ",\"finalizers\":[\"a/b\",\"orphan\"],\"labels\":{\"uid\":\"no\"}"
                        + ownedBy(map("q", owner, true).replace("}", ",\"controller\":true}")));
        GraphNode read = GraphNode.read(
                store.latest().get(new Key("configmaps", "default", "x")).orElseThrow());
        assertThat(read.owners()).containsExactly(new OwnerReference("v1", "ConfigMap", "q", owner, true));
        assertThat(read.finalizers()).containsExactly("a/b", "orphan");
        assertThat(read.uid()).hasSize(36);
        assertThat(read.deleting()).isFalse();
    }
}
