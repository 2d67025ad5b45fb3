package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.options.WriteOptions.FieldValidation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Creates and updates: defaults, preserved fields, versions and conflicts. */
final class WritesTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final WriteOptions DRY = new WriteOptions(true, FieldValidation.WARN);

    private final Api api = new Api();

    @AfterEach
    void close() {
        api.close();
    }

    private static String map(String name, String more) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\"" + more + "}";
    }

    @Test
    void newObjectGetsServerSetFields() {
        ObjectNode created = api.given(
                MAPS,
                map(
                                "a",
                                ",\"uid\":\"mine\",\"creationTimestamp\":null,\"generation\":7,\"selfLink\":\"/x\","
                                        + "\"deletionTimestamp\":\"2020-01-01T00:00:00Z\",\"managedFields\":[{\"manager\":\"x\"}]")
                        + ",\"data\":{\"k\":\"v\",\"empty\":\"\"}}");
        ObjectNode metadata = (ObjectNode) created.path("metadata");
        assertThat(metadata.path("uid").asText())
                .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        assertThat(metadata.path("creationTimestamp").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(metadata.path("resourceVersion").asText()).matches("[1-9][0-9]*");
        assertThat(metadata.properties().stream().map(Map.Entry::getKey))
                .containsExactlyInAnyOrder(
                        "name", "namespace", "uid", "resourceVersion", "creationTimestamp", "generation");
        assertThat(metadata.path("generation").asInt()).isEqualTo(7);
        assertThat(created.path("data")).isEqualTo(Api.tree("{\"k\":\"v\",\"empty\":\"\"}"));
        assertThat(api.get(MAPS + "/a").body()).isEqualTo(created);
    }

    @Test
    void versionZeroIsNoPrecondition() {
        String zero = ",\"resourceVersion\":\"0\"}";
        api.given(MAPS, map("a", zero));
        assertThat(api.put(MAPS + "/a", map("a", zero)).code()).isEqualTo(200);
        String leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
        api.given(leases, "{\"metadata\":{\"name\":\"a\"}}");
        assertThat(api.put(leases + "/a", "{\"metadata\":{\"name\":\"a\"" + zero + "}")
                        .message())
                .isEqualTo(
                        "leases.coordination.k8s.io \"a\" is invalid: metadata.resourceVersion: Invalid value: 0: must"
                                + " be specified for an update");
    }

    /** The message has each cause once. */
    @Test
    void causesOfUpdatesAreRepeatedAsInKubernetes() {
        api.given(MAPS, map("a", "}"));
        Api.Answer refused = api.put(
                MAPS + "/a",
                map("a", ",\"finalizers\":[\"x\"],\"deletionGracePeriodSeconds\":1,\"ownerReferences\":[{}]}"));
        assertThat(refused.code()).isEqualTo(422);
        List<String> fields = refused.body().at("/details/causes").findValuesAsText("field");
        assertThat(Collections.frequency(fields, "metadata.finalizers[0]")).isEqualTo(2);
        assertThat(Collections.frequency(fields, "metadata.deletionGracePeriodSeconds"))
                .isEqualTo(2);
        assertThat(Collections.frequency(fields, "metadata.ownerReferences.kind"))
                .isEqualTo(4);
    }

    @Test
    void kindAndApiVersionAreDefaulted() {
        assertThat(api.given(MAPS, "{\"metadata\":{\"name\":\"a\"}}")
                        .path("kind")
                        .asText())
                .isEqualTo("ConfigMap");
    }

    @Test
    void generatedNamesDiffer() {
        var names = new HashSet<String>();
        for (int i = 0; i < 100; i++) {
            names.add(api.given(MAPS, "{\"metadata\":{\"generateName\":\"g-\"}}")
                    .path("metadata")
                    .path("name")
                    .asText());
        }
        assertThat(names).hasSize(100).allMatch(name -> name.matches("g-[bcdfghjklmnpqrstvwxz2456789]{5}"));
    }

    @Test
    void longGenerateNameIsTruncated() {
        String name = api.given(MAPS, "{\"metadata\":{\"generateName\":\"" + "x".repeat(80) + "\"}}")
                .path("metadata")
                .path("name")
                .asText();
        assertThat(name).hasSize(63);
    }

    @Test
    void unchangedUpdateKeepsTheResourceVersion() {
        ObjectNode created =
                api.given(MAPS, map("a", ",\"labels\":{\"x\":\"1\",\"y\":\"2\"}") + ",\"data\":{\"k\":\"v\"}}");
        Api.Answer same = api.put(MAPS + "/a", created.toString());
        assertThat(same.code()).isEqualTo(200);
        assertThat(same.body()).isEqualTo(created);
        Api.Answer reordered = api.put(
                MAPS + "/a",
                "{\"data\":{\"k\":\"v\"},\"metadata\":{\"labels\":{\"y\":\"2\",\"x\":\"1\"},\"name\":\"a\",\"annotations\":{}}}");
        assertThat(reordered.body()).isEqualTo(created);
    }

    @Test
    void updateWithoutResourceVersionIsUnconditional() {
        api.given(MAPS, map("a", "") + "}");
        Api.Answer answer = api.put(MAPS + "/a", map("a", "") + ",\"data\":{\"k\":\"v\"}}");
        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.body().path("data").path("k").asText()).isEqualTo("v");
    }

    @Test
    void serverFieldsSurviveAnUpdate() {
        ObjectNode created = api.given(MAPS, map("a", "") + "}");
        Api.Answer answer = api.put(
                MAPS + "/a",
                map("a", ",\"creationTimestamp\":\"1999-01-01T00:00:00Z\",\"generation\":4")
                        + ",\"data\":{\"k\":\"v\"}}");
        for (String field : new String[] {"uid", "creationTimestamp"}) {
            assertThat(answer.metadata().path(field))
                    .isEqualTo(created.path("metadata").path(field));
        }
        assertThat(answer.metadata().has("generation")).isFalse();
    }

    @Test
    void someTypesRequireAResourceVersion() {
        String classes = "/apis/node.k8s.io/v1/runtimeclasses";
        String body = "{\"metadata\":{\"name\":\"a\"},\"handler\":\"h\"}";
        assertThat(api.put(classes + "/a", body).code()).isEqualTo(201);
        Api.Answer answer = api.put(classes + "/a", body);
        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.message())
                .isEqualTo("runtimeclasses.node.k8s.io \"a\" is invalid: metadata.resourceVersion: Invalid value: 0:"
                        + " must be specified for an update");
        String accounts = "/api/v1/namespaces/default/serviceaccounts/default";
        assertThat(api.put(accounts, "{\"metadata\":{\"name\":\"default\"}}").code())
                .isEqualTo(200);
    }

    @Test
    void existingNameIsAConflict() {
        api.given(MAPS, map("a", "") + "}");
        Api.Answer answer = api.put(MAPS + "/a", map("a", ",\"uid\":\"someone-else\"") + "}");
        assertThat(answer.code()).isEqualTo(409);
        assertThat(answer.message()).contains("UID in precondition: someone-else");
    }

    @Test
    void updateWithoutANameIsRefused() {
        assertThat(api.put(MAPS + "/a", "{}").message()).endsWith("name must be provided");
    }

    @Test
    void updateOfAMissingObjectIsNotFound() {
        assertThat(api.put(MAPS + "/a", map("a", "") + "}").code()).isEqualTo(404);
    }

    @Test
    void updateCreatesIfTheTypeAllowsIt() {
        String roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
        String role = "{\"metadata\":{\"name\":\"system:x\"},\"rules\":[]}";
        assertThat(api.put(roles + "/system:x", role).code()).isEqualTo(201);
        assertThat(api.put(roles + "/system:x", role).code()).isEqualTo(200);
        String stale = "{\"metadata\":{\"name\":\"y\",\"resourceVersion\":\"5\"}}";
        assertThat(api.put(roles + "/y", stale).code()).isEqualTo(409);
        String other = "{\"metadata\":{\"name\":\"y\",\"uid\":\"5\"}}";
        assertThat(api.put(roles + "/y", other).code()).isEqualTo(409);
    }

    @Test
    void dryRunValidatesAndWritesNothing() {
        assertThat(api.post(MAPS, map("Bad", "") + "}", DRY).code()).isEqualTo(422);
        Api.Answer created = api.post(MAPS, map("a", "") + "}", DRY);
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.metadata().has("resourceVersion")).isFalse();
        assertThat(api.get(MAPS + "/a").code()).isEqualTo(404);
        ObjectNode real = api.given(MAPS, map("a", "") + "}");
        assertThat(api.post(MAPS, map("a", "") + "}", DRY).code()).isEqualTo(409);
        Api.Answer changed = api.put(MAPS + "/a", map("a", "") + ",\"data\":{\"k\":\"v\"}}", DRY);
        assertThat(changed.body().path("data").path("k").asText()).isEqualTo("v");
        assertThat(api.get(MAPS + "/a").body()).isEqualTo(real);
    }

    @Test
    void concurrentIncrementsAreNotLost() throws InterruptedException {
        api.given(MAPS, map("n", "") + ",\"data\":{\"n\":\"0\"}}");
        var conflicts = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < 8; t++) {
            threads.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 25; ) {
                    ObjectNode seen = api.get(MAPS + "/n").body();
                    int n = seen.path("data").path("n").asInt();
                    ((ObjectNode) seen.path("data")).put("n", Integer.toString(n + 1));
                    int code = api.put(MAPS + "/n", seen.toString()).code();
                    if (code == 200) {
                        i++;
                    } else {
                        conflicts.addAndGet(code == 409 ? 1 : 1_000_000);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(api.get(MAPS + "/n").body().path("data").path("n").asInt()).isEqualTo(200);
        assertThat(conflicts.get()).isLessThan(1_000_000);
    }

    @Test
    void unknownFieldsAreDroppedSilentlyWithAWarningOrRefused() {
        String body = map("a", ",\"nonsense\":1") + ",\"data\":{\"k\":\"v\"},\"extra\":{\"x\":1}}";
        Api.Answer ignored = api.post(MAPS, body, new WriteOptions(true, FieldValidation.IGNORE));
        assertThat(ignored.warnings()).isEmpty();
        Api.Answer warned = api.post(MAPS, body, DRY);
        assertThat(warned.warnings())
                .containsExactlyInAnyOrder("unknown field \"metadata.nonsense\"", "unknown field \"extra\"");
        assertThat(warned.body().has("extra")).isFalse();
        Api.Answer refused = api.post(MAPS, body, new WriteOptions(false, FieldValidation.STRICT));
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).contains("strict decoding error: unknown field \"");
    }

    @Test
    void immutableFieldsCannotChange() {
        api.given(MAPS, map("a", "") + ",\"immutable\":true,\"data\":{\"k\":\"v\"}}");
        Api.Answer changed = api.put(MAPS + "/a", map("a", "") + ",\"immutable\":true,\"data\":{\"k\":\"w\"}}");
        assertThat(changed.message())
                .isEqualTo("ConfigMap \"a\" is invalid: data: Forbidden: field is immutable when `immutable` is set");
        Api.Answer undone = api.put(MAPS + "/a", map("a", "") + ",\"data\":{\"k\":\"v\"}}");
        assertThat(undone.message())
                .isEqualTo(
                        "ConfigMap \"a\" is invalid: immutable: Forbidden: field is immutable when `immutable` is set");
        assertThat(api.put(
                                MAPS + "/a",
                                map("a", ",\"labels\":{\"l\":\"1\"}") + ",\"immutable\":true,\"data\":{\"k\":\"v\"}}")
                        .code())
                .isEqualTo(200);
    }

    @Test
    void stringDataIsMergedIntoData() {
        String secrets = "/api/v1/namespaces/default/secrets";
        ObjectNode created = api.given(
                secrets, "{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"a\":\"text\"},\"data\":{\"b\":\"Yg==\"}}");
        assertThat(created.has("stringData")).isFalse();
        assertThat(created.path("data")).isEqualTo(Api.tree("{\"b\":\"Yg==\",\"a\":\"dGV4dA==\"}"));
        assertThat(created.path("type").asText()).isEqualTo("Opaque");
        Api.Answer changed = api.put(secrets + "/s", "{\"metadata\":{\"name\":\"s\"},\"type\":\"other\"}");
        assertThat(changed.message())
                .isEqualTo("Secret \"s\" is invalid: type: Invalid value: \"other\": field is immutable");
    }

    @Test
    void servicesAndPodsGetTheirDefaults() {
        ObjectNode service = api.given(
                "/api/v1/namespaces/default/services",
                "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"ports\":[{\"port\":80}]}}");
        ObjectNode spec = (ObjectNode) service.path("spec");
        // The address itself is tested elsewhere.
        spec.remove(List.of("clusterIP", "clusterIPs"));
        assertThat(spec)
                .isEqualTo(Api.tree("{\"ports\":[{\"port\":80,\"protocol\":\"TCP\",\"targetPort\":80}],"
                        + "\"type\":\"ClusterIP\",\"sessionAffinity\":\"None\",\"internalTrafficPolicy\":\"Cluster\","
                        + "\"ipFamilyPolicy\":\"SingleStack\",\"ipFamilies\":[\"IPv4\"]}"));
        assertThat(service.path("status")).isEqualTo(Api.tree("{\"loadBalancer\":{}}"));
        ObjectNode pod = api.given(
                "/api/v1/namespaces/default/pods",
                "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"x:1\","
                        + "\"resources\":{\"limits\":{\"cpu\":1,\"memory\":\"1Gi\"}}}]},\"status\":{\"phase\":\"Running\"}}");
        assertThat(pod.path("status").path("phase").asText()).isEqualTo("Pending");
        assertThat(pod.path("spec").path("serviceAccountName").asText()).isEqualTo("default");
        assertThat(pod.path("spec").path("restartPolicy").asText()).isEqualTo("Always");
        ObjectNode container = (ObjectNode) pod.path("spec").path("containers").path(0);
        assertThat(container.path("imagePullPolicy").asText()).isEqualTo("IfNotPresent");
        assertThat(container.path("resources").path("limits").path("cpu").asText())
                .isEqualTo("1");
        assertThat(container.path("resources").path("limits").path("cpu").isTextual())
                .isTrue();
    }

    @Test
    void onlyTheImageOfAPodMayChange() {
        String pods = "/api/v1/namespaces/default/pods";
        ObjectNode pod = api.given(
                pods, "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"x:1\"}]}}");
        ObjectNode container = (ObjectNode) pod.path("spec").path("containers").path(0);
        container.put("image", "x:2");
        Api.Answer image = api.put(pods + "/p", pod.toString());
        assertThat(image.code()).isEqualTo(200);
        ((ObjectNode) image.body().path("spec")).put("hostname", "other");
        Api.Answer other = api.put(pods + "/p", image.body().toString());
        assertThat(other.code()).isEqualTo(422);
        assertThat(other.message())
                .startsWith("Pod \"p\" is invalid: spec: Forbidden: pod updates may not change fields");
    }
}
