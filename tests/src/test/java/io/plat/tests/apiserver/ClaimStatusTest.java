package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The status of a claim of devices: who may allocate devices and who may report on them, as in Kubernetes 1.36. */
class ClaimStatusTest {
    private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/%s/resourceclaims";
    private static final String MERGE = "application/merge-patch+json";

    private static StandaloneServer server;

    @BeforeAll
    static void start() throws IOException {
        server = StandaloneServer.startWithRoles();
        created("/api/v1/namespaces", """
            {"metadata":{"name":"admins","labels":{"resource.kubernetes.io/admin-access":"true"}}}""");
        String status = """
            {"apiGroups":["resource.k8s.io"],"resources":["resourceclaims","resourceclaims/status"],"verbs":["get","update","patch"]}""";
        grant("writer", status);
        grant(
                "binder",
                status
                        + ",{\"apiGroups\":[\"resource.k8s.io\"],\"resources\":[\"resourceclaims/binding\"],\"verbs\":[\"patch\"]}");
        grant(
                "updater",
                status
                        + ",{\"apiGroups\":[\"resource.k8s.io\"],\"resources\":[\"resourceclaims/binding\"],\"verbs\":[\"update\"]}");
        String driver = status
                + ",{\"apiGroups\":[\"resource.k8s.io\"],\"resources\":[\"resourceclaims/driver\"],\"resourceNames\":[\"d.example.com\"],\"verbs\":[\"%s:patch\"]}";
        grant("driver", driver.formatted("arbitrary-node"));
        grant("system:serviceaccount:default:node-driver", driver.formatted("associated-node"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void created(String path, String json) throws IOException {
        HttpResponse<String> answer = server.client().post(server.at(path), json);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static void grant(String user, String rules) throws IOException {
        String rbac = "/apis/rbac.authorization.k8s.io/v1/";
        created(rbac + "clusterroles", "{\"metadata\":{\"name\":\"" + user + "\"},\"rules\":[" + rules + "]}");
        created(rbac + "clusterrolebindings", """
            {"metadata":{"name":"%1$s"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"%1$s"},
             "subjects":[{"kind":"User","name":"%1$s","apiGroup":"rbac.authorization.k8s.io"}]}""".formatted(user));
    }

    private static String allocated(String result) {
        return """
            {"status":{"allocation":{"devices":{"results":[{"request":"r","driver":"d.example.com","pool":"p","device":"x"%s}]},
             "nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]}]}}}}""".formatted(result);
    }

    private static String change(String name) {
        return switch (name) {
            case "allocation" -> allocated("");
            case "admin" -> allocated(",\"adminAccess\":true");
            case "reserved" -> "{\"status\":{\"reservedFor\":[{\"resource\":\"pods\",\"name\":\"p\",\"uid\":\"u\"}]}}";
            case "device" ->
                "{\"status\":{\"devices\":[{\"driver\":\"d.example.com\",\"pool\":\"p\",\"device\":\"x\",\"data\":{\"a\":1}}]}}";
            default -> "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}";
        };
    }

    @ParameterizedTest(name = "{0}: {1} in {2}")
    @CsvSource(delimiter = '|', textBlock = """
            writer  | allocation | default | 422 | status.allocation: Forbidden: changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="patch" permission: resourceclaims.resource.k8s.io is forbidden: User "writer" cannot patch resource "resourceclaims/binding" in API group "resource.k8s.io" at the cluster scope
            updater | allocation | default | 422 | verb="patch" permission
            binder  | allocation | default | 200 |
            binder  | admin      | default | 422 | status.allocation.devices.results[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace
            binder  | admin      | admins  | 200 |
            writer  | reserved   | default | 422 | changing status.allocation or status.reservedFor requires
            binder  | reserved   | default | 200 |
            writer  | device     | default | 422 | status.allocation: Forbidden: changing status.devices requires resource="resourceclaims/driver", verb="[arbitrary-node:patch]" permission: resourceclaims.resource.k8s.io "d.example.com" is forbidden: User "writer" cannot arbitrary-node:patch resource "resourceclaims/driver" in API group "resource.k8s.io" in the namespace "default"
            binder  | device     | default | 422 | changing status.devices requires
            driver  | device     | default | 200 |
            driver  | allocation | default | 422 | changing status.allocation or status.reservedFor requires
            node    | device     | default | 200 |
            other   | device     | default | 422 | verb="[arbitrary-node:patch]" permission
            writer  | nothing    | default | 200 |
            """)
    void statusRequiresPermissionForItsContent(String user, String change, String namespace, int code, String message)
            throws IOException {
        String claims = CLAIMS.formatted(namespace);
        String name = "c" + UUID.randomUUID();
        created(
                claims,
                "{\"metadata\":{\"name\":\"" + name
                        + "\"},\"spec\":{\"devices\":{\"requests\":[{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"c\"}}]}}}");
        String status = claims + "/" + name + "/status";
        if (change.equals("reserved") || change.equals("device")) {
            assertThat(server.client()
                            .send("PATCH", server.at(status), MERGE, allocated(""))
                            .statusCode())
                    .isEqualTo(200);
        }
        HttpResponse<String> answer = as(user).send("PATCH", server.at(status), MERGE, change(change));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        if (message != null) {
            assertThat(answer.body().replace("\\\"", "\"")).contains(message);
        }
    }

    /** Returns a client of a user; of a service account on one of two nodes. */
    private static HttpsClient as(String user) {
        return switch (user) {
            case "node", "other" ->
                server.client()
                        .withHeader("Impersonate-User", "system:serviceaccount:default:node-driver")
                        .withHeader(
                                "Impersonate-Extra-Authentication.kubernetes.io%2Fnode-name",
                                user.equals("node") ? "n1" : "n2");
            default -> server.client().withHeader("Impersonate-User", user);
        };
    }
}
