package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.options.WriteOptions.FieldValidation;
import io.plat.apiserver.patch.PatchFormat;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patches of stored objects: like updates, with the same conflicts, checks and versions. */
final class PatchesTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";

    private final Api api = new Api();

    @AfterEach
    void close() {
        api.close();
    }

    private ObjectNode map(String name, String more) {
        return api.given(MAPS, "{\"metadata\":{\"name\":\"" + name + "\"" + more + "}");
    }

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            MERGE | {"data":{"y":"3"}}                                        | {"x":"1","y":"3"}
            MERGE | {"data":{"x":null,"y":"3"}}                               | {"y":"3"}
            MERGE | {"data":{"x":"2"},"kind":"ConfigMap","apiVersion":"v1"}   | {"x":"2"}
            MERGE | {"metadata":{"name":"a","namespace":"default"},"data":{"x":"2"}} | {"x":"2"}
            MERGE | {"metadata":{"creationTimestamp":null},"data":{"x":"2"}}  | {"x":"2"}
            JSON  | [{"op":"replace","path":"/data/x","value":"2"}]           | {"x":"2"}
            JSON  | [{"op":"test","path":"/kind","value":"ConfigMap"},{"op":"add","path":"/data/y","value":"2"}] | {"x":"1","y":"2"}
            JSON  | [{"op":"replace","path":"/data","value":{"z":"0"}}]       | {"z":"0"}
            """)
    void patchIsApplied(PatchFormat format, String patch, String data) {
        ObjectNode created = map("a", "},\"data\":{\"x\":\"1\"}");
        Api.Answer answer = api.patch(MAPS + "/a", format, patch);
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        assertThat(answer.body().path("data")).isEqualTo(Api.tree(data));
        assertThat(answer.metadata().path("resourceVersion"))
                .isNotEqualTo(created.path("metadata").path("resourceVersion"));
        assertThat(answer.metadata().path("uid"))
                .isEqualTo(created.path("metadata").path("uid"));
        assertThat(api.get(MAPS + "/a").body()).isEqualTo(answer.body());
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            MERGE | {}
            MERGE | {"data":{"x":"1"}}
            MERGE | {"data":{"gone":null},"metadata":{"labels":{},"annotations":null,"managedFields":[{"manager":"x"}]}}
            MERGE | {"metadata":{"creationTimestamp":"1999-01-01T00:00:00Z","generation":7,"selfLink":"/x"}}
            JSON  | []
            JSON  | null
            STRATEGIC_MERGE | null
            JSON  | [{"op":"replace","path":"/data/x","value":"1"}]
            JSON  | [{"op":"add","path":"/data/y","value":"1"},{"op":"remove","path":"/data/y"}]
            """)
    void unchangedPatchKeepsTheResourceVersion(PatchFormat format, String patch) {
        ObjectNode created = map("a", "},\"data\":{\"x\":\"1\"}");
        long before = revision();
        assertThat(api.patch(MAPS + "/a", format, patch).body()).isEqualTo(created);
        assertThat(revision()).isEqualTo(before);
    }

    private long revision() {
        try {
            return api.store.latest().revision();
        } catch (io.plat.apiserver.storage.StorageException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            MERGE | {"metadata":{"name":"b"}}             | 400 | the name of the object (b) does not match the name on the URL (a)
            MERGE | {"metadata":{"name":null}}            | 400 | the name of the object (a based on URL) was undeterminable: name must be provided
            MERGE | {"metadata":{"namespace":"other"}}    | 400 | the namespace of the provided object does not match the namespace sent on the request
            MERGE | {"metadata":{"uid":"other"}}          | 422 | ConfigMap "a" is invalid: metadata.uid: Invalid value: "other": field is immutable
            MERGE | {"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}} | 422 | ConfigMap "a" is invalid: metadata.deletionTimestamp: Invalid value: "2026-01-01T00:00:00Z": field is immutable
            MERGE | {"metadata":{"deletionGracePeriodSeconds":3}} | 422 | ConfigMap "a" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 3: field is immutable
            MERGE | {"metadata":{"resourceVersion":"1"}}  | 409 | Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again
            MERGE | {"metadata":{"finalizers":["orphan","foregroundDeletion"]}} | 422 | ConfigMap "a" is invalid: metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set
            MERGE | {"metadata":{"labels":{"a b":"c"}}}   | 422 | ConfigMap "a" is invalid: metadata.labels: Invalid value: "a b": name part must consist of
            MERGE | {"data":{"a b":"c"}}                  | 422 | ConfigMap "a" is invalid: data[a b]: Invalid value: "a b": a valid config key
            MERGE | {"data":{"x":{"y":"z"}}}              | 422 | "" is invalid: patch: Invalid value: "{
            MERGE | {"kind":"Secret"}                     | 422 | "" is invalid: patch: Invalid value: "{
            MERGE | {                                     | 400 | error decoding patch: unexpected end of JSON input
            MERGE | ``                                    | 400 | error decoding patch: unexpected end of JSON input
            JSON  | [{"op":"replace","path":"","value":[]}] | 422 | "" is invalid: patch: Invalid value: "[]": json: cannot unmarshal array into
            JSON  | [{"op":"test","path":"/data/x","value":"9"}] | 422 | the server rejected our request due to an error in our request
            JSON  | [{"op":"replace","path":"/metadata/resourceVersion","value":"1"}] | 409 | Operation cannot be fulfilled on configmaps "a"
            """)
    void patchIsValidatedLikeAnUpdate(PatchFormat format, String patch, int code, String message) {
        map("a", "},\"data\":{\"x\":\"1\"}");
        Api.Answer answer = api.patch(MAPS + "/a", format, patch);
        assertThat(answer.message().strip()).startsWith(message);
        assertThat(answer.code()).isEqualTo(code);
    }

    @Test
    void patchOfNothingIsNotFound() {
        Api.Answer answer = api.patch(MAPS + "/a", PatchFormat.MERGE, "{}");
        assertThat(answer.code()).isEqualTo(404);
        assertThat(answer.message()).isEqualTo("configmaps \"a\" not found");
        String roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
        assertThat(api.patch(roles + "/r", PatchFormat.MERGE, "{}").code()).isEqualTo(404);
    }

    @Test
    void patchHonoursItsResourceVersion() {
        ObjectNode created = map("a", "}");
        String version = created.path("metadata").path("resourceVersion").asText();
        String patch = "{\"metadata\":{\"resourceVersion\":\"" + version + "\"},\"data\":{\"k\":\"v\"}}";
        assertThat(api.patch(MAPS + "/a", PatchFormat.MERGE, patch).code()).isEqualTo(200);
        assertThat(api.patch(MAPS + "/a", PatchFormat.MERGE, patch).code()).isEqualTo(409);
    }

    @Test
    void patchNeedsNoResourceVersion() {
        Api.Answer answer = api.patch(
                "/api/v1/namespaces/default/serviceaccounts/default",
                PatchFormat.MERGE,
                "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
    }

    @Test
    void unknownFieldsAreDroppedSilentlyWithAWarningOrRefused() {
        map("a", "}");
        String patch = "[{\"op\":\"add\",\"path\":\"/dtaa\",\"value\":{}, \"extra\":1}]";
        for (FieldValidation validation : FieldValidation.values()) {
            Api.Answer answer = api.patch(MAPS + "/a", PatchFormat.JSON, patch, new WriteOptions(false, validation));
            switch (validation) {
                case IGNORE -> assertThat(answer.warnings()).isEmpty();
                case WARN ->
                    assertThat(answer.warnings())
                            .containsExactly("json patch unknown field \"[0].extra\"", "unknown field \"dtaa\"");
                case STRICT ->
                    assertThat(answer.message())
                            .endsWith("strict decoding error: json patch unknown field \"[0].extra\", unknown field"
                                    + " \"dtaa\"");
            }
            assertThat(answer.code()).isEqualTo(validation == FieldValidation.STRICT ? 422 : 200);
        }
    }

    @Test
    void dryRunChangesNothing() {
        ObjectNode created = map("a", "}");
        Api.Answer answer = api.patch(
                MAPS + "/a",
                PatchFormat.MERGE,
                "{\"data\":{\"k\":\"v\"}}",
                new WriteOptions(true, FieldValidation.WARN));
        assertThat(answer.body().path("data").path("k").asText()).isEqualTo("v");
        assertThat(api.get(MAPS + "/a").body()).isEqualTo(created);
    }

    @Test
    void messagesContainNoSecretValues() {
        String secrets = "/api/v1/namespaces/default/secrets";
        api.given(secrets, "{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"k\":\"hidden\"}}");
        Api.Answer answer = api.patch(secrets + "/s", PatchFormat.MERGE, "{\"type\":[]}");
        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.body().toString()).doesNotContain("aGlkZGVu", "hidden");
    }

    /** A patch applies to the version of the path, not to the stored one. */
    @Test
    void patchUsesTheRequestedVersion() {
        api.given(
                BINDINGS,
                "{\"metadata\":{\"name\":\"b\"},\"roleRef\":{\"kind\":\"Role\",\"name\":\"r\"},"
                        + "\"subjects\":[{\"kind\":\"User\",\"name\":\"alice\"}]}");
        String earlier = BINDINGS.replace("rbac.authorization.k8s.io/v1", "rbac.authorization.plat.io/v1alpha1");
        Api.Answer answer = api.patch(
                earlier + "/b",
                PatchFormat.JSON,
                "[{\"op\":\"test\",\"path\":\"/subjects/0/apiVersion\",\"value\":\"rbac.authorization.plat.io/v1alpha1\"},"
                        + "{\"op\":\"replace\",\"path\":\"/subjects/0/name\",\"value\":\"bob\"}]");
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        assertThat(api.get(BINDINGS + "/b").body().path("subjects").path(0))
                .isEqualTo(Api.tree("{\"kind\":\"User\",\"apiGroup\":\"rbac.authorization.k8s.io\",\"name\":\"bob\"}"));
    }

    @Test
    void concurrentPatchesAreNotLost() throws InterruptedException {
        map("a", "}");
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < 16; t++) {
            int thread = t;
            threads.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 20; i++) {
                    String patch = "{\"data\":{\"k" + thread + "-" + i + "\":\"v\"}}";
                    assertThat(api.patch(MAPS + "/a", PatchFormat.MERGE, patch).code())
                            .isEqualTo(200);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(api.get(MAPS + "/a").body().path("data")).hasSize(320);
    }

    @Test
    void removingTheLastFinalizerCompletesADeletion() {
        map("a", ",\"finalizers\":[\"example.com/x\"]}");
        api.delete(MAPS + "/a");
        Api.Answer answer = api.patch(MAPS + "/a", PatchFormat.MERGE, "{\"metadata\":{\"finalizers\":null}}");
        assertThat(answer.code()).isEqualTo(200);
        assertThat(api.get(MAPS + "/a").code()).isEqualTo(404);
    }
}
