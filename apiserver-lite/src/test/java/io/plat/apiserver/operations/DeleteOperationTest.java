package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.stored.ServedObject;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deletions: responses, preconditions, finalizers, collections. */
final class DeleteOperationTest {
    private static final Requester USER = Requester.of(new UserInfo("alice", List.of()));
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final Api api = new Api();

    @AfterEach
    void close() {
        api.close();
    }

    private ObjectNode map(String name, String more) {
        return api.given(MAPS, "{\"metadata\":{\"name\":\"" + name + "\"" + more + "}}");
    }

    private static DeleteOptions options(String json) {
        try {
            return DeleteOptions.of(Api.tree(json));
        } catch (io.plat.review.status.StatusException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void mostTypesAnswerWithAStatus() {
        ObjectNode created = map("a", "");
        Api.Answer answer = api.delete(MAPS + "/a");
        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.body().path("kind").asText()).isEqualTo("Status");
        assertThat(answer.body().path("details").path("uid"))
                .isEqualTo(created.path("metadata").path("uid"));
        assertThat(api.delete(MAPS + "/a").code()).isEqualTo(404);
    }

    @Test
    void someTypesAnswerWithTheObject() {
        String services = "/api/v1/namespaces/default/services";
        api.given(services, "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"ports\":[{\"port\":80}]}}");
        assertThat(api.delete(services + "/s").body().path("kind").asText()).isEqualTo("Service");
        assertThat(api.get(services + "/s").code()).isEqualTo(404);
    }

    @Test
    void eventCarriesTheLastStateUnderTheRevisionOfTheDeletion() throws StorageException {
        ObjectNode created = map("a", "");
        Watch watch =
                api.store.watch(KeyRange.of("configmaps"), api.store.latest().revision(), () -> {});
        api.delete(MAPS + "/a");
        var events = ((Watch.Batch.Events) watch.poll(10)).events();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.type()).isEqualTo(Event.Type.DELETED);
            ObjectNode shown =
                    ServedObject.of(api.target(MAPS).type(), event.entry()).tree();
            assertThat(shown.path("metadata").path("uid"))
                    .isEqualTo(created.path("metadata").path("uid"));
            assertThat(shown.path("metadata").path("resourceVersion").asText())
                    .isEqualTo(Long.toString(event.revision()));
        });
    }

    @Test
    void preconditionsMustHold() {
        ObjectNode created = map("a", "");
        String uid = created.path("metadata").path("uid").asText();
        String version = created.path("metadata").path("resourceVersion").asText();
        Api.Answer stale = api.delete(MAPS + "/a", options("{\"preconditions\":{\"resourceVersion\":\"1\"}}"));
        assertThat(stale.code()).isEqualTo(409);
        assertThat(stale.message())
                .isEqualTo(
                        "Operation cannot be fulfilled on ConfigMap \"a\": the ResourceVersion in the precondition (1)"
                                + " does not match the ResourceVersion in record (" + version
                                + "). The object might have been modified");
        Api.Answer exact = api.delete(
                MAPS + "/a",
                options("{\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\"" + uid + "\",\"resourceVersion\":\""
                        + version + "\"},\"propagationPolicy\":\"Background\"}"));
        assertThat(exact.code()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            /api/v1/namespaces/default/persistentvolumeclaims | {"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}} | kubernetes.io/pvc-protection
            /api/v1/persistentvolumes | {"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/a"}} | kubernetes.io/pv-protection
            """)
    void protectionOfATypeDoesNotDelayADeletion(String path, String spec, String protection) {
        String deleted = "\"finalizers\":[\"a.b/mine\"]";
        ObjectNode created = api.given(path, "{\"metadata\":{\"name\":\"a\"," + deleted + "},\"spec\":" + spec + "}");
        assertThat(created.at("/metadata/finalizers").toString()).contains(protection);
        assertThat(api.delete(path + "/a").code()).isEqualTo(200);
        assertThat(api.get(path + "/a").metadata().has("deletionTimestamp")).isTrue();

        api.patch(path + "/a", PatchFormat.JSON, "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers/0\"}]");

        assertThat(api.get(path + "/a").code()).isEqualTo(404);
        api.given(path, "{\"metadata\":{\"name\":\"b\",\"finalizers\":null},\"spec\":" + spec + "}");
        assertThat(api.delete(path + "/b").code()).isEqualTo(200);
        assertThat(api.get(path + "/b").code()).isEqualTo(404);
    }

    @Test
    void protectionOfAnotherTypeIsAFinalizerLikeAnyOther() {
        map("a", ",\"finalizers\":[\"kubernetes.io/pvc-protection\"]");
        api.delete(MAPS + "/a");
        assertThat(api.get(MAPS + "/a").metadata().path("finalizers").toString())
                .isEqualTo("[\"kubernetes.io/pvc-protection\"]");
    }

    @Test
    void dryRunDeletesNothing() {
        map("a", "");
        assertThat(api.delete(MAPS + "/a", options("{\"dryRun\":[\"All\"]}")).code())
                .isEqualTo(200);
        assertThat(api.delete(MAPS + "/a", DeleteOptions.DEFAULT.asDryRun()).code())
                .isEqualTo(200);
        assertThat(api.get(MAPS + "/a").code()).isEqualTo(200);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"kind":"Pod"}                     | 400 | no kind "Pod" is registered for version "meta.k8s.io/v1"
            {"gracePeriodSeconds":"1"}         | 400 | json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64
            {"orphanDependents":"yes"}         | 400 | json: cannot unmarshal string into Go struct field DeleteOptions.orphanDependents of type bool
            {"preconditions":[]}               | 400 | json: cannot unmarshal array into Go struct field DeleteOptions.preconditions of type v1.Preconditions
            {"dryRun":["Some"]}                | 422 | DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"
            {"propagationPolicy":"Sideways"}   | 422 | DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"
            {"propagationPolicy":"Foreground","orphanDependents":false} | 422 | DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Foreground": orphanDependents and deletionPropagation cannot be both set
            """)
    void invalidOptionsAreRefused(String body, int code, String message) {
        Api.Answer answer = api.answer(() -> {
            DeleteOptions.of(Api.tree(body));
            throw new AssertionError(body);
        });
        assertThat(answer.message()).isEqualTo(message);
        assertThat(answer.code()).isEqualTo(code);
    }

    /** Columns: finalizers before, options, resulting code and finalizers; {@code -} if the object is deleted. */
    @ParameterizedTest(name = "{0} {1} -> {2} {3}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            []                                  | {}                                 | 200 | -
            []                                  | {"propagationPolicy":"Background"} | 200 | -
            []                                  | {"propagationPolicy":"Foreground"} | 200 | ["foregroundDeletion"]
            []                                  | {"propagationPolicy":"Orphan"}     | 200 | ["orphan"]
            []                                  | {"orphanDependents":true}          | 200 | ["orphan"]
            []                                  | {"orphanDependents":false}         | 200 | -
            ["example.com/x"]                   | {"orphanDependents":false}         | 202 | ["example.com/x"]
            ["example.com/x"]                   | {"propagationPolicy":"Orphan"}     | 200 | ["example.com/x","orphan"]
            ["orphan"]                          | {}                                 | 200 | ["orphan"]
            ["orphan"]                          | {"propagationPolicy":"Background"} | 200 | -
            ["orphan","example.com/x"]          | {"propagationPolicy":"Foreground"} | 200 | ["example.com/x","foregroundDeletion"]
            ["foregroundDeletion"]              | {"gracePeriodSeconds":0}           | 200 | ["foregroundDeletion"]
            """)
    void propagationAddsAFinalizer(String before, String requested, int code, String after) {
        map("a", ",\"finalizers\":" + before);
        Api.Answer answer = api.delete(MAPS + "/a", options(requested));
        assertThat(answer.code()).isEqualTo(code);
        Api.Answer left = api.get(MAPS + "/a");
        if (after.equals("-")) {
            assertThat(left.code()).isEqualTo(404);
        } else {
            assertThat(left.metadata().path("finalizers").toString()).isEqualTo(after);
            assertThat(left.metadata().has("deletionTimestamp")).isTrue();
        }
    }

    @Test
    void foregroundDeletionCanBecomeBackground() {
        map("a", "");
        api.delete(MAPS + "/a", options("{\"propagationPolicy\":\"Foreground\"}"));
        assertThat(api.get(MAPS + "/a").code()).isEqualTo(200);
        assertThat(api.delete(MAPS + "/a", options("{\"propagationPolicy\":\"Background\"}"))
                        .code())
                .isEqualTo(200);
        assertThat(api.get(MAPS + "/a").code()).isEqualTo(404);
    }

    @Test
    void objectWithFinalizersWaitsForThem() {
        map("a", ",\"finalizers\":[\"example.com/x\",\"example.com/y\"]");
        Api.Answer started = api.delete(MAPS + "/a");
        assertThat(started.code()).isEqualTo(200);
        assertThat(started.body().path("kind").asText()).isEqualTo("ConfigMap");
        assertThat(started.metadata().has("deletionTimestamp")).isTrue();
        Api.Answer again = api.delete(MAPS + "/a");
        assertThat(again.body()).isEqualTo(started.body());
        Api.Answer added = api.put(
                MAPS + "/a", "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/x\",\"example.com/z\"]}}");
        assertThat(added.code()).isEqualTo(422);
        assertThat(added.message())
                .endsWith(
                        "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted,"
                                + " found new finalizers []string{\"example.com/z\"}");
        Api.Answer one = api.put(MAPS + "/a", "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/x\"]}}");
        assertThat(one.code()).isEqualTo(200);
        assertThat(one.metadata().has("deletionTimestamp")).isTrue();
        Api.Answer none = api.put(MAPS + "/a", "{\"metadata\":{\"name\":\"a\"}}");
        assertThat(none.code()).isEqualTo(200);
        assertThat(api.get(MAPS + "/a").code()).isEqualTo(404);
    }

    @Test
    void deleteCollectionHonoursSelectors() {
        map("a", ",\"labels\":{\"t\":\"1\"}");
        map("b", ",\"labels\":{\"t\":\"2\"}");
        map("c", ",\"labels\":{\"t\":\"1\"}");
        Api.Answer answer = api.answer(() -> api.operations.deleteCollection(
                api.target(MAPS), new ListOptions("t=1", "", "", "", 0, "", null, false), DeleteOptions.DEFAULT, USER));
        assertThat(answer.body().path("kind").asText()).isEqualTo("ConfigMapList");
        assertThat(answer.body().path("items")).hasSize(2);
        assertThat(api.get(MAPS).body().path("items")).hasSize(1);
        Api.Answer namespaces = api.answer(() -> api.operations.deleteCollection(
                api.target("/api/v1/namespaces"), ListOptions.DEFAULT, DeleteOptions.DEFAULT, USER));
        assertThat(namespaces.code()).isEqualTo(405);
    }

    /** A store whose reads return a state that writes do not find, like a replica without its source. */
    private static final class Outdated extends DelegatingStore {
        private boolean outdated;

        Outdated() {
            super(EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT)));
        }

        @Override
        public CompletableFuture<Outcome> submit(Transaction transaction) {
            return outdated
                    ? CompletableFuture.completedFuture(
                            new Outcome.Refused(transaction.expectations().getLast(), null))
                    : super.submit(transaction);
        }
    }

    @Test
    void everyWriteEndsIfTheStoreNeverAcceptsIt() {
        Outdated store = new Outdated();
        try (Api there = new Api(store)) {
            String merge = "{\"data\":{\"a\":\"b\"}}";
            String changed = "{\"metadata\":{\"name\":\"x\"},\"data\":{\"a\":\"b\"}}";
            there.given(MAPS, "{\"metadata\":{\"name\":\"x\"}}");
            store.outdated = true;
            assertThat(there.delete(MAPS + "/x").code()).isEqualTo(409);
            assertThat(there.put(MAPS + "/x", changed).code()).isEqualTo(409);
            assertThat(there.patch(MAPS + "/x", PatchFormat.MERGE, merge).code())
                    .isEqualTo(409);
            assertThat(there.apply(
                                    MAPS + "/x",
                                    "m",
                                    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"," + changed.substring(1),
                                    true)
                            .code())
                    .isEqualTo(409);
            assertThat(there.post(MAPS, "{\"metadata\":{\"name\":\"y\"}}").code())
                    .isEqualTo(409);
            store.outdated = false;
        }
    }
}
