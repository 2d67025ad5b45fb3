package io.plat.tests.apiserver;

import static io.plat.tests.apiserver.RestartableServer.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** APIServices of the served group versions, maintained by the server for built-in and custom types. */
class ApiServicesTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String ALL = "/apis/apiregistration.k8s.io/v1/apiservices";
    private static final String LABEL = "kube-aggregator.kubernetes.io/automanaged";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private static RestartableServer server;

    @BeforeAll
    static void start() {
        server = RestartableServer.start();
        untilComplete(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void until(BooleanSupplier holds) {
        await().atMost(SOON).until(holds::getAsBoolean);
    }

    private static void untilComplete(RestartableServer some) {
        until(() -> names(some).containsAll(served(some)));
    }

    private static Set<String> names(RestartableServer some) {
        Set<String> names = new TreeSet<>();
        some.get(ALL)
                .path("items")
                .forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    /** Returns the groups in discovery; the group of these objects themselves is not listed, as in Kubernetes. */
    private static Set<String> served(RestartableServer some) {
        Set<String> names = new TreeSet<>();
        for (JsonNode group : some.get("/apis").path("groups")) {
            for (JsonNode version : group.path("versions")) {
                names.add(version.path("version").asText() + "."
                        + group.path("name").asText());
            }
        }
        names.add("v1.");
        names.remove("v1.apiregistration.k8s.io");
        return names;
    }

    private static String one(String name) {
        return ALL + "/" + name;
    }

    private static String service(String version, String group, String label) {
        return """
                {"metadata":{"name":"%s.%s","labels":{%s}},
                 "spec":{"group":"%s","version":"%s","groupPriorityMinimum":77,"versionPriority":7}}""".formatted(
                        version, group, label.isEmpty() ? "" : "\"" + LABEL + "\":\"" + label + "\"", group, version);
    }

    private static String definition(String group, String plural, String... versions) {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < versions.length; i++) {
            list.append(i == 0 ? "" : ",").append("""
                    {"name":"%s","served":true,"storage":%b,
                     "schema":{"openAPIV3Schema":{"type":"object"}}}""".formatted(versions[i], i == 0));
        }
        return """
                {"metadata":{"name":"%2$s.%1$s"},"spec":{"group":"%1$s","scope":"Namespaced",
                 "names":{"plural":"%2$s","kind":"K%2$s"},"versions":[%3$s]}}""".formatted(group, plural, list);
    }

    @Test
    void everyServedGroupVersionHasAnApiService() {
        assertThat(names(server)).containsAll(served(server)).doesNotContain("v1.apiregistration.k8s.io");
        JsonNode apps = server.get(one("v1.apps"));
        assertThat(apps.path("spec"))
                .isEqualTo(
                        read(
                                "{\"group\":\"apps\",\"version\":\"v1\",\"groupPriorityMinimum\":17800,\"versionPriority\":15}"));
        assertThat(apps.at("/metadata/labels")).isEqualTo(read("{\"" + LABEL + "\":\"onstart\"}"));
        JsonNode condition = apps.at("/status/conditions/0");
        assertThat(condition.path("lastTransitionTime").asText())
                .matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z");
        assertThat(condition.path("type").asText() + "="
                        + condition.path("status").asText())
                .isEqualTo("Available=True");
        assertThat(condition.path("reason").asText()).isEqualTo("Local");
        assertThat(condition.path("message").asText()).isEqualTo("Local APIServices are always available");
        assertThat(apps.at("/metadata/managedFields/0/manager").asText()).isEqualTo("apiserver-lite");
        assertThat(server.get(one("v1.")).path("spec"))
                .isEqualTo(read("{\"version\":\"v1\",\"groupPriorityMinimum\":18000,\"versionPriority\":1}"));
    }

    @ParameterizedTest
    @CsvSource({
        "v2.autoscaling, 17500, 30",
        "v1.autoscaling, 17500, 15",
        "v1.rbac.authorization.k8s.io, 17000, 15",
        "v1.flowcontrol.apiserver.k8s.io, 16100, 21"
    })
    void prioritiesMatchKubeApiserver(String name, int group, int version) {
        JsonNode spec = server.get(one(name)).path("spec");
        assertThat(spec.path("groupPriorityMinimum").asInt()).isEqualTo(group);
        assertThat(spec.path("versionPriority").asInt()).isEqualTo(version);
    }

    @Test
    void apiServiceFollowsTheTypesOfItsVersion() {
        server.send("POST", DEFINITIONS, definition("come.example.com", "ones", "v1", "v1beta1"));
        server.send("POST", DEFINITIONS, definition("come.example.com", "twos", "v1"));
        until(() -> names(server).containsAll(Set.of("v1.come.example.com", "v1beta1.come.example.com")));
        JsonNode created = server.get(one("v1.come.example.com"));
        assertThat(created.path("spec")).isEqualTo(read("""
                {"group":"come.example.com","version":"v1","groupPriorityMinimum":1000,"versionPriority":100}"""));
        assertThat(created.at("/metadata/labels")).isEqualTo(read("{\"" + LABEL + "\":\"true\"}"));
        assertThat(created.at("/status/conditions/0/reason").asText()).isEqualTo("Local");
        server.send("DELETE", DEFINITIONS + "/ones.come.example.com", null);
        until(() -> !names(server).contains("v1beta1.come.example.com"));
        assertThat(server.get(one("v1.come.example.com")).at("/metadata/uid"))
                .as("the other type is still served")
                .isEqualTo(created.at("/metadata/uid"));
        server.send("DELETE", DEFINITIONS + "/twos.come.example.com", null);
        until(() -> !names(server).contains("v1.come.example.com"));
    }

    @Test
    void modifiedApiServiceOfACustomTypeIsRestored() {
        server.send("POST", DEFINITIONS, definition("right.example.com", "ones", "v1"));
        String path = one("v1.right.example.com");
        until(() -> server.code(path) == 200);
        JsonNode created = server.get(path);
        server.merge(path, "{\"spec\":{\"groupPriorityMinimum\":5},\"metadata\":{\"labels\":{\"mine\":\"1\"}}}");
        until(() -> server.get(path).at("/spec/groupPriorityMinimum").asInt() == 1000);
        assertThat(server.get(path).at("/metadata/labels/mine").asText()).isEqualTo("1");
        server.merge(path + "/status", "{\"status\":{\"conditions\":[]}}");
        until(() -> server.get(path).at("/status/conditions/0/reason").asText().equals("Local"));
        server.send("DELETE", path, null);
        until(() -> server.code(path) == 200
                && !server.get(path).at("/metadata/uid").equals(created.at("/metadata/uid")));
    }

    /** Without the label the object is unmanaged, until the client that removed the label deletes it. */
    @Test
    void unmanagedApiServicesAreKept() {
        String group = "own.example.com";
        server.send("POST", ALL, service("v1", group, ""));
        JsonNode own = server.get(one("v1." + group));
        server.send("POST", DEFINITIONS, definition(group, "ones", "v1", "v2"));
        until(() -> server.code(one("v2." + group)) == 200);
        server.send("DELETE", DEFINITIONS + "/ones." + group, null);
        until(() -> server.code(one("v2." + group)) == 404);
        assertThat(server.get(one("v1." + group))).isEqualTo(own);
    }

    @Test
    void obsoleteManagedApiServicesAreRemoved() {
        server.send("POST", ALL, service("v1", "nothing.example.com", "true"));
        until(() -> server.code(one("v1.nothing.example.com")) == 404);
    }

    /** Objects that are created at the start are reconciled at the start only. */
    @Test
    void builtInApiServicesAreRestoredOnRestart() {
        try (RestartableServer restartable = RestartableServer.start()) {
            untilComplete(restartable);
            restartable.send("DELETE", one("v1.batch"), null);
            restartable.merge(one("v1.apps"), "{\"spec\":{\"versionPriority\":3}}");
            restartable.merge(
                    one("v1.policy"),
                    "{\"metadata\":{\"labels\":{\"" + LABEL + "\":null}},\"spec\":{\"versionPriority\":4}}");
            restartable.send("POST", DEFINITIONS, definition("lasting.example.com", "ones", "v1"));
            until(() -> restartable.code(one("v1.lasting.example.com")) == 200);
            assertThat(restartable.code(one("v1.batch"))).isEqualTo(404);
            assertThat(restartable
                            .get(one("v1.apps"))
                            .at("/spec/versionPriority")
                            .asInt())
                    .isEqualTo(3);
            restartable.send("POST", ALL, service("v7", "apps", "onstart"));
            String lasting = restartable
                    .get(one("v1.lasting.example.com"))
                    .at("/metadata/resourceVersion")
                    .asText();

            restartable.again();
            untilComplete(restartable);
            until(() ->
                    restartable.get(one("v1.apps")).at("/spec/versionPriority").asInt() == 15);
            until(() -> restartable.code(one("v7.apps")) == 404);
            assertThat(restartable
                            .get(one("v1.policy"))
                            .at("/spec/versionPriority")
                            .asInt())
                    .as("objects without the label are unmanaged")
                    .isEqualTo(4);
            assertThat(restartable
                            .get(one("v1.lasting.example.com"))
                            .at("/metadata/resourceVersion")
                            .asText())
                    .as("correct objects are not written")
                    .isEqualTo(lasting);
        }
    }
}
